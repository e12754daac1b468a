/** One spelling of a URL: what is matched is what is forwarded. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalUrl } from "../../src/core/canonical-url";
import { hostilePath } from "../support/hostile-paths";

const pathOf = (path: string) => canonicalUrl(`https://shop.example.com${path}`)?.path;
const isAmbiguous = (path: string) => canonicalUrl(`https://shop.example.com${path}`)?.ambiguous;

describe("canonical URL", () => {
  test.each([
    ["/%63heckout", "/checkout"],
    ["/%43heckout", "/Checkout"],
    ["/%2e%2e/checkout", "/checkout"],
    ["/.%2E/a/./%2e/checkout", "/a/checkout"],
    ["/\\checkout", "/checkout"],
    ["//checkout", "/checkout"],
    ["/x//..//checkout", "/checkout"],
    ["/a/b//c///", "/a/b/c/"],
    ["", "/"],
    ["/%7Euser/%2D%5f", "/~user/-_"],
    ["/caf%C3%A9", "/caf%C3%A9"],
    ["/café", "/caf%C3%A9"],
    ["/100%", "/100%25"],
    ["/%%36%33", "/%2563"],
    ["/che\tck\nout", "/checkout"],
  ])("[URL-1] %j is read and forwarded as %j", (given, canonical) => {
    expect(pathOf(given)).toBe(canonical);
  });

  test.each([
    "/checkout%2f",
    "/a%5Cb",
    "/checkout%00",
    "/checkout%0a",
    "/%7f",
    "/%252e/",
    "/%25%36%33heckout",
    "/%%36%33heckout",
    "/%u0063heckout",
    "/x/..;/checkout",
    "/x/.%20/checkout",
    "/x/..%3Bjsessionid=1/checkout",
    "/%c0%afcheckout",
    "/%ff",
  ])("[URL-4] %j is ambiguous", (path) => {
    expect(isAmbiguous(path)).toBe(true);
  });

  test.each(["/checkout;jsessionid=1", "/a%20b", "/100%25", "/caf%C3%A9", "/a.b/c..d/...", "/a%2Bb%3Dc", "/%E2%9C%93"])(
    "[URL-4] %j means one thing to everybody",
    (path) => {
      expect(isAmbiguous(path)).toBe(false);
    },
  );

  test.each([
    ["https://SHOP.Example.COM/", "shop.example.com", "shop.example.com"],
    ["https://shop.example.com./", "shop.example.com", "shop.example.com"],
    ["https://shop.example.com..:443/", "shop.example.com", "shop.example.com"],
    ["http://shop.example.com:80/", "shop.example.com", "shop.example.com"],
    ["http://shop.example.com.:8080/", "shop.example.com", "shop.example.com:8080"],
    ["https://bücher.example/", "xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["http://[::1]:8787/", "[::1]", "[::1]:8787"],
    ["http://user:secret@shop.example.com/", "shop.example.com", "shop.example.com"],
    ["HTTP://127.1/", "127.0.0.1", "127.0.0.1"],
  ])("[URL-2] %s has host %s and is forwarded to %s", (given, host, authority) => {
    expect(canonicalUrl(given)).toMatchObject({ host, authority });
  });

  test.each([
    "",
    "/checkout",
    "https:///checkout",
    "https://./",
    "https://../checkout",
    "ftp://shop.example.com/",
    "https://a b/",
    "javascript:alert(1)",
    "https://x:99999/",
  ])("[URL-1] %j is no URL to serve", (given) => {
    expect(canonicalUrl(given)).toBeNull();
  });

  test.each(["?", "?a=1&a=2", "?x=%2e%2e%2f&y=/../z", "?q='\"<>`{}|\\^", "?a;b?c=//d", "?vestibule[]=1", "?%", "?a+b%20c"])(
    "[URL-5] the query %j is passed byte for byte",
    (search) => {
      const url = canonicalUrl(`https://shop.example.com/%61${search}#fragment`);
      expect(url?.search).toBe(search);
      expect(url?.href).toBe(`https://shop.example.com/a${search}`);
    },
  );

  test("[URL-5] any visible query is passed byte for byte", () => {
    const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 40 });
    fc.assert(
      fc.property(visible, (text) => {
        const search = `?${text.replaceAll("#", "")}`;
        expect(canonicalUrl(`https://shop.example.com/x${search}`)?.search).toBe(search);
      }),
      { numRuns: 300 },
    );
  });

  test("[URL-1] canonical is final: reading the forwarded URL again changes nothing", () => {
    const host = fc.constantFrom("shop.example.com", "SHOP.example.com.", "a..", "1.2.3.4", "[::1]", "x。y", "a%2e");
    fc.assert(
      fc.property(host, hostilePath, fc.constantFrom("", "?", "?a=%2e", "?é", "#x", "?a#x"), (name, path, rest) => {
        const once = canonicalUrl(`http://${name}${path}${rest}`);
        if (once !== null) expect(canonicalUrl(once.href)).toEqual(once);
      }),
      { numRuns: 3_000 },
    );
  });

  test("[URL-1] plain addresses are read as all others are", () => {
    const host = fc.constantFrom("shop.example.com", "shop.example.com:8080", "a.:80", "127.1", "1.2.3.4:99999", "0x7f.1", "..");
    const plain = fc.string({ unit: fc.constantFrom("/", ".", "a", "Z", "9", "-", "_", "~", "%"), maxLength: 12 });
    fc.assert(
      fc.property(
        fc.constantFrom("http", "https"),
        host,
        plain,
        fc.constantFrom("", "?", "?a='b\"", "?a#b"),
        (scheme, name, path, rest) => {
          const address = `${scheme}://${name}/${path}${rest}`;
          // A blank in front changes nothing but that the address is not plain.
          expect(canonicalUrl(address)).toEqual(canonicalUrl(` ${address}`));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("[URL-1] no text whatever makes it throw, and what it accepts is an absolute http(s) URL without dot segments", () => {
    const prefixed = fc.tuple(fc.constantFrom("", "http://", "https://h", "https://h/"), fc.string({ unit: "binary", maxLength: 60 }));
    fc.assert(
      fc.property(prefixed, ([start, rest]) => {
        const url = canonicalUrl(start + rest);
        if (url === null) return;
        expect(url.href).toBe(`${url.protocol}//${url.authority}${url.path}${url.search}`);
        expect(url.path).not.toMatch(/\/(?:\/|\.\.?(?:\/|$))/);
        expect(url.host).toBe(url.host.toLowerCase());
      }),
      { numRuns: 3_000 },
    );
  });
});
