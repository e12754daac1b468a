/** Reading, writing and hiding the room's two cookies. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TOKEN_MAX_BYTES } from "../../src/core/token";
import {
  type CookieSettings,
  clearCookie,
  isOwnSetCookie,
  isPastHalf,
  readRoomCookies,
  setCookie,
  stripOwnCookies,
} from "../../src/http/cookies";

const host: CookieSettings = { cookieDomain: null, cookieMaxAgeMs: 86_400_000, partitionedCookies: false };
const domain: CookieSettings = { ...host, cookieDomain: "example.com" };
const read = (header: string | null, secure = true, settings = host) => readRoomCookies(header, "demo", secure, settings);

describe("reading", () => {
  test("[TOKEN-9] all values of both names are found, in order, over one or two Cookie lines", () => {
    expect(read("a=1; __Host-vestibule.demo=x; b=2; __Host-vestibule.demo=y; __Host-vestibule-pass.demo=z")).toEqual({
      place: ["x", "y"],
      pass: ["z"],
    });
    // Two lines arrive joined by a comma.
    expect(read("a=1, __Host-vestibule.demo=bad; __Host-vestibule-pass.demo=z, __Host-vestibule.demo=good")).toEqual({
      place: ["bad", "good"],
      pass: ["z"],
    });
    expect(read("__Host-vestibule.demo=x,b=2;c=3")).toEqual({ place: ["x"], pass: [] });
    expect(read(null)).toEqual({ place: [], pass: [] });
  });

  test("[TOKEN-9] T3 at most 8 values, none empty, repeated or longer than a token", () => {
    const many = Array.from({ length: 50 }, (_, i) => `__Host-vestibule.demo=v${i}`);
    expect(read(many.join("; ")).place).toEqual(["v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"]);
    const long = "x".repeat(TOKEN_MAX_BYTES + 1);
    expect(read(`__Host-vestibule.demo=; __Host-vestibule.demo=${long}; __Host-vestibule.demo=x; __Host-vestibule.demo=x`).place).toEqual([
      "x",
    ]);
  });

  test("[TOKEN-10] T2 only the name that we would set counts: nothing a neighbouring host could plant", () => {
    const all =
      "vestibule.demo=bare; __Secure-vestibule.demo=secure; __Host-vestibule.demo=host; x__Host-vestibule.demo=no; __host-vestibule.demo=no";
    expect(read(all).place).toEqual(["host"]);
    expect(read(all, true, domain).place).toEqual(["secure"]);
    expect(read(all, false).place).toEqual(["bare"]);
    expect(read("__Host-vestibule.demo2=x; __Host-vestibule.dem=x; __Host-vestibuleXdemo=x; __Host-vestibule.demo.x=y").place).toEqual([]);
  });

  test("[TOKEN-9] any header is read without throwing", () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => read(text).place.length <= 8));
  });
});

describe("writing", () => {
  const line = (kind: "place" | "pass", secure: boolean, settings = host) => setCookie(kind, "demo", "v", { secure, settings });

  test("[TOKEN-10] T6 the attributes, over https and http, for one host, a domain, and frames", () => {
    expect(line("place", true)).toBe("__Host-vestibule.demo=v; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=Lax");
    expect(line("pass", true)).toBe("__Host-vestibule-pass.demo=v; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=None");
    expect(line("place", false)).toBe("vestibule.demo=v; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax");
    expect(line("pass", false)).toBe("vestibule-pass.demo=v; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax");
    expect(line("place", true, domain)).toBe(
      "__Secure-vestibule.demo=v; Max-Age=86400; Path=/; Domain=example.com; HttpOnly; Secure; SameSite=Lax",
    );
    const framed = { ...host, partitionedCookies: true };
    expect(line("place", true, framed)).toBe(
      "__Host-vestibule.demo=v; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=None; Partitioned",
    );
    expect(line("place", false, framed)).toBe("vestibule.demo=v; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax");
  });

  test("[TOKEN-10] clearing uses the same attributes", () => {
    for (const settings of [host, domain, { ...host, partitionedCookies: true }]) {
      for (const kind of ["place", "pass"] as const) {
        const options = { secure: true, settings };
        const set = setCookie(kind, "demo", "", options).replace("Max-Age=86400", "Max-Age=0");
        expect(clearCookie(kind, "demo", options)).toBe(set);
      }
    }
  });

  test("[TOKEN-10] what is set is what is read back", () => {
    for (const secure of [true, false]) {
      for (const settings of [host, domain]) {
        const pair = (kind: "place" | "pass", value: string) => setCookie(kind, "demo", value, { secure, settings }).split(";")[0];
        expect(read(`${pair("place", "p.q.r")}; ${pair("pass", "s.t.u")}`, secure, settings)).toEqual({
          place: ["p.q.r"],
          pass: ["s.t.u"],
        });
      }
    }
  });

  test("[TOKEN-11] T7 eight rooms with the longest names and tokens stay under 8 KB", () => {
    const pairs = Array.from({ length: 8 }, (_, i) => `${i}`.padEnd(32, "r")).flatMap((room) =>
      (["place", "pass"] as const).map(
        (kind) => setCookie(kind, room, "x".repeat(TOKEN_MAX_BYTES), { secure: true, settings: domain }).split(";")[0],
      ),
    );
    expect(pairs.join("; ").length).toBeLessThan(8_192);
  });

  test("[TOKEN-12] C74 a cookie is due once less than half of its life is left", () => {
    expect(isPastHalf(86_400, 43_200, host)).toBe(false);
    expect(isPastHalf(86_400, 43_201, host)).toBe(true);
    expect(isPastHalf(86_400, 90_000, host)).toBe(true);
  });
});

describe("hiding", () => {
  test("[PROXY-1] the origin sees every cookie but ours, byte for byte", () => {
    const cases: [string | null, string | null][] = [
      [null, null],
      ["", null],
      ["a=1; b=2", "a=1; b=2"],
      ["__Host-vestibule.demo=x", null],
      ["__Host-vestibule.demo=x; a=1", "a=1"],
      ["a=1; __Host-vestibule-pass.other=x; b=2", "a=1; b=2"],
      ["a=1; __Secure-vestibule.demo=x", "a=1"],
      ["vestibule.demo=x; vestibule-pass.demo=y", null],
      ["a=1, __Host-vestibule.demo=x; b=2", "a=1; b=2"],
      ["__Host-vestibule.demo=x, b=2", "b=2"],
      ['a=x,y;b="q;r";  c', 'a=x,y;b="q;r";  c'],
      ["vestibules=1; myvestibule.demo=2; vestibule=3", "vestibules=1; myvestibule.demo=2; vestibule=3"],
    ];
    for (const [header, expected] of cases) expect(stripOwnCookies(header), String(header)).toBe(expected);
  });

  test("[PROXY-1] whatever is sent, nothing that we would read is left", () => {
    const piece = fc.constantFrom("a=1", "__Host-vestibule.demo=x", "__Host-vestibule-pass.demo=y", ";", ", ", " ", "; ", "=", "b");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(read(stripOwnCookies(pieces.join("")))).toEqual({ place: [], pass: [] });
      }),
      { numRuns: 1_000 },
    );
  });

  test("[PROXY-3] Set-Cookie lines under our names are known", () => {
    for (const ours of ["__Host-vestibule.demo=x", "vestibule-pass.demo=; Max-Age=0", " __Secure-vestibule.a=1"])
      expect(isOwnSetCookie(ours)).toBe(true);
    for (const theirs of ["session=1", "vestibule=1", "x=__Host-vestibule.demo=1"]) expect(isOwnSetCookie(theirs)).toBe(false);
  });
});
