/** Settings of rooms: what is refused, by which name and with which words; what comes out. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeProblems, mergeSettings, type Problem, parseRoom, parseRooms } from "../../src/core/settings";
import { DEPLOY_ONLY, FIXED_WHILE_OCCUPIED, NOT_BUILT, SETTINGS, VALUES_NOT_BUILT } from "../../src/core/settings-schema";

const base = { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 };

function problemsOf(settings: unknown): Problem[] {
  const parsed = parseRoom("shop", settings);
  return parsed.ok ? [] : parsed.problems;
}

/** The one problem of a room that is right but for `changes`. */
function refusal(changes: object): Problem {
  const [problem, ...others] = problemsOf({ ...base, ...changes });
  if (!problem || others.length > 0) throw new Error(`expected one problem, got ${JSON.stringify([problem, ...others])}`);
  return problem;
}

function settingsOf(changes: object) {
  const parsed = parseRoom("shop", { ...base, ...changes });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

describe("one room", () => {
  test("[SET-1] the three required settings are enough; every other has its default", () => {
    expect(settingsOf({})).toEqual({
      routes: [{ host: "shop.example.com", path: "/" }],
      totalActiveUsers: 100,
      newUsersPerMinute: 60,
      sessionDurationMs: 600_000,
      sessionMaxMs: 3_600_000,
      reentryWindowMs: 600_000,
      passRefreshMs: 30_000,
      reserveMs: 20_000,
      claimWindowMs: 180_000,
      maxCalls: 3,
      absentAfterMs: 200_000,
      pollNearMs: 3_000,
      pollFarMs: 60_000,
      queueCapacity: null,
      revokeBoundMs: 5_000,
      cookieMaxAgeMs: 86_400_000,
      queueAll: false,
      suspended: false,
      mode: "active",
      queueingMethod: "fifo",
      shuffleWindowMs: 2_000,
      events: [],
      closedOutsideEvents: false,
      beacon: "drand",
      beaconWaitMs: 60_000,
      settleMs: 120_000,
      queueingStatusCode: 200,
      jsonResponseEnabled: false,
      enabledOriginCommands: [],
      slowDown: null,
      webhooks: [],
      tellWaitOverMinutes: 30,
      tellErrorsOverPercent: 5,
      expectedVisitors: 0,
      workersPlan: "unknown",
      failurePolicy: "closed",
      openAfterMs: 60_000,
      entry: "open",
      identity: {
        cookie: null,
        header: null,
        issuer: "",
        audience: "",
        claim: "sub",
        jwksUrl: null,
        jwksRefetchMs: 30_000,
        loginUrl: null,
      },
      challenge: "off",
      challengeEveryone: false,
      joinLimitPerMinute: 0,
      joinLimitAddressPerMinute: 0,
      joinLimitWidePerMinute: 0,
      overLimit: "challenge",
      freeEntries: 0,
      underAttackJoinsPerMinute: 0,
      trustedNetworks: [],
      refusedNetworks: [],
      turnstile: { sitekey: "", action: "vestibule", outage: "pow" },
      bypassRules: [],
      awsEventId: null,
      corsOrigins: [],
      staffPlaces: 0,
      publicTotals: "rounded",
      cookieDomain: null,
      bindNetwork: "off",
      partitionedCookies: false,
      frameAncestors: [],
      title: "",
      message: "",
      messages: {},
      defaultLanguage: "en",
      words: {},
      positionDisplay: "exact",
      look: {
        accentColor: null,
        accentColorDark: null,
        backgroundColor: null,
        backgroundColorDark: null,
        colorScheme: "auto",
        logo: null,
        template: null,
        logoAlt: "",
        templateOrigins: [],
      },
      locationHint: null,
    });
  });

  test("[PROXY-10] W12 frame_ancestors: exact origins; nothing in them ends a directive or a header", () => {
    expect(settingsOf({ frame_ancestors: ["https://Portal.example.com/", "http://localhost:3000"] }).frameAncestors).toEqual([
      "https://portal.example.com",
      "http://localhost:3000",
    ]);
    const wrong = [
      "*",
      "'self'",
      "https://*.example.com",
      "https://a.example;sandbox",
      "https://a.example,default-src",
      "https://a'b.example",
      "data:",
    ];
    for (const origin of wrong) expect([origin, refusal({ frame_ancestors: [origin] }).setting]).toEqual([origin, "frame_ancestors"]);
    expect(refusal({ frame_ancestors: Array(17).fill("https://a.example") }).problem).toContain("at most 16");
  });

  test("[CORS-4] cors_origins: exact origins in the browser's spelling, at most 32, no pattern", () => {
    expect(settingsOf({ cors_origins: ["https://App.example.com:443", "http://localhost:3000/"] }).corsOrigins).toEqual([
      "https://app.example.com",
      "http://localhost:3000",
    ]);
    const wrong = [
      "*",
      "null",
      "app.example.com",
      "https://*.example.com",
      "https://app.example.com/x",
      "https://u@app.example.com",
      "ftp://a.test",
      "",
    ];
    for (const origin of wrong) expect([origin, refusal({ cors_origins: [origin] }).setting]).toEqual([origin, "cors_origins"]);
    const many = (n: number) => Array.from({ length: n }, (_, i) => `https://a${i}.test`);
    expect(settingsOf({ cors_origins: many(32) }).corsOrigins).toHaveLength(32);
    expect(refusal({ cors_origins: many(33) }).problem).toContain("at most 32");
  });

  test("[SET-1] all problems are reported at once, each by name", () => {
    const problems = problemsOf({
      total_active_users: "5",
      new_users_per_minute: -1,
      hots: "x",
      mode: "waiting",
      max_calls: 0,
      poll_far_seconds: 300,
      settle_seconds: 400,
    });
    expect(problems.map((one) => one.setting).sort()).toEqual(
      ["absent_after_seconds", "host", "hots", "max_calls", "mode", "new_users_per_minute", "total_active_users"].sort(),
    );
  });

  test.each(Object.keys(base))("[SET-1] a room without %s is refused, saying what it must be", (name) => {
    expect(refusal({ [name]: undefined })).toEqual({ setting: name, problem: expect.stringMatching(/^is missing; it must be /) });
  });

  test.each([null, 7, "shop", [], new Date(0)])("[SET-1] a room that is %j instead of a table is refused", (raw) => {
    expect(problemsOf(raw)).toEqual([{ setting: "shop", problem: expect.stringContaining("must be a table of settings") }]);
  });

  test.each([
    ["total_active_user", "total_active_users", "whole number"],
    ["new-users-per-minute", "new_users_per_minute", "people per minute"],
    ["Queue_All", "queue_all", "true or false"],
    ["sesion_duration", "session_duration", "minutes"],
  ])("[SET-2] the unknown name %s is refused with the nearest, %s, and what that allows", (name, near, allowed) => {
    const { setting, problem } = refusal({ [name]: 1 });
    expect(setting).toBe(name);
    expect(problem).toContain(`is not a setting; the nearest is ${near}: `);
    expect(problem).toContain(allowed);
  });

  test("[SET-2] an unknown name that resembles nothing is refused with all names", () => {
    const { problem } = refusal({ zzzzzzzz: 1 });
    for (const name of Object.keys(SETTINGS)) expect(problem).toContain(name);
  });

  test.each([...NOT_BUILT.keys()])("[SET-2] %s is refused as not built yet, whatever its value", (name) => {
    for (const value of [true, false, 0, null, "", [], {}])
      expect(refusal({ [name]: value })).toEqual({ setting: name, problem: expect.stringContaining("not built yet") });
    expect(name in SETTINGS).toBe(false);
  });

  test.each([...VALUES_NOT_BUILT].flatMap(([name, values]) => values.map((value) => [name, value])))(
    "[SET-2] %s = %j is refused as not built yet",
    (name, value) => {
      expect(refusal({ [String(name)]: value })).toEqual({ setting: name, problem: expect.stringContaining("not built yet; it must be ") });
    },
  );

  const numbers = Object.entries(SETTINGS).flatMap(([name, setting]) =>
    /number/.test(setting.allowed) ? [[name, setting.allowed] as const] : [],
  );
  test.each(numbers)("[SET-3] O11 %s refuses what is no sensible number, saying what is allowed and the unit", (name, allowed) => {
    for (const value of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      -1,
      -0.001,
      1e9,
      "5",
      "",
      null,
      true,
      [],
      {},
      new Date(0),
      5n,
    ]) {
      const problems = problemsOf({ ...base, [name]: value }).filter((one) => one.setting === name);
      expect(problems).toEqual([{ setting: name, problem: expect.stringContaining(`must be ${allowed}, not `) }]);
    }
    expect(allowed).toMatch(
      /\((?:seconds|minutes|hours|percent|people|people per minute|calls|new places per minute|entries|attempts to join per minute)\b/,
    );
  });

  test("[SET-3] numbers as text and bare dates are named as such", () => {
    expect(refusal({ session_duration: "10" }).problem).toContain('not the text "10"; write numbers without quotes');
    expect(refusal({ title: new Date(0) }).problem).toContain("a bare date");
    expect(refusal({ new_users_per_minute: 0.001 }).problem).toContain("0, or a number from 0.01");
    expect(refusal({ max_calls: 2.5 }).problem).toContain("whole number");
  });

  test("[SET-3] an explicit 0 is 0, not the default", () => {
    const settings = settingsOf({ new_users_per_minute: 0, reentry_window_minutes: 0, join_limit_per_minute: 0, queue_capacity: 0 });
    expect(settings).toMatchObject({ newUsersPerMinute: 0, reentryWindowMs: 0, joinLimitPerMinute: 0, queueCapacity: 0 });
    expect(refusal({ total_active_users: 0 }).problem).toContain("queue_all = true");
  });

  test.each([
    [{ queueing_status_code: 404 }, "queueing_status_code", "200, 202, 429, 503"],
    [{ queueing_status_code: "200" }, "queueing_status_code", "200, 202, 429, 503"],
    [{ public_totals: "Exact" }, "public_totals", '"exact", "rounded", "hidden"'],
    [{ queue_all: "true" }, "queue_all", "true or false"],
    [{ suspended: 1 }, "suspended", "true or false"],
    [{ queueing_method: "lifo" }, "queueing_method", '"fifo"'],
    [{ location_hint: "eu" }, "location_hint", '"weur"'],
    [{ queue_capacity: "none" }, "queue_capacity", '"off", or a whole number'],
    [{ trusted_networks: "10.0.0.0/8" }, "trusted_networks", "a list of at most 64 networks"],
    [{ trusted_networks: ["10.0.0.0/8", "10.0.0.1/8"] }, "trusted_networks", 'entry 2: must be the network itself: "10.0.0.0/8"'],
    [{ trusted_networks: [7] }, "trusted_networks", "entry 1: must be a list of at most 64 networks"],
    [{ title: "x".repeat(81) }, "title", "at most 80 characters"],
    [{ title: "two\nlines" }, "title", "on one line"],
    [{ message: "x".repeat(281) }, "message", "at most 280 characters"],
    [{ message: "bell\u0007" }, "message", "at most 280 characters"],
    [{ host: "https://shop.example.com" }, "host", "without scheme, port or path"],
    [{ host: "shop.example.com:8080" }, "host", "without scheme, port or path"],
    [{ host: "shop.example.com/checkout" }, "host", "without scheme, port or path"],
    [{ host: "*.example.com" }, "host", "name each host"],
    [{ host: "" }, "host", "a host name"],
    [{ path: "checkout" }, "path", 'a path such as "/" or "/checkout"'],
    [{ path: "/checkout/*" }, "path", 'without "*"'],
    [{ path: "/checkout?a=1" }, "path", "without query"],
    [{ path: "/a%2fb" }, "path", "%2f"],
    [{ path: "/a;b" }, "path", '";"'],
    [{ path: "/checkout." }, "path", "a dot at the end"],
    [{ path: "/__vestibule/x" }, "path", "Vestibule's own"],
    [{ path: "/__VESTIBULE" }, "path", "Vestibule's own"],
    [{ additional_routes: { host: "a.example" } }, "additional_routes", "a list of at most 32 tables { host, path }"],
    [{ additional_routes: [{ host: "a.example" }, { host: "b.example:1" }] }, "additional_routes", "entry 2, host: must be a host name"],
    [{ additional_routes: [{ host: "a.example", pth: "/" }] }, "additional_routes", "entry 1, pth: must be a list"],
    [{ cookie_domain: "com" }, "cookie_domain", "at least one dot"],
    [{ cookie_domain: "127.0.0.1" }, "cookie_domain", "not an address"],
    [{ cookie_domain: ".example.com" }, "cookie_domain", "a host name"],
  ])("[SET-1] %j is refused by name, saying what is allowed", (changes, name, allowed) => {
    expect(refusal(changes)).toEqual({ setting: name, problem: expect.stringContaining(allowed) });
  });

  test.each([
    [{ absent_after_seconds: 189 }, "absent_after_seconds", ["189 seconds", "2 × poll_far_seconds + 70 = 190 seconds"]],
    [{ poll_far_seconds: 90 }, "absent_after_seconds", ["200 seconds", "250 seconds", "lower poll_far_seconds"]],
    [{ settle_seconds: 99 }, "settle_seconds", ["99 seconds", "at least 100", "0 = off"]],
    [{ settle_seconds: 100, poll_far_seconds: 100, absent_after_seconds: 300 }, "settle_seconds", ["100 seconds", "125 seconds"]],
    [{ queueing_method: "passthrough", closed_outside_events: true }, "queueing_method", ["passthrough", "closed_outside_events = true"]],
    [{ claim_window_seconds: 149 }, "claim_window_seconds", ["from 150", "seconds", "not 149"]],
    [{ session_duration: 0.25 }, "pass_refresh_seconds", ["30 seconds", "15 seconds", "lower it to 5 seconds or less", "1.5 minutes"]],
    [{ pass_refresh_seconds: 201 }, "pass_refresh_seconds", ["201 seconds", "600 seconds", "lower it to 200 seconds or less"]],
    [{ session_max_minutes: 9 }, "session_max_minutes", ["9 minutes", "10 minutes"]],
    [
      { session_max_minutes: 1_001, pass_refresh_seconds: 1 },
      "session_max_minutes",
      ["1001 minutes", "1,000 × pass_refresh_seconds, which is 1000 minutes", "2 seconds or more"],
    ],
    [{ poll_near_seconds: 9, poll_far_seconds: 8 }, "poll_near_seconds", ["9 seconds", "8 seconds"]],
    [{ poll_near_seconds: 11 }, "reserve_seconds", ["20 seconds", "2 × poll_near_seconds (22 seconds)"]],
    [{ reserve_seconds: 181 }, "reserve_seconds", ["181 seconds", "claim_window_seconds (180 seconds)"]],
    [{ session_max_minutes: 1_441 }, "cookie_max_age_hours", ["24 hours", "1441 minutes"]],
    [
      { cookie_domain: "example.com", additional_routes: [{ host: "shop.example.org" }] },
      "cookie_domain",
      ["example.com", "shop.example.org"],
    ],
    [{ cookie_domain: "op.example.com" }, "cookie_domain", ["op.example.com", "shop.example.com"]],
    [{ host: "*", cookie_domain: "example.com" }, "cookie_domain", ["*"]],
    [{ join_limit_per_minute: 600 }, "over_limit", ["600 per minute", "set challenge", 'over_limit = "refuse"']],
    [{ join_limit_address_per_minute: 1 }, "over_limit", ["join_limit_address_per_minute is 1"]],
    [{ join_limit_wide_per_minute: 1 }, "over_limit", ["join_limit_wide_per_minute is 1"]],
    [{ challenge_everyone: true }, "challenge_everyone", ["challenge is off"]],
    [{ free_entries: 5 }, "free_entries", ["is 5", "challenge is off"]],
    [{ under_attack_joins_per_minute: 900 }, "under_attack_joins_per_minute", ["is 900", "challenge is off"]],
  ])("[SET-4] %j breaks a bond between settings: refused by name with both numbers and the unit", (changes, name, words) => {
    const { setting, problem } = refusal(changes);
    expect(setting).toBe(name);
    for (const word of words) expect(problem).toContain(word);
  });

  test("[SET-4] values exactly at the bonds are accepted", () => {
    settingsOf({ absent_after_seconds: 190 });
    settingsOf({ pass_refresh_seconds: 200 });
    settingsOf({ settle_seconds: 0 });
    settingsOf({ settle_seconds: 100, poll_far_seconds: 80, absent_after_seconds: 300 });
    settingsOf({ settle_seconds: 102.5, poll_far_seconds: 82, absent_after_seconds: 300 });
    settingsOf({ queueing_method: "passthrough" });
    settingsOf({ suspended: true, closed_outside_events: true });
    settingsOf({ session_max_minutes: 10 });
    settingsOf({ session_max_minutes: 1_000, pass_refresh_seconds: 1 });
    settingsOf({ poll_near_seconds: 10, poll_far_seconds: 10 });
    settingsOf({ reserve_seconds: 180 });
    settingsOf({ session_max_minutes: 1_440 });
    settingsOf({ join_limit_per_minute: 600, join_limit_address_per_minute: 1, join_limit_wide_per_minute: 1, over_limit: "refuse" });
    settingsOf({ cookie_domain: "example.com", additional_routes: [{ host: "example.com" }, { host: "a.b.example.com" }] });
  });

  test("[SET-4] a bond is not reported on top of a value that is wrong by itself", () => {
    expect(refusal({ poll_far_seconds: 6_000 }).setting).toBe("poll_far_seconds");
  });

  test("[SET-4] sessions of seconds are allowed, once pass_refresh_seconds is lowered as the refusal says", () => {
    expect(refusal({ session_duration: 0.05 }).problem).toContain("lower it to 1 seconds or less");
    expect(settingsOf({ session_duration: 0.05, pass_refresh_seconds: 1, new_users_per_minute: 0.5 })).toMatchObject({
      sessionDurationMs: 3_000,
      passRefreshMs: 1_000,
      newUsersPerMinute: 0.5,
    });
  });

  test("[SET-5] W9 __proto__ and constructor are names like any other: refused, and no prototype changes", () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "toString": 1}') as object;
    const raw = Object.fromEntries([...Object.entries(base), ...Object.entries(hostile)]);
    expect(problemsOf(raw).map((one) => one.setting)).toEqual(["__proto__", "constructor", "toString"]);
    expect(problemsOf(mergeSettings(base, hostile as Record<string, unknown>)).map((one) => one.setting)).toEqual([
      "__proto__",
      "constructor",
      "toString",
    ]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("[SET-5] W9 any JSON whatever is accepted or refused, never thrown on, and never both", () => {
    const value = fc.oneof(fc.jsonValue(), fc.double(), fc.constantFrom(0, 1, 60, "off", true, "*"));
    const raw = fc.dictionary(fc.constantFrom(...Object.keys(SETTINGS), "__proto__", "x"), value, { maxKeys: 12 });
    fc.assert(
      fc.property(raw, fc.boolean(), (given, complete) => {
        const parsed = parseRoom("r", complete ? Object.fromEntries([...Object.entries(base), ...Object.entries(given)]) : given);
        if (!parsed.ok) expect(parsed.problems.length).toBeGreaterThan(0);
        else expect(parseRoom("r", parsed.operator)).toEqual(parsed);
      }),
      { numRuns: 1_000 },
    );
  });

  test("[SET-5] the host and paths come out in their one spelling", () => {
    const { routes } = settingsOf({
      host: "SHOP.Example.com.",
      path: "/%63heckout//",
      additional_routes: [{ host: "bücher.example" }, { host: "[::1]", path: "/a/" }],
    });
    expect(routes).toEqual([
      { host: "shop.example.com", path: "/checkout" },
      { host: "xn--bcher-kva.example", path: "/" },
      { host: "[::1]", path: "/a" },
    ]);
  });
});

describe("live values over the file's", () => {
  const file = { ...base, message: "from the file", queue_all: true, queue_capacity: 50 };

  test("[SET-7] named values win, unnamed stay, null goes back to the file's, 0 and false count as values", () => {
    expect(mergeSettings(file, { new_users_per_minute: 0, queue_all: false, message: null, queue_capacity: "off", title: "live" })).toEqual(
      {
        ...file,
        new_users_per_minute: 0,
        queue_all: false,
        queue_capacity: "off",
        title: "live",
      },
    );
    expect(file.queue_all).toBe(true);
  });

  test("[SET-7] what a room shows can be put back unchanged", () => {
    const first = parseRoom("shop", file);
    if (!first.ok) throw new Error("refused");
    expect(parseRoom("shop", mergeSettings(file, first.operator))).toEqual(first);
    expect(Object.keys(first.operator)).toEqual(Object.keys(SETTINGS));
  });

  test("[SET-7] a change of the deployment's settings is refused by name, always", () => {
    for (const name of DEPLOY_ONLY)
      expect(changeProblems({ [name]: null }, false)).toEqual([{ setting: name, problem: expect.stringContaining("wrangler.toml") }]);
  });

  test("[SET-7] what cookies hang on changes only while nobody waits or is inside", () => {
    for (const name of FIXED_WHILE_OCCUPIED) {
      expect(changeProblems({ [name]: "" }, false)).toEqual([]);
      expect(changeProblems({ [name]: "" }, true)).toEqual([
        { setting: name, problem: expect.stringContaining("while anyone waits or is inside") },
      ]);
    }
  });

  test("[SET-7] a change with unknown or not yet built names is refused even where it says null; others may change any time", () => {
    expect(
      changeProblems({ nonsense: null, trusted_proxies: null, new_users_per_minute: 5, message: null }, true).map((one) => one.setting),
    ).toEqual(["nonsense", "trusted_proxies"]);
  });
});

describe("all rooms", () => {
  const problems = (raw: unknown) => {
    const parsed = parseRooms(raw);
    return parsed.ok ? [] : parsed.problems;
  };

  test("[SET-6] a table and the same table as JSON text give the same rooms", () => {
    const raw = { shop: base, "till-2": { ...base, path: "/checkout" }, constructor: { ...base, host: "c.example" } };
    const parsed = parseRooms(raw);
    expect(parsed.ok && [...parsed.rooms.keys()]).toEqual(["shop", "till-2", "constructor"]);
    expect(parsed.ok && parsed.rooms.get("shop")?.raw).toEqual(base);
    expect(parseRooms(JSON.stringify(raw))).toEqual(parsed);
  });

  test.each([undefined, null, "", "{", "[]", "7", {}, [], 7])("[SET-6] %j holds no rooms and is refused", (raw) => {
    expect(problems(raw)).toEqual([{ setting: "ROOMS", problem: expect.stringContaining("[vars.ROOMS.<name>]") }]);
  });

  test("[SET-6] problems of all rooms are reported at once, as ROOMS.<room>.<setting>", () => {
    expect(problems({ a: { ...base, max_calls: 0 }, b: { ...base, host: "b.example", mode: 1 }, c: 7 }).map((one) => one.setting)).toEqual([
      "ROOMS.a.max_calls",
      "ROOMS.b.mode",
      "ROOMS.c",
    ]);
  });

  test.each(["", "Shop", "a_b", "a.b", "ä", "x".repeat(33), "__proto__"])("[SET-6] a room cannot be named %j", (name) => {
    const raw = Object.fromEntries([[name, base]]);
    expect(problems(raw)).toEqual([{ setting: `ROOMS.${name}`, problem: expect.stringContaining("1 to 32 of a–z, 0–9 and -") }]);
  });

  test("[SET-6] W7 names that differ only in case are one name", () => {
    expect(problems({ shop: base, SHOP: { ...base, host: "b.example" } }).map((one) => one.problem)).toContain(
      "differs from another room's name only in case",
    );
  });

  test("[SET-6] two rooms cannot have the same place, nor one room twice", () => {
    expect(problems({ a: { ...base, path: "/x" }, b: { ...base, path: "/X/" } })).toEqual([
      { setting: "ROOMS.b", problem: expect.stringContaining("room a has already") },
    ]);
    expect(problems({ a: { ...base, additional_routes: [{ host: base.host }] } })).toEqual([
      { setting: "ROOMS.a", problem: expect.stringContaining("it has already") },
    ]);
  });

  test.each([
    ["/a", "/a%20"],
    ["/über", "/Über"],
    ["/caf\u00e9", "/cafe\u0301"],
  ])("[SET-6] [URL-7] %j and %j are one place, as they are to whoever comes", (one, other) => {
    expect(problems({ a: { ...base, path: one }, b: { ...base, path: other } })).toEqual([
      { setting: "ROOMS.b", problem: expect.stringContaining("room a has already") },
    ]);
  });

  test("[SET-6] T7 eight rooms fit on a host, a ninth is refused", () => {
    const rooms = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`r${i}`, { ...base, path: `/${i}` }]));
    expect(problems(rooms(8))).toEqual([]);
    expect(problems(rooms(9))).toEqual([{ setting: "ROOMS", problem: expect.stringContaining("9 rooms on shop.example.com; at most 8") }]);
    expect(problems({ ...rooms(8), other: { ...base, host: "b.example" } })).toEqual([]);
  });
});

test("[SET-3] presets have a name each, once, and a number", () => {
  const soft = { name: "Soft start", new_users_per_minute: 60 };
  const parsed = parseRoom("shop", { ...base, presets: [soft, { name: "Max", total_active_users: 2_000 }] });
  expect(parsed.ok && parsed.operator["presets"]).toEqual([soft, { name: "Max", total_active_users: 2_000 }]);
  for (const wrong of [[soft, soft], [{ name: "Soft" }], [{ ...soft, name: "" }], [{ ...soft, rate: 1 }], Array(13).fill(soft)])
    expect(refusal({ presets: wrong }).setting).toMatch(/^presets/);
});

describe("slow_down", () => {
  const problemOf = (slow_down: unknown) => {
    const parsed = parseRoom("shop", { host: "shop.test", total_active_users: 5, new_users_per_minute: 60, slow_down });
    return parsed.ok ? parsed.operator["slow_down"] : parsed.problems.map(({ setting, problem }) => `${setting} ${problem}`).join();
  };

  test("[SLOW-2] [SET-1] is off, or a table with defaults; wrong fields are refused with what is allowed", () => {
    expect(problemOf("off")).toBe("off");
    expect(problemOf({ max_p95_ms: 800 })).toEqual({ max_error_percent: 5, max_p95_ms: 800, floor_per_minute: 6, recover: false });
    for (const wrong of ["on", { floor: 5 }, { max_error_percent: 0 }, { max_p95_ms: "800" }, { floor_per_minute: -1 }, { recover: 1 }])
      expect(problemOf(wrong)).toMatch(/^slow_down .*must be /);
  });
});
