/** Which room a URL belongs to, whatever the site behind makes of its spelling. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalUrl } from "../../src/core/canonical-url";
import { buildRoomTable, type Lookup, lookUp, type RoomTable } from "../../src/core/room-table";
import { hostilePath } from "../support/hostile-paths";
import { segmentsOf, sites } from "../support/site-readings";

function find(table: RoomTable, url: string): Lookup {
  const canonical = canonicalUrl(url);
  if (!canonical) throw new Error(`${url} is not a URL`);
  return lookUp(table, canonical);
}

function tableOf(rooms: Record<string, string>, passHosts: string[] = []): RoomTable {
  const routes = Object.entries(rooms).map(([room, place]): [string, { host: string; path: string }[]] => {
    const slash = place.indexOf("/");
    return [room, [{ host: place.slice(0, slash), path: place.slice(slash) }]];
  });
  return buildRoomTable(routes, passHosts);
}

const checkout = tableOf({ till: "shop.example.com/checkout" });
const till: Lookup = { as: "room", room: "till" };
const untouched: Lookup = { as: "untouched" };

describe("room table", () => {
  test.each([
    "/checkout",
    "/checkout/",
    "/checkout/pay",
    "/CHECKOUT",
    "/cHeCkOuT",
    "/checkout.",
    "/checkout..",
    "/checkout;x",
    "/checkout;jsessionid=1/pay",
    "/checkout%3Bx",
    "/checkout%20",
    "/checkout%3Fx",
    "/checkout%23x/y",
    "/Checkout./;a/",
    "//checkout",
    "/./checkout",
    "/x/../checkout",
    "/\\checkout",
    "/;x/checkout",
    "/%63heckout",
    "/chec%E2%84%AAout",
    "/checkout?a=/x",
    "/favicon.ico/../checkout",
  ])("[URL-3] G2 G3 C10 C53 C55 %s belongs to the room at /checkout", (path) => {
    expect(find(checkout, `https://shop.example.com${path}`)).toEqual(till);
  });

  test.each([
    "/",
    "/checkout-help",
    "/checkouts",
    "/checkout.html",
    "/check/out",
    "/x/checkout",
    "/favicon.ico?x=/checkout",
    "/checkout/../x",
    "/what%3F",
    "/x%23/checkout",
  ])("[URL-3] C55 %s does not", (path) => {
    expect(find(checkout, `https://shop.example.com${path}`)).toEqual(untouched);
  });

  test("[URL-3] W10 characters of patterns mean themselves in a rule, and a path of 10,000 of them is just another path", () => {
    for (const rule of ["/(a+)+$", "/*a*a*a*a*", "/[ab].{2}", "/a|b", "/^a"]) {
      const table = tableOf({ odd: `h${rule}` });
      expect(find(table, `http://h${rule}/x`), rule).toEqual({ as: "room", room: "odd" });
      for (const path of ["/", "/a", "/aaaa", "/aa.aa", "/b", `/${"a".repeat(10_000)}!`])
        expect(find(table, `http://h${path}`), rule).toEqual(untouched);
    }
  });

  test("[URL-3] composed and decomposed letters are the same path", () => {
    const cafe = tableOf({ cafe: "h/caf%C3%A9" });
    for (const path of ["/café", "/cafe\u0301", "/cafe%CC%81", "/CAF%C3%89"])
      expect(find(cafe, `http://h${path}`)).toEqual({ as: "room", room: "cafe" });
  });

  test("[URL-7] the most specific path wins, whatever the order of rooms", () => {
    for (const table of [tableOf({ all: "h/", deep: "h/a/b", a: "h/a" }), tableOf({ deep: "h/a/b", a: "h/a", all: "h/" })]) {
      expect(find(table, "http://h/a/b/c")).toEqual({ as: "room", room: "deep" });
      expect(find(table, "http://h/a/x")).toEqual({ as: "room", room: "a" });
      expect(find(table, "http://h/b")).toEqual({ as: "room", room: "all" });
    }
  });

  test("[URL-7] the catch-all room serves hosts that nobody named, and only those", () => {
    const table = tableOf({ demo: "*/", till: "shop.example.com/checkout" }, ["static.example.com"]);
    expect(find(table, "http://127.0.0.1:8787/x")).toEqual({ as: "room", room: "demo" });
    expect(find(table, "http://shop.example.com/other")).toEqual(untouched);
    expect(find(table, "http://static.example.com/checkout")).toEqual(untouched);
  });

  test("[URL-2] hosts are compared as names: case, final dot and port do not matter; other hosts are unknown", () => {
    for (const host of ["SHOP.example.com", "shop.example.com.", "shop.example.com:8443", "shop.EXAMPLE.com.:443"]) {
      expect(find(checkout, `https://${host}/checkout`)).toEqual(till);
    }
    for (const host of ["evil.example", "shop.example.com.evil.example", "1.2.3.4", "vestibule.someone.workers.dev", "example.com"]) {
      expect(find(checkout, `https://${host}/checkout`)).toEqual({ as: "unknown-host" });
    }
  });

  test.each(["/a%2fb", "/x/..;/y", "/%00", "/blog/%252e%252e/x"])("[URL-4] %s is gated wherever the host has one room", (path) => {
    expect(find(checkout, `https://shop.example.com${path}`)).toEqual(till);
  });

  test("[URL-4] with several rooms a path that could be in either is disputed, and one that can only be in one room is that room's", () => {
    const table = tableOf({ till: "h/checkout", tickets: "h/tickets" });
    expect(find(table, "http://h/tickets/..%2fcheckout")).toEqual({ as: "disputed" });
    expect(find(table, "http://h/tickets/..;/checkout")).toEqual({ as: "disputed" });
    expect(find(tableOf({ all: "h/", till: "h/checkout" }), "http://h/;x%23/CHECKOUT")).toEqual({ as: "disputed" });
    expect(find(table, "http://h/tickets/a%2fb")).toEqual({ as: "room", room: "tickets" });
    expect(find(table, "http://h/blog/..%2ftickets")).toEqual({ as: "room", room: "tickets" });
    expect(find(table, "http://h/blog/a%2fb").as).toBe("room");
  });

  test("[URL-4] W10 a path with more readings than anybody needs is disputed: the work is bounded", () => {
    const table = tableOf({ till: "h/checkout", tickets: "h/tickets" });
    expect(find(table, "http://h/a/..;x/b%2f..%3bx%2fc/%2500d%252f%252e%252e%253bx%252fe%00/%c0%afg/%25c0%25ae%25c0%25ae%252fh")).toEqual({
      as: "disputed",
    });
    expect(["disputed", "room"]).toContain(find(table, `http://h/${"a%252f..;x%255c%2500/".repeat(700)}checkout`).as);
  });

  describe("against sites that decode up to twice", () => {
    /** Room by first segment of what the site reads; "" = any other. */
    const tables: [string, Record<string, string>, Record<string, string>][] = [
      ["one room", { till: "h/checkout" }, { checkout: "till" }],
      ["two rooms side by side", { till: "h/checkout", tickets: "h/tickets" }, { checkout: "till", tickets: "tickets" }],
      ["a room inside another", { all: "h/", till: "h/checkout" }, { checkout: "till", "": "all" }],
    ];

    test.each(tables)("[URL-6] C54 %s: what the site serves as a room's page is that room's, or disputed", (_, rooms, owners) => {
      const table = tableOf(rooms);
      fc.assert(
        fc.property(hostilePath, fc.constantFrom(...sites), (path, site) => {
          const url = canonicalUrl(`http://h${path}`);
          const owner = url && (owners[segmentsOf(url.path, site)[0] ?? ""] ?? owners[""]);
          if (!owner) return;
          const found = lookUp(table, url);
          expect(found.as === "disputed" ? owner : found.as === "room" && found.room).toBe(owner);
        }),
        { numRuns: 5_000 },
      );
    });
  });
});
