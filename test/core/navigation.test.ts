/** Reading what kind of request it is, and the headers of every reply of ours. */
import { describe, expect, test } from "vitest";
import {
  asksForJson,
  isCrawler,
  isCrossSite,
  isFormNavigation,
  isNavigation,
  isPrefetch,
  isResendableForm,
  methodClass,
} from "../../src/http/navigation";
import { isPubliclyCacheable, keepFromSharedCaches } from "../../src/http/origin-headers";
import { jsonReply, pageReply, problem, redirectReply } from "../../src/http/replies";

const SITE = "https://shop.example";
const request = (method: string, headers: Record<string, string>) => new Request(`${SITE}/checkout`, { method, headers });

describe("requests", () => {
  test("[PROXY-11] page loads", () => {
    for (const destination of ["document", "iframe", "frame"])
      expect(isNavigation(request("GET", { "Sec-Fetch-Dest": destination }))).toBe(true);
    expect(isNavigation(request("GET", { Accept: "text/html,application/xhtml+xml" }))).toBe(true);
    expect(isNavigation(request("GET", { Accept: "text/html", "Sec-Fetch-Dest": "empty" }))).toBe(false);
    expect(isNavigation(request("GET", { Accept: "*/*" }))).toBe(false);
    expect(isNavigation(request("HEAD", { Accept: "text/html" }))).toBe(false);
    expect(isNavigation(request("POST", { "Sec-Fetch-Dest": "document" }))).toBe(false);
    expect(isFormNavigation(request("POST", { "Sec-Fetch-Dest": "document" }))).toBe(true);
    expect(isFormNavigation(request("POST", { "Sec-Fetch-Dest": "empty", Accept: "text/html" }))).toBe(false);
  });

  test.each<[string, "page" | "json" | "neither"]>([
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "page"],
    ["application/json, text/html;q=0.5", "json"],
    ["application/json;q=0.5, text/html", "page"],
    ["application/json, text/html", "page"],
    ["application/problem+json, text/html;q=0.9", "neither"],
    ["TEXT/HTML ; Q=0.3 , */*;q=0.1", "page"],
    ["text/html;level=1;q=0.4, application/json;charset=utf-8;q=0.5", "json"],
    ["text/html;q=0", "neither"],
    ["text/html;q=0.000, application/json;q=0.001", "json"],
    ["application/json;q=0, */*", "neither"],
    ["text/html;q=0, application/json;q=0", "neither"],
    ["text/html;q=none", "page"],
    ["application/json;q=2, text/html;q=0.9", "json"],
    ["text/*, application/*", "neither"],
    ["text/html-sandboxed, application/json-seq", "neither"],
    [",;q=1,,", "neither"],
    ["", "neither"],
  ])("[APP-2] Accept: %s", (accept, gets) => {
    const asked = request("GET", { Accept: accept });
    expect(isNavigation(asked) ? "page" : asksForJson(asked.headers) ? "json" : "neither").toBe(gets);
    expect(isFormNavigation(request("POST", { Accept: accept }))).toBe(gets === "page");
    const script = request("GET", { Accept: accept, "Sec-Fetch-Dest": "empty" });
    expect([isNavigation(script), asksForJson(script.headers)]).toEqual([false, gets === "json"]);
    expect(isNavigation(request("GET", { Accept: accept, "Sec-Fetch-Dest": "document" }))).toBe(true);
  });

  test("[PROXY-11] prefetch, prerender and previews", () => {
    const yes = [
      { "Sec-Purpose": "prefetch;prerender" },
      { "Sec-Purpose": "prefetch" },
      { Purpose: "prefetch" },
      { "X-Moz": "prefetch" },
      { "X-Purpose": "preview" },
    ];
    for (const headers of yes) expect(isPrefetch(new Headers(headers as Record<string, string>)), JSON.stringify(headers)).toBe(true);
    expect(isPrefetch(new Headers())).toBe(false);
    expect(isPrefetch(new Headers({ "Sec-Purpose": "other" }))).toBe(false);
  });

  test("[PROXY-11] cross-site by Sec-Fetch-Site, else by Origin; saying nothing counts as cross-site", () => {
    const cases: [Record<string, string>, boolean][] = [
      [{ "Sec-Fetch-Site": "same-origin" }, false],
      [{ "Sec-Fetch-Site": "same-site" }, true],
      [{ "Sec-Fetch-Site": "cross-site" }, true],
      [{ "Sec-Fetch-Site": "none" }, true],
      [{ "Sec-Fetch-Site": "cross-site", Origin: SITE }, true],
      [{ Origin: SITE }, false],
      [{ Origin: "http://shop.example" }, true],
      [{ Origin: "https://shop.example.evil.example" }, true],
      [{ Origin: "null" }, true],
      [{}, true],
    ];
    for (const [headers, expected] of cases) expect(isCrossSite(new Headers(headers), SITE), JSON.stringify(headers)).toBe(expected);
  });

  test("[PROXY-11] only a small text form of the same origin may be offered again", () => {
    const form = {
      "Sec-Fetch-Dest": "document",
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": "65536",
    };
    expect(isResendableForm(request("POST", form), SITE)).toBe(true);
    expect(isResendableForm(request("POST", { ...form, "Content-Type": "text/plain; charset=utf-8" }), SITE)).toBe(true);
    const others: Record<string, string>[] = [
      { "Content-Length": "65537" },
      { "Content-Length": "1e3" },
      { "Content-Type": "multipart/form-data; boundary=x" },
      { "Content-Type": "application/json" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Dest": "empty" },
    ];
    for (const other of others) expect(isResendableForm(request("POST", { ...form, ...other }), SITE), JSON.stringify(other)).toBe(false);
    expect(isResendableForm(request("PUT", form), SITE)).toBe(false);
    const { "Content-Length": _, ...unstated } = form;
    expect(isResendableForm(request("POST", unstated), SITE)).toBe(false);
  });

  test("[PROXY-11] methods and crawlers", () => {
    const classes = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PROPFIND", "TRACE", "PURGE", "CONNECT", "track"].map(methodClass);
    expect(classes).toEqual(["read", "head", "preflight", "write", "write", "write", "write", "refused", "refused", "refused", "refused"]);
    expect(isCrawler("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")).toBe(true);
    expect(isCrawler("Mozilla/5.0 (compatible; bingbot/2.0)")).toBe(true);
    expect(isCrawler("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1")).toBe(false);
    expect(isCrawler("Mozilla/5.0 (Linux; Android 14; CUBOT X70) AppleWebKit/537.36 Chrome/131 Mobile Safari/537.36")).toBe(false);
    expect(isCrawler(null)).toBe(false);
  });
});

describe("replies", () => {
  const all = () => [
    problem(429, "line", "Please wait."),
    jsonReply({ ok: true }),
    pageReply("<p>", "abc", { status: 200 }),
    redirectReply(`${SITE}/`, ["a=1"]),
    problem(503, "x", "y", { headers: new Headers({ "Cache-Control": "public, max-age=99" }) }),
  ];

  test("[PROXY-10] W6 C28 C46 every reply says private, no-store, nosniff, and a policy without framing", () => {
    for (const reply of all()) {
      expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
      expect(reply.headers.get("X-Content-Type-Options")).toBe("nosniff");
      const policy = reply.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
    }
  });

  test("[PROXY-10] W2 W12 a page allows its nonce and its own origin, and is framed only where the room asks for it", () => {
    const page = pageReply("<p>", "n0nce", { status: 503, retryAfterS: 2.1, setCookies: ["a=1", "b=2"], noindex: true });
    expect(page.status).toBe(503);
    expect(page.headers.get("Content-Security-Policy")).toMatch(/script-src 'nonce-n0nce' 'self'; style-src 'nonce-n0nce';/);
    expect(page.headers.get("Retry-After")).toBe("3");
    expect(page.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(page.headers.get("X-Robots-Tag")).toBe("noindex");
    const framed = pageReply("<p>", "n", { status: 200, frameAncestors: ["https://a.example", "http://localhost:3000"] });
    expect(framed.headers.get("Content-Security-Policy")).toMatch(/; frame-ancestors https:\/\/a\.example http:\/\/localhost:3000$/);
    expect(framed.headers.has("X-Robots-Tag")).toBe(false);
  });

  test("[PROXY-10] a problem has a stable code, a title and its own members", async () => {
    const reply = problem(428, "cookies-needed", "Please allow cookies.", { retryAfterS: 0, members: { room: "demo", status: 999 } });
    expect(reply.headers.get("Content-Type")).toBe("application/problem+json");
    expect(reply.headers.get("Retry-After")).toBe("1");
    expect(await reply.json()).toEqual({
      type: "about:blank",
      title: "Precondition Required",
      status: 428,
      code: "cookies-needed",
      detail: "Please allow cookies.",
      room: "demo",
    });
  });
});

describe("shared caches", () => {
  test("[PROXY-9] W6 a gated page becomes private and loses orders to shared caches", () => {
    const cases: [string | null, string][] = [
      [null, "private"],
      ["public, max-age=600", "private, max-age=600"],
      ["Public, S-MaxAge=600, max-age=5, proxy-revalidate, must-revalidate", "private, max-age=5, must-revalidate"],
      ["no-cache", "private, no-cache"],
      ['private="Set-Cookie, X", max-age=5', "private, max-age=5"],
      ["private, max-age=5", "private, max-age=5"],
      ["No-Store", "No-Store"],
    ];
    for (const [before, after] of cases) {
      const headers = new Headers({
        "CDN-Cache-Control": "max-age=99",
        "Surrogate-Control": "max-age=9",
        ...(before === null ? {} : { "Cache-Control": before }),
      });
      keepFromSharedCaches(headers);
      expect([...headers], String(before)).toEqual([["cache-control", after]]);
      expect(isPubliclyCacheable("GET", headers)).toBe(false);
    }
  });

  test("[PROXY-9] a reply is cacheable by order or by guessing", () => {
    const cacheable = (method: string, cacheControl?: string) =>
      isPubliclyCacheable(method, new Headers(cacheControl === undefined ? {} : { "Cache-Control": cacheControl }));
    expect([cacheable("GET"), cacheable("HEAD"), cacheable("GET", "no-cache"), cacheable("GET", "public, max-age=1")]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([
      cacheable("GET", "private"),
      cacheable("GET", "max-age=1, no-store"),
      cacheable("POST"),
      cacheable("POST", "no-cache"),
    ]).toEqual([false, false, false, false]);
    expect([cacheable("POST", "public"), cacheable("POST", "max-age=5"), cacheable("POST", "s-maxage=5")]).toEqual([true, true, true]);
    expect(isPubliclyCacheable("GET", new Headers({ "Cache-Control": "x-private" }))).toBe(true);
  });
});
