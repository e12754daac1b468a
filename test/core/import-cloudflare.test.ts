/** `npm run import-cloudflare-room`: nothing of a room of Cloudflare's is lost without a word, and no rule lets through more than was meant. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type Imported, importRoom, nameFrom, objectsIn } from "../../scripts/lib/cf-room.mjs";
import { rulesFrom } from "../../scripts/lib/cf-rules.mjs";
import { compileRules, rulesFor } from "../../src/core/bypass";
import { toBypassRule } from "../../src/core/bypass-schema";
import { parseRoom } from "../../src/core/settings";
import { SETTINGS } from "../../src/core/settings-schema";

const root = fileURLToPath(new URL("../../", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "vestibule-import-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Every field that Cloudflare's API gives, none of them at our default. */
const ROOM = {
  id: "0123456789abcdef0123456789abcdef",
  created_on: "2027-01-01T05:20:00.12345Z",
  modified_on: "2027-01-02T05:20:00.12345Z",
  name: "Spring_sale",
  description: "Ask before you change it",
  host: "shop.example.com",
  path: "/shop/checkout",
  additional_routes: [{ host: "tickets.example.com", path: "/buy" }, { host: "m.example.com" }],
  suspended: true,
  queue_all: true,
  new_users_per_minute: 250,
  total_active_users: 300,
  session_duration: 1,
  disable_session_renewal: true,
  queueing_method: "random",
  queueing_status_code: 202,
  json_response_enabled: true,
  custom_page_html: "<p>{{waitTime}}</p>",
  default_template_language: "sv-SE",
  cookie_suffix: "spring",
  cookie_attributes: { samesite: "none", secure: "always" },
  enabled_origin_commands: ["revoke"],
  turnstile_mode: "invisible",
  turnstile_action: "infinite_queue",
  next_event_prequeue_start_time: "2027-05-01T09:30:00.000Z",
  next_event_start_time: "2027-05-01T10:00:00.000Z",
};
const EVENT = {
  id: "fedcba9876543210fedcba9876543210",
  created_on: "2027-01-01T05:20:00.12345Z",
  modified_on: "2027-01-02T05:20:00.12345Z",
  name: "doors_open",
  description: "For members",
  prequeue_start_time: "2027-05-01T09:30:00.000Z",
  event_start_time: "2027-05-01T10:00:00.000Z",
  event_end_time: "2027-05-01T12:00:00.5Z",
  shuffle_at_event_start: true,
  suspended: false,
  new_users_per_minute: 400,
  total_active_users: 500,
  session_duration: 2,
  disable_session_renewal: true,
  queueing_method: "fifo",
  custom_page_html: "<p>soon</p>",
  turnstile_mode: "off",
  turnstile_action: "log",
};

const readers = { parseRoom, SETTINGS };
const imported = (room: object, lists: object = {}) => importRoom(room as Record<string, unknown>, lists, readers);
const settingsOf = ({ name, settings }: Imported) => {
  const parsed = parseRoom(name, settings);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
};
const whats = ({ leftOut }: { leftOut: { what: string }[] }) => leftOut.map(({ what }) => what.replace(/:.*/s, ""));

describe("rooms and events", () => {
  test("[CF-5] every field of a room is taken over, or listed with its reason", () => {
    const made = imported(ROOM, { events: [EVENT] });
    expect(made.name).toBe("spring-sale");
    expect(settingsOf(made)).toMatchObject({
      routes: [
        { host: "shop.example.com", path: "/shop/checkout" },
        { host: "tickets.example.com", path: "/buy" },
        { host: "m.example.com", path: "/" },
      ],
      suspended: true,
      queueAll: true,
      newUsersPerMinute: 250,
      totalActiveUsers: 300,
      sessionDurationMs: 60_000,
      sessionMaxMs: 60_000,
      passRefreshMs: 20_000,
      queueingMethod: "random",
      queueingStatusCode: 202,
      jsonResponseEnabled: true,
      enabledOriginCommands: ["revoke"],
      events: [
        {
          name: "doors-open",
          prequeueStartMs: Date.parse(EVENT.prequeue_start_time),
          startMs: Date.parse(EVENT.event_start_time),
          shuffle: true,
          overrides: { totalActiveUsers: 500, newUsersPerMinute: 400, sessionDurationMs: 120_000, queueingMethod: "fifo" },
        },
      ],
    });
    expect(whats(made)).toEqual([
      "description",
      "custom_page_html",
      "cookie_suffix",
      "cookie_attributes",
      "turnstile_mode",
      "turnstile_action",
      "event doors_open, description",
      "event doors_open, custom_page_html",
      "default_template_language",
    ]);
    for (const { why } of made.leftOut) expect(why.length).toBeGreaterThan(10);
    expect(made.templates).toEqual([
      { event: null, html: "<p>{{waitTime}}</p>" },
      { event: "doors-open", html: "<p>soon</p>" },
    ]);
  });

  test("[CF-5] pages of events keep to their event: two of one name have two, and that of an event left out is left out", () => {
    const event = (name: string, day: number, page: string) => ({
      name,
      event_start_time: `2026-12-0${day}T10:00:00Z`,
      event_end_time: `2026-12-0${day}T12:00:00Z`,
      custom_page_html: page,
    });
    const made = imported(ROOM, { events: [event("Sale", 1, "first"), event("sale!", 2, "second"), event("sale", 2, "third")] });
    expect(made.settings?.["events"]).toMatchObject([{ name: "sale" }, { name: "sale-2" }]);
    expect(made.templates.filter(({ event }) => event !== null)).toEqual([
      { event: "sale", html: "first" },
      { event: "sale-2", html: "second" },
    ]);
  });

  test("[CF-5] what says nothing is not listed; what Cloudflare adds one day is", () => {
    const plain = {
      ...ROOM,
      description: "",
      custom_page_html: "",
      default_template_language: "en-US",
      cookie_suffix: "",
      turnstile_mode: "off",
    };
    const quiet = { ...plain, turnstile_action: "log", cookie_attributes: { samesite: "auto", secure: "auto" }, queue_all: null };
    expect(imported(quiet).leftOut).toEqual([]);
    expect(imported(quiet).templates).toEqual([]);
    expect(
      whats(imported({ ...quiet, next_thing: { on: true } }, { events: [{ ...EVENT, description: "", custom_page_html: null, mood: 1 }] })),
    ).toEqual(["next_thing", "event doors_open, mood"]);
    const { session_duration: _, ...unsaid } = quiet;
    expect(settingsOf(imported(unsaid)).sessionDurationMs).toBe(300_000);
  });

  test("[CF-5] what our own validation refuses is listed with what it says, and the rest is kept", () => {
    const wrong = [
      { ...EVENT, name: "overlaps", prequeue_start_time: null, shuffle_at_event_start: false, event_start_time: "2027-05-01T11:00:00Z" },
      {
        ...EVENT,
        name: "rejects",
        queueing_method: "reject",
        prequeue_start_time: "2027-06-01T09:00:00Z",
        event_start_time: "2027-06-01T10:00:00Z",
        event_end_time: "2027-06-01T11:00:00Z",
      },
      { ...EVENT, name: "when", event_start_time: "tomorrow" },
    ];
    const made = imported({ ...ROOM, queueing_status_code: 418 }, { events: [EVENT, ...wrong] });
    expect(settingsOf(made).events.map(({ name }) => name)).toEqual(["doors-open"]);
    expect(settingsOf(made).queueingStatusCode).toBe(200);
    const listed = made.leftOut.filter(({ what }) => /^event (overlaps|rejects|when)$|queueing_status_code/.test(what));
    expect(listed.map(({ what }) => what).sort()).toEqual(["event overlaps", "event rejects", "event when", "queueing_status_code: 418"]);
    expect(imported({ ...ROOM, host: "not a host" })).toMatchObject({ settings: null, problems: [{ setting: "host" }] });
    expect(imported({ ...ROOM, additional_routes: 7 }).leftOut).toContainEqual(expect.objectContaining({ what: "additional_routes: 7" }));
    expect(whats(imported({ ...ROOM, additional_routes: [null, 5] }))).toContain("additional_routes");
    expect(settingsOf(imported({ ...ROOM, additional_routes: [{ host: "m.example.com", path: null }] })).routes[1]?.path).toBe("/");
  });

  test("[CF-5] an event whose name is a number is not taken for another's place in the list: the right one is left out", () => {
    const day = (name: string, date: string) => ({
      ...EVENT,
      name,
      prequeue_start_time: null,
      shuffle_at_event_start: false,
      event_start_time: `2027-08-${date}T10:00:00Z`,
      event_end_time: `2027-08-${date}T11:00:00Z`,
    });
    const made = imported(ROOM, { events: [day("one", "01"), day("two", "02"), { ...day("2", "03"), event_start_time: "tomorrow" }] });
    expect(settingsOf(made).events.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(whats(made)).toContain("event 2");
  });

  test("[CF-5] names become names of ours, each its own", () => {
    expect([
      nameFrom("Größe  XL!", 32, "room"),
      nameFrom("***", 32, "room"),
      nameFrom(undefined, 32, "room"),
      nameFrom("a".repeat(99), 32, ""),
    ]).toEqual(["gr-e-xl", "room", "room", "a".repeat(32)]);
    const day = (n: number) => ({
      ...EVENT,
      name: "Day",
      prequeue_start_time: null,
      shuffle_at_event_start: false,
      event_start_time: `2027-07-0${n}T10:00:00Z`,
      event_end_time: `2027-07-0${n}T11:00:00Z`,
    });
    expect(settingsOf(imported(ROOM, { events: [day(1), day(2), day(3)] })).events.map(({ name }) => name)).toEqual([
      "day",
      "day-2",
      "day-3",
    ]);
  });

  test("[CF-5] files as the API gives them: one object, its envelope, a list", () => {
    for (const json of [ROOM, [ROOM], { success: true, result: ROOM }, { result: [ROOM] }]) expect(objectsIn(json)).toEqual([ROOM]);
    for (const json of ["room", [1], { result: null }, null, [[]]]) expect(objectsIn(json)).toBeNull();
  });
});

const rulesOf = (expression: string, more: object = {}) =>
  rulesFrom([{ action: "bypass_waiting_room", enabled: true, expression, ...more }], ["shop.test"]);

/** As the schema reads it: without a slash at the end. */
const pathOf = ({ path }: Record<string, unknown>) => (path === undefined ? {} : { path: String(path).replace(/(.)\/$/, "$1") });

describe("bypass rules", () => {
  test.each<[string, Record<string, unknown>[]]>([
    ["ip.src in {10.20.30.40 192.0.2.0/24 2001:db8::/32}", [{ networks: ["10.20.30.40", "192.0.2.0/24", "2001:db8::/32"] }]],
    ["ip.src == 192.0.2.1", [{ networks: ["192.0.2.1"] }]],
    ['http.request.uri.path eq "/hook"', [{ path: "/hook", exact: true }]],
    ['not (http.request.uri.path ne "/hook")', [{ path: "/hook", exact: true }]],
    ['starts_with(http.request.uri.path, "/api/")', [{ path: "/api/" }]],
    ['http.request.uri.path wildcard "/api/*"', [{ path: "/api/" }]],
    [
      'http.request.uri.path in {"/a" "/b"} and http.request.method eq "POST"',
      ["/a", "/b"].map((path) => ({ path, exact: true, methods: ["POST"] })),
    ],
    [
      '(http.host eq "shop.test" && ip.src eq 192.0.2.1) || http.cookie contains "staff=1"',
      [{ networks: ["192.0.2.1"] }, { cookie: "staff", cookie_value: "1" }],
    ],
    ['http.request.cookies["staff"][0] eq "1"', [{ cookie: "staff", cookie_value: "1" }]],
    ["cf.bot_management.verified_bot", [{ verified_bot: true }]],
    ["cf.client.bot", [{ verified_bot: true }]],
    ['http.request.method ne "POST" and not http.request.method in {"GET" "HEAD"}', [{ methods: ["PUT", "PATCH", "DELETE", "OPTIONS"] }]],
    ['http.request.uri.path eq r#"/a"b"#', [{ path: '/a"b', exact: true }]],
  ])("[CF-5] %s", (expression, rules) => {
    expect(rulesOf(expression)).toMatchObject({ rules, leftOut: [] });
  });

  test.each<[string, RegExp]>([
    ['ip.geoip.country eq "DE"', /know nothing of ip.geoip.country/],
    ['ip.src eq 192.0.2.1 and http.user_agent contains "x"', /know nothing of http.user_agent/],
    ["ip.src in $office", /list of your account/],
    ["ip.src in {192.0.2.1..192.0.2.9}", /ranges/],
    ["not ip.src in {192.0.2.1}", /not outside/],
    ['http.request.uri.path contains "api"', /by their beginning/],
    ['not starts_with(http.request.uri.path, "/a")', /cannot take one out/],
    ['http.request.uri.path eq "/a" and http.request.uri.path eq "/b"', /two conditions on path/],
    ['http.request.method eq "GET" and http.request.method eq "POST"', /no method/],
    ['http.host eq "other.test"', /every host/],
    ['http.host eq "shop.test"', /everything through/],
    ['lower(http.request.uri.path) eq "/a"', /compares lower/],
    ['http.request.uri.path matches "^/a"', /by their beginning/],
    ["ip.src eq 192.0.2.1 xor ip.src eq 192.0.2.2", /xor/],
    [String.raw`http.request.uri.path eq "/\x61pi"`, /escape/],
    ["ip.src eq 192.0.2.1 )", /should end/],
    ["ip.src eq", /a value should be/],
    ["", /a field should be/],
    ["\u0001", /cannot be read/],
  ])("[CF-5] %s is listed, and opens nothing", (expression, why) => {
    const { rules, leftOut } = rulesOf(expression);
    expect(rules).toEqual([]);
    expect(leftOut).toEqual([{ what: expect.stringContaining(expression), why: expect.stringMatching(why) }]);
  });

  test("[CF-5] of several alternatives those that can be said are kept, the others listed; rules that are off or do something else are listed", () => {
    expect(rulesOf('ip.src eq 192.0.2.1 or http.referer eq "x"')).toMatchObject({
      rules: [{ networks: ["192.0.2.1"] }],
      leftOut: [{ why: /referer/ }],
    });
    expect(rulesOf("ip.src eq 192.0.2.1", { enabled: false })).toMatchObject({ rules: [], leftOut: [{ why: "it is switched off" }] });
    expect(rulesOf("ip.src eq 192.0.2.1", { action: "block" })).toMatchObject({ rules: [], leftOut: [{ why: /block/ }] });
    const twice = Array.from({ length: 9 }, () => '(ip.src eq 192.0.2.1 or http.request.method eq "GET")').join(" and ");
    expect(rulesOf(twice)).toMatchObject({ rules: [], leftOut: [{ why: /more than 64/ }] });
    const made = imported(
      { ...ROOM, path: "/" },
      { rules: [{ expression: 'http.request.uri.path eq "no path"' }, { expression: "ip.src eq 192.0.2.1" }] },
    );
    expect(settingsOf(made).bypassRules).toHaveLength(1);
    expect(made.leftOut).toContainEqual(expect.objectContaining({ what: expect.stringContaining("no path") }));
  });

  test("[CF-5] G8 whatever is written, our rules let nothing through that the expression would not; and all of it if nothing is listed", () => {
    interface Asked {
      readonly path: string;
      readonly method: string;
      readonly ip: string;
      readonly country: string;
    }
    interface Read {
      readonly text: string;
      readonly holds: (asked: Asked) => boolean;
    }
    const leaf = fc.constantFrom<Read>(
      { text: 'http.request.uri.path eq "/c"', holds: ({ path }) => path === "/c" },
      { text: 'http.request.uri.path ne "/c"', holds: ({ path }) => path !== "/c" },
      { text: 'http.request.uri.path in {"/c" "/a/b"}', holds: ({ path }) => path === "/c" || path === "/a/b" },
      { text: 'starts_with(http.request.uri.path, "/a/")', holds: ({ path }) => path.startsWith("/a/") },
      { text: 'http.request.method eq "POST"', holds: ({ method }) => method === "POST" },
      { text: 'http.request.method in {"GET" "HEAD"}', holds: ({ method }) => method !== "POST" },
      { text: "ip.src in {192.0.2.0/24}", holds: ({ ip }) => ip.startsWith("192.") },
      { text: 'ip.geoip.country eq "DE"', holds: ({ country }) => country === "DE" },
      { text: 'http.host eq "shop.test"', holds: () => true },
    );
    const { tree } = fc.letrec<{ tree: Read }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaf,
        tie("tree").map(({ text, holds }) => ({ text: `not (${text})`, holds: (asked: Asked) => !holds(asked) })),
        fc.tuple(tie("tree"), tie("tree")).map(([a, b]) => ({
          text: `(${a.text}) and ${b.text.includes(" or ") ? `(${b.text})` : b.text}`,
          holds: (asked: Asked) => a.holds(asked) && b.holds(asked),
        })),
        fc
          .tuple(tie("tree"), tie("tree"))
          .map(([a, b]) => ({ text: `${a.text} or ${b.text}`, holds: (asked: Asked) => a.holds(asked) || b.holds(asked) })),
      ),
    }));
    const asked: Asked[] = ["/c", "/a/b", "/x"].flatMap((path) =>
      ["GET", "POST"].flatMap((method) =>
        ["192.0.2.7", "203.0.113.7"].flatMap((ip) => ["DE", "FR"].map((country) => ({ path, method, ip, country }))),
      ),
    );
    fc.assert(
      fc.property(tree, ({ text, holds }) => {
        const { rules, leftOut } = rulesOf(text);
        const compiled = compileRules(rules.map((rule) => toBypassRule({ ...rule, path: undefined, ...pathOf(rule) })));
        for (const each of asked) {
          const url = { path: each.path, ambiguous: false };
          const opens = rulesFor(compiled, { url, method: each.method, ip: each.ip, verifiedBot: false, cookie: () => [] }).length > 0;
          if (opens) expect(holds(each), JSON.stringify({ text, each, rules })).toBe(true);
          else if (leftOut.length === 0) expect(holds(each), JSON.stringify({ text, each, rules })).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("the command", () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [join(root, "scripts/import-cloudflare-room.mjs"), ...args], { cwd: directory }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });
  const file = (name: string, json: unknown) => {
    writeFileSync(join(directory, name), JSON.stringify(json));
    return join(directory, name);
  };

  test("[CF-5] [DOCS-7] the commands of docs/migrate-from-cloudflare.md: TOML with the list in it, and the body of a PUT with the list beside it", async () => {
    file("room.json", { success: true, result: ROOM });
    file("events.json", { success: true, result: [EVENT] });
    file("rules.json", { success: true, result: [{ expression: "ip.src in $office", action: "bypass_waiting_room", enabled: true }] });
    const doc = readFileSync(join(root, "docs/migrate-from-cloudflare.md"), "utf8");
    const lines = [...doc.matchAll(/^npm run import-cloudflare-room --silent -- (.*) > \S+$/gm)].map(([, args = ""]) => args.split(" "));
    expect(lines).toHaveLength(2);
    const [toml, json] = await Promise.all(lines.map((args) => run(...args)));
    expect(toml).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^\[vars\.ROOMS\.spring-sale\]\n/) });
    expect(toml?.out).toMatch(/\n# Not taken over:\n(?:# - .*\n)*# - rule 1: ip\.src in \$office/);
    expect(json).toMatchObject({ code: 0, err: expect.stringMatching(/^# Not taken over:\n# - description: /) });
    const body = JSON.parse(json?.out ?? "") as Record<string, unknown>;
    expect(body).toMatchObject({ total_active_users: 300, queueing_method: "random", events: [{ name: "doors-open" }] });
    for (const name of ["host", "path", "additional_routes"]) expect(body).not.toHaveProperty(name);
  });

  test("[CF-5] refuses what it cannot read, by name and before anything is printed", async () => {
    const rooms = file("two.json", [ROOM, { ...ROOM, name: "other" }]);
    const refused = [
      [run(), /Name one file/],
      [run(rooms), /holds 2 rooms.*--room/],
      [run(file("refusal.json", { success: false, errors: [{ code: 7003 }] })), /7003/],
      [run(file("text.json", "room")), /neither an object nor a list/],
      [run(rooms, "--room", "other", "--name", "No good"), /--name/],
    ] as const;
    for (const [ran, why] of refused) expect(await ran).toMatchObject({ code: 1, out: "", err: expect.stringMatching(why) });
  });
});
