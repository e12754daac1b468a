/** Where a visitor may be sent: never to another site, whatever the parameter holds. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalUrl } from "../../src/core/canonical-url";
import { isReserved, safeTarget } from "../../src/core/safe-target";

const here = canonicalUrl("https://shop.example.com:8443/anything?x=1");
if (here === null) throw new Error("no URL");
const ORIGIN = "https://shop.example.com:8443";
const target = (raw: string | null) => safeTarget(raw, here);

describe("safe target", () => {
  test.each([
    ["/", "/"],
    ["/checkout?a=1&b=%20#part", "/checkout?a=1&b=%20"],
    ["checkout", "/checkout"],
    ["?a=1", "/?a=1"],
    [`${ORIGIN}/checkout`, "/checkout"],
    ["/caf%C3%A9", "/caf%C3%A9"],
    ["/café menu", "/caf%C3%A9%20menu"],
    ["/a/../b", "/b"],
    ["/__vestibules/x", "/__vestibules/x"],
  ])("[GATE-24] %j leads to %j", (raw, path) => {
    expect(target(raw)).toBe(ORIGIN + path);
  });

  test.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "https://evil.example/",
    "https:evil.example",
    "https:/evil.example",
    "http://shop.example.com:8443/",
    "https://shop.example.com/",
    "https://shop.example.com:8443@evil.example/",
    "https://user@shop.example.com:8443/",
    "https://user:pass@shop.example.com:8443/",
    "https://shop.example.com:8443.evil.example/",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "blob:https://shop.example.com:8443/x",
    "/\t/evil.example",
    "/\n/evil.example",
    "/x\r\nSet-Cookie: a=b",
    "/\u2028/evil.example",
    "/\u2029",
    "/\u0000",
    "/\u202eevil",
    "/\ud800",
    `/${"a".repeat(10_000)}`,
    "/__vestibule/check?to=/x",
    "/__VESTIBULE/rooms/r/leave",
    "/__vestibule",
    "/x/../__vestibule/check",
    "/%5f%5fvestibule/check",
    "https://[bad/",
  ])("[GATE-24] W1 W5 C62 %j never leaves the site or comes back to us", (raw) => {
    const url = new URL(target(raw));
    expect(url.origin).toBe(ORIGIN);
    expect(url.username).toBe("");
    expect(url.href.toLowerCase()).not.toContain("__vestibule");
    expect(url.pathname.startsWith("//")).toBe(false);
  });

  test.each(["/a/..//evil.example", "/.//evil.example", `${ORIGIN}//evil.example`, "/%2e//evil.example"])(
    "[GATE-24] W1 C62 %j stays here, as one path",
    (raw) => {
      expect(target(raw)).toBe(`${ORIGIN}/evil.example`);
    },
  );

  test("[GATE-24] a long address is a target, as the way back from a log-in or a payment can be", () => {
    const long = `/back?state=${"a".repeat(4_900)}`;
    expect(target(long)).toBe(ORIGIN + long);
  });

  test("[GATE-24] nothing at all leads to the front page", () => {
    expect(target(null)).toBe(`${ORIGIN}/`);
    expect(target("")).toBe(`${ORIGIN}/`);
  });

  test("[GATE-24] W1 any text gives an absolute URL of this origin in visible ASCII", () => {
    const hostile = fc.array(
      fc.constantFrom("/", "\\", ":", "@", "..", "%2f", "%5c", "evil.example", "https", "\t", "?", "#", ";", "é", "a"),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          hostile.map((parts) => parts.join("")),
        ),
        (raw) => {
          const found = target(raw);
          expect(new URL(found).origin).toBe(ORIGIN);
          expect(found).toMatch(/^[\x21-\x7e]+$/);
          expect(found.slice(ORIGIN.length)).toMatch(/^\/(?!\/)/);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("[GATE-3] our own prefix is recognised whatever its case, and only as a whole segment", () => {
    expect(["/__vestibule", "/__vestibule/", "/__Vestibule/x"].every(isReserved)).toBe(true);
    expect(["/__vestibul", "/__vestibules", "/x/__vestibule"].some(isReserved)).toBe(false);
  });
});
