/** Bypass rules: which requests they open the room to, what is refused and warned of, and how a known sender signs. */
import { describe, expect, test } from "vitest";
import { type BypassFacts, compileRules, letsAnybodyRead, rulesFor } from "../../src/core/bypass";
import { lintBypassRules } from "../../src/core/bypass-lint";
import { type BypassTable, toBypassRule } from "../../src/core/bypass-schema";
import { bypassText, readBypassHeader } from "../../src/core/bypass-signature";
import { canonicalUrl } from "../../src/core/canonical-url";
import { parseRoom } from "../../src/core/settings";
import { warningsOf } from "../../src/core/settings-warnings";
import { readBypassKeys } from "../../src/env";

const base = { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 };

function problemsOf(rules: unknown, changes: object = {}): string[] {
  const parsed = parseRoom("shop", { ...base, ...changes, bypass_rules: rules });
  return parsed.ok ? [] : parsed.problems.map(({ setting, problem }) => `${setting} ${problem}`);
}

/** Does one of these rules hold for the request, as far as no secret is asked for? */
function opens(rules: readonly BypassTable[], url: string, facts: Partial<BypassFacts> = {}): boolean {
  const canonical = canonicalUrl(`https://shop.example.com${url}`);
  if (canonical === null) throw new Error(url);
  const all = { url: canonical, method: "GET", ip: "192.0.2.1", verifiedBot: false, cookie: () => [], ...facts };
  return rulesFor(compileRules(rules.map(toBypassRule)), all).length > 0;
}

const HOOK: BypassTable = { path: "/hooks/pay" };
const ROBOTS: BypassTable = { path: "/robots.txt", exact: true };

/** Ways by which names that are open led to pages that are not (G8). */
const DETOURS = [
  "/robots.txt/../checkout",
  "/robots.txt/..;/checkout",
  "/robots.txt/..%2fcheckout",
  "/robots.txt/%2e%2e/checkout",
  "/robots.txt/..%5ccheckout",
  "/robots.txt%2f..%2fcheckout",
  "/robots.txt%00/checkout",
  "/robots.txt/.%00./checkout",
  "/robots.txt/..%c0%afcheckout",
  "/robots.txt%252f..%252fcheckout",
  "/robots.txt/..%20/checkout",
  "/robots.txt%3f/../checkout",
  "/checkout/robots.txt",
  "/checkout;/robots.txt",
  "/checkout?x=/robots.txt",
  "/checkout%3f/robots.txt",
  "/checkout#/robots.txt",
  "/robots.txt;x=/checkout",
  "/robots.txtx",
  "/ROBOTS.TXT",
  "/robots.txt.",
  "/robots.txt%20",
  "/robots.txt/checkout",
];

describe("a path", () => {
  test("[BYPASS-1] G8 a rule opens its own path in the spelling that reaches the site, and nothing that leads past it", () => {
    const own = ["/robots.txt", "/robots.txt?x=/checkout", "//robots.txt", "/x/../robots.txt", "/r%6fbots.txt"];
    expect(own.filter((path) => !opens([ROBOTS], path))).toEqual([]);
    expect(DETOURS.filter((path) => opens([ROBOTS], path))).toEqual([]);
  });

  test("[BYPASS-1] G8 a prefix ends at a segment's border; what servers read in several ways lies under none", () => {
    const under = ["/hooks/pay", "/hooks/pay/", "/hooks/pay/a", "/hooks/pay/a/b?c", "/hooks//pay/a", "/hooks/pay/%C3%A4"];
    expect(under.filter((path) => !opens([HOOK], path))).toEqual([]);
    const other = ["/hooks/payments", "/hooks", "/Hooks/pay", "/hooks/pay/..", "/hooks/pay/..%2f..%2fcheckout", "/hooks/pay/..;/checkout"];
    expect(other.filter((path) => opens([HOOK], path))).toEqual([]);
    expect(opens([{ path: "/hooks/pay", exact: true }], "/hooks/pay/")).toBe(true);
    expect(opens([{ path: "/%C3%A4" }], "/%c3%a4/x")).toBe(true);
    expect(opens([{ methods: ["GET"] }], "/%2e%2e%2fcheckout")).toBe(false);
    // `／`, `．`, `‥` and `＼`, to servers that fold such characters into those of ASCII; as letters of a name they are fine.
    const wide = [
      "/hooks/pay/..／checkout",
      "/hooks/pay/．．/checkout",
      "/hooks/pay/‥/checkout",
      "/hooks/pay/..＼checkout",
      "/hooks/pay/a／..",
    ];
    expect(wide.map(encodeURI).filter((path) => opens([HOOK], path))).toEqual([]);
    expect(opens([HOOK], encodeURI("/hooks/pay/Fate／stay…night．jp"))).toBe(true);
  });

  test("[BYPASS-2] W10 a hundred rules of 256 characters against a path of 10 kB are compared in one go", () => {
    const rules = Array.from({ length: 100 }, (_, i) => ({ path: `/${"a+".repeat(125)}${i}` }));
    expect(problemsOf(rules)).toEqual([]);
    expect(opens(rules, `/${"a".repeat(10_000)}`)).toBe(false);
    expect(opens(rules, `/${"a+".repeat(125)}99/${"a".repeat(10_000)}`)).toBe(true);
  });
});

describe("conditions", () => {
  test("[BYPASS-1] all of a rule must hold", () => {
    const rule: BypassTable = { path: "/hooks", methods: ["POST"], networks: ["198.51.100.0/24"], cookie: "partner" };
    const right = { method: "POST", ip: "198.51.100.7", cookie: (name: string) => (name === "partner" ? ["x"] : []) };
    expect(opens([rule], "/hooks/a", right)).toBe(true);
    expect(opens([rule], "/other", right)).toBe(false);
    expect(opens([rule], "/hooks/a", { ...right, method: "GET" })).toBe(false);
    expect(opens([rule], "/hooks/a", { ...right, ip: "198.51.101.7" })).toBe(false);
    expect(opens([rule], "/hooks/a", { ...right, ip: null })).toBe(false);
    expect(opens([rule], "/hooks/a", { ...right, cookie: () => [] })).toBe(false);
  });

  test("[BYPASS-1] G8 a verified bot is one that the platform names, never one by its words", () => {
    expect(opens([{ verified_bot: true }], "/", { verifiedBot: true })).toBe(true);
    expect(opens([{ verified_bot: true }], "/")).toBe(false);
  });

  test("[BYPASS-3] a signature is one line of time, key and MAC; it counts for a minute before and after", () => {
    const mac = "A".repeat(43);
    const header = (t: number) => `t=${t}, key=partner, mac=${mac}`;
    expect(readBypassHeader(header(1_000), 1_000)).toEqual({ atS: 1_000, key: "partner", mac });
    expect([940, 1_060].map((t) => readBypassHeader(header(t), 1_000)?.atS)).toEqual([940, 1_060]);
    expect([939, 1_061].map((t) => readBypassHeader(header(t), 1_000))).toEqual([null, null]);
    const bad = [
      null,
      "",
      `${header(1_000)} `,
      `key=partner, t=1000, mac=${mac}`,
      `t=1000, key=Partner, mac=${mac}`,
      `t=1e3, key=partner, mac=${mac}`,
    ];
    expect(bad.map((text) => readBypassHeader(text, 1_000))).toEqual(bad.map(() => null));
    expect(bypassText(1_000, "POST", "shop.example.com", "/a?b")).toBe("vestibule-bypass-1\n1000\nPOST\nshop.example.com\n/a?b");
  });
});

describe("settings", () => {
  test("[BYPASS-2] W10 a hundred rules and 256 characters are the limit; each fault is told by the rule's number", () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => ({ path: `/hooks/${i}` }));
    expect(problemsOf(many(100))).toEqual([]);
    expect(problemsOf(many(101))[0]).toContain("at most 100 tables");
    expect(problemsOf([{ path: `/${"a".repeat(255)}` }])).toEqual([]);
    expect(problemsOf([{ path: `/${"a".repeat(256)}` }])[0]).toContain("entry 1, path: must be a path of at most 256 characters");
    const wrong: [object, string][] = [
      [{}, "at least one condition"],
      [{ description: "nothing else" }, "at least one condition"],
      [{ path: "/a/*" }, 'without "*"'],
      [{ path: "a" }, "a path such as"],
      [{ path: "/%2fa" }, "%2f"],
      [{ path: "/__vestibule/x" }, "Vestibule's own"],
      [{ path: "/(a+)+$", user_agent: "Googlebot" }, "a table with path"],
      [{ exact: true, methods: ["GET"] }, "with path, where it has exact"],
      [{ methods: [] }, "a list of GET"],
      [{ methods: ["TRACE"] }, "a list of GET"],
      [{ methods: ["get"] }, "a list of GET"],
      [{ networks: [] }, "at least one network"],
      [{ networks: ["10.0.0.1/8"] }, "the network itself"],
      [{ signed_by: "A b" }, "BYPASS_KEYS"],
      [{ cookie: "a=b" }, "name of a cookie"],
      [{ cookie: "vestibule-pass.shop" }, "our own cookies"],
      [{ cookie: "__Host-vestibule.shop", cookie_value: "x" }, "our own cookies"],
      [{ path: "/a", cookie_value: "x" }, "with cookie, where it has cookie_value"],
      [{ cookie: "a", cookie_value: "" }, "1 to 256"],
      [{ verified_bot: false }, "true, or left out"],
    ];
    for (const [rule] of wrong)
      expect([rule, problemsOf([HOOK, rule])]).toEqual([rule, [expect.stringMatching(/^bypass_rules entry 2|^bypass_rules must/)]]);
    for (const [rule, words] of wrong) expect(problemsOf([HOOK, rule])[0]).toContain(words);
  });

  test("[BYPASS-4] a log-in within the room is taken once a rule opens it to everybody, else refused", () => {
    const login = { identity_login_url: "/account/login" };
    const refused = [
      [],
      [{ path: "/account", methods: ["POST"] }],
      [{ path: "/account", networks: ["192.0.2.0/24"] }],
      [{ path: "/account", exact: true }],
    ];
    for (const rules of refused)
      expect(problemsOf(rules, login)).toEqual([expect.stringContaining("identity_login_url is /account/login, which the room protects")]);
    for (const rules of [[{ path: "/account" }], [{ path: "/account/login", methods: ["GET", "POST"], exact: true }]])
      expect(problemsOf(rules, login)).toEqual([]);
    expect(letsAnybodyRead(toBypassRule({ path: "/account", cookie: "x" }), "/account/login")).toBe(false);
  });

  test("[BYPASS-3] BYPASS_KEYS: every key that a rule names, long and random, told by name and never shown", () => {
    const parsed = parseRoom("shop", { ...base, bypass_rules: [{ signed_by: "partner" }, { token_of: "monitor" }] });
    if (!parsed.ok) throw new Error();
    const rooms = new Map([["shop", { settings: parsed.settings, operator: {}, raw: {} }]]);
    const key = (seed: string) => `${seed}-q8Zk3vXw9LmN2pRt5yBc7dFg4hJ6`;
    const read = (raw: unknown) => readBypassKeys(raw, rooms);
    const good = read(`partner:${key("abc")}, monitor:${key("xyz")}`);
    expect(good.ok && [...good.value]).toEqual([
      ["partner", key("abc")],
      ["monitor", key("xyz")],
    ]);
    const bad: [unknown, string][] = [
      [undefined, "has no key partner, monitor, which bypass_rules of room shop ask for"],
      [`partner:${key("abc")}`, "has no key monitor"],
      [`partner:${key("abc")},monitor:short`, "shorter than 32"],
      [`partner:${key("abc")},monitor:${"ab".repeat(20)}`, "can be guessed"],
      [`partner:${key("abc")},partner:${key("abd")},monitor:${key("xyz")}`, "lists partner twice"],
      [`Partner:${key("abc")}`, "entry 1 is not name:key"],
      [Array.from({ length: 17 }, (_, i) => `k${i}:${key(`a${i}`)}`).join(","), "more than 16"],
    ];
    for (const [raw, words] of bad) {
      const result = read(raw);
      const told = result.ok ? "" : result.problems.map(({ setting, problem }) => `${setting} ${problem}`).join("; ");
      expect(told).toContain(words);
      expect(told).not.toContain("q8Zk3v");
    }
  });
});

describe("the linter", () => {
  function lint(rules: readonly BypassTable[], routes = [{ host: "shop.example.com", path: "/" }]): string[] {
    return lintBypassRules({ bypassRules: rules.map(toBypassRule), routes }).map(({ setting, warning }) => `${setting} ${warning}`);
  }
  const NET = ["198.51.100.0/24"];

  test("[BYPASS-5] says nothing of rules that are as they should be", () => {
    const good: BypassTable[] = [
      { path: "/hooks/pay", methods: ["POST"] },
      { path: "/health", exact: true, methods: ["GET", "HEAD"] },
      { path: "/feeds", methods: ["GET"], token_of: "monitor" },
      { networks: NET },
      { signed_by: "partner" },
      { verified_bot: true, methods: ["GET"] },
      { path: "/checkout/callback", methods: ["POST"] },
      { cookie: "staff", cookie_value: "x8" },
    ];
    expect(lint(good)).toEqual([]);
  });

  test("[BYPASS-5] tells a rule that an earlier one covers, by its number", () => {
    const pairs: [BypassTable, BypassTable, boolean][] = [
      [{ path: "/a", methods: ["GET"] }, { path: "/a/b", methods: ["GET"], exact: true }, true],
      [{ path: "/a", methods: ["GET", "POST"] }, { path: "/a", methods: ["POST"], networks: NET }, true],
      [{ networks: NET }, { path: "/x", networks: NET, verified_bot: true }, true],
      [{ path: "/a", methods: ["GET"] }, { path: "/a", methods: ["GET", "POST"] }, false],
      [{ path: "/a", exact: true, methods: ["GET"] }, { path: "/a", methods: ["GET"] }, false],
      [{ path: "/a", networks: NET }, { path: "/a", methods: ["GET"] }, false],
      [{ path: "/a", signed_by: "k" }, { path: "/a", signed_by: "l" }, false],
      [{ path: "/a", token_of: "k" }, { path: "/a", signed_by: "k" }, false],
      [{ path: "/a", verified_bot: true }, { path: "/a", networks: NET }, false],
      [{ path: "/a", cookie: "c", cookie_value: "1" }, { path: "/a", cookie: "c", cookie_value: "2" }, false],
    ];
    for (const [earlier, later, isShadowed] of pairs) {
      const told = lint([earlier, later]).some((line) => line.startsWith("bypass_rules.2 is never reached: rule 1"));
      expect([earlier, later, told]).toEqual([earlier, later, isShadowed]);
    }
  });

  test("[BYPASS-5] tells rules that open the sale, everything, or to anybody", () => {
    const doubtful: [BypassTable, string][] = [
      [{ path: "/" }, "opens /, the room's own path"],
      [{ methods: ["GET"] }, "opens /, the room's own path"],
      [{ path: "/", exact: true, methods: ["GET"] }, "opens /, the room's own path"],
      [{ path: "/x", methods: ["GET"], cookie: "session" }, "a cookie by name alone"],
      [{ path: "/cart", methods: ["POST"] }, "part of the sale itself"],
      [{ path: "/Tickets/list", methods: ["GET"] }, "part of the sale itself"],
      [{ path: "/assets" }, "to every method"],
      [{ networks: ["0.0.0.0/0"] }, "0.0.0.0/0 for known senders"],
      [{ networks: ["2001::/16"] }, "2001::/16 for known senders"],
      [{ path: "/x", signed_by: "k", token_of: "k" }, "the key itself"],
    ];
    for (const [rule] of doubtful) expect([rule, lint([rule])]).toEqual([rule, [expect.stringContaining(`bypass_rules.1 `)]]);
    for (const [rule, words] of doubtful) expect(lint([rule])[0]).toContain(words);
    const checkout = [{ host: "a.test", path: "/checkout" }];
    expect(lint([{ path: "/Checkout", methods: ["GET"] }], checkout)[0]).toContain("the room's own path");
    expect(lint([{ path: "/hooks", methods: ["POST"] }], checkout)).toEqual([
      "bypass_rules.1 never applies: its path lies outside the room",
    ]);
  });

  test("[BYPASS-5] its words are among the room's warnings", () => {
    const parsed = parseRoom("shop", { ...base, bypass_rules: [HOOK] });
    if (!parsed.ok) throw new Error();
    expect(warningsOf(parsed, 0)).toEqual([{ setting: "bypass_rules.1", warning: expect.stringContaining("name the methods") }]);
  });
});
