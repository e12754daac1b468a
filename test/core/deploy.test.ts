/** The two deployments, with a wrangler and a network of our own: what is written, handed over, refused and said. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkRoutes, planRoutes, readPattern, roomNameFor } from "../../scripts/lib/deploy-routes.mjs";
import { deploy, deployFirst, type FirstOptions } from "../../scripts/lib/deploy-steps.mjs";
import { newLines, withRoutes } from "../../scripts/lib/deploy-toml.mjs";
import { parseRooms } from "../../src/core/settings";
import { warningsOf } from "../../src/core/settings-warnings";
import { readAdminToken, readDrand, readOrigin, readPassHosts } from "../../src/env";
import { importKeyRing } from "../../src/keys";

const shipped = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
const readers = { parseRooms, warningsOf, readPassHosts, readOrigin, readDrand, readAdminToken, importKeyRing };

interface Call {
  args: string[];
  /** What wrangler would have read, at the time of the call. */
  config: string;
  secrets: Record<string, string> | null;
  secretsMode: number | null;
}

let root: string;
let calls: Call[];
let said: string;
let exitCode: number;
let answers: (url: string) => Response;
let asked: string[];
let waited: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "vestibule-deploy-"));
  writeFileSync(join(root, "wrangler.toml"), shipped);
  [calls, said, exitCode, asked, waited] = [[], "", 0, [], 0];
  answers = () => Response.json({ status: "ok" });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const after = (args: string[], flag: string) => (args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? null) : null);

function world() {
  return {
    root,
    readers,
    wrangler: async (args: string[]) => {
      const secretsFile = after(args, "--secrets-file");
      calls.push({
        args,
        config: readFileSync(after(args, "--config") ?? join(root, "wrangler.toml"), "utf8"),
        secrets: secretsFile && JSON.parse(readFileSync(secretsFile, "utf8")),
        secretsMode: secretsFile ? statSync(secretsFile).mode & 0o777 : null,
      });
      return exitCode;
    },
    fetch: async (url: string) => {
      asked.push(url);
      return answers(url);
    },
    wait: async (ms: number) => {
      waited += ms;
    },
    say: (text: string) => {
      said += `${text}\n`;
    },
    complain: (text: string) => {
      said += `${text}\n`;
    },
  };
}

const first = (options: Partial<FirstOptions>) =>
  deployFirst({ routes: ["shop.example.com/*"], totalActiveUsers: 500, newUsersPerMinute: 300, dryRun: false, ...options }, world());

const fileNow = () => readFileSync(join(root, "wrangler.toml"), "utf8");

/** The shipped file with the demo room replaced, and routes. */
function writeConfig(rooms: string, routes: string[], top = "") {
  const [head = ""] = shipped.split("# The room that `npm start` runs");
  writeFileSync(join(root, "wrangler.toml"), withRoutes(top + head, routes) + rooms);
}

const room = (name: string, host: string, path = "/", more = "") =>
  `\n[vars.ROOMS.${name}]\nhost = "${host}"\npath = "${path}"\ntotal_active_users = 5\nnew_users_per_minute = 5\n${more}`;

describe("routes", () => {
  test.each([
    [["shop.example.com/*"], ["shop.example.com/*"], [{ host: "shop.example.com", path: "/" }]],
    [["shop.example.com"], ["shop.example.com/*"], [{ host: "shop.example.com", path: "/" }]],
    [["SHOP.example.com/"], ["shop.example.com/*"], [{ host: "shop.example.com", path: "/" }]],
    [["a.example/checkout"], ["a.example/checkout*", "a.example/__vestibule/*"], [{ host: "a.example", path: "/checkout" }]],
    [["a.example/checkout/"], ["a.example/checkout*", "a.example/__vestibule/*"], [{ host: "a.example", path: "/checkout" }]],
    [["a.example/checkout/*"], ["a.example/checkout*", "a.example/__vestibule/*"], [{ host: "a.example", path: "/checkout" }]],
    [["a.example/checkout*"], ["a.example/checkout*", "a.example/__vestibule/*"], [{ host: "a.example", path: "/checkout" }]],
  ])("[DEPLOY-1] --route %j becomes %j", (asked, patterns, places) => {
    expect(planRoutes(asked)).toEqual({ patterns, places });
  });

  test("[DEPLOY-1] several paths of a host share one route for /__vestibule/*, and the whole host makes paths needless", () => {
    expect(planRoutes(["a.example/x", "a.example/y/*"])).toMatchObject({
      patterns: ["a.example/x*", "a.example/__vestibule/*", "a.example/y*"],
    });
    expect(planRoutes(["a.example/x", "a.example/*", "b.example/*"])).toMatchObject({ patterns: ["a.example/*", "b.example/*"] });
  });

  test.each([
    ["https://shop.example.com/*", "scheme"],
    ["*.example.com/*", "wildcard"],
    ["*example.com/*", "wildcard"],
    ["shop.example.com/*/x", '"*" is possible only at the end'],
    ["shop.example.com/x?a=1", "query"],
    ["shop.example.com:8080/*", "starts with a host"],
    ["localhost/*", "starts with a host"],
    ["/checkout", "starts with a host"],
    ["", "starts with a host"],
  ])("[DEPLOY-2] the pattern %j is refused", (pattern, words) => {
    expect(readPattern(pattern).problem).toContain(words);
    expect(planRoutes([pattern]).problems?.join()).toContain(words);
  });

  const deployment = (routes: (string | object)[], path = "/", more: object = {}) => ({
    routes,
    rooms: [{ room: "shop", routes: [{ host: "shop.example.com", path }] }],
    passHosts: [],
    hasOrigin: false,
    workersDev: false,
    ...more,
  });

  test.each([
    [["shop.example.com/*"], "/"],
    [["shop.example.com/*"], "/checkout"],
    [[{ pattern: "shop.example.com/*", zone_name: "example.com" }], "/"],
    [["shop.example.com/checkout*", "shop.example.com/__vestibule/*"], "/checkout"],
    [["shop.example.com/check*", "shop.example.com/__*"], "/checkout"],
  ])("[DEPLOY-2] routes %j cover a room at %s", (routes, path) => {
    expect(checkRoutes(deployment(routes, path)).problems).toEqual([]);
  });

  test.each([
    [[], "/", "There are no routes"],
    [["shop.example.com/checkout*", "shop.example.com/__vestibule/*"], "/", "Room shop: shop.example.com/* is not covered"],
    [["shop.example.com", "shop.example.com/_*"], "/", "Room shop: shop.example.com/* is not covered"],
    [["shop.example.com/tickets*", "shop.example.com/__vestibule/*"], "/checkout", "shop.example.com/checkout is not covered"],
    [["shop.example.com/checkout", "shop.example.com/__vestibule/*"], "/checkout", "shop.example.com/checkout is not covered"],
    [["shop.example.com/Checkout*", "shop.example.com/__vestibule/*"], "/checkout", "shop.example.com/checkout is not covered"],
    [["shop.example.com/checkout/*", "shop.example.com/__vestibule/*"], "/checkout", "the bare path shop.example.com/checkout"],
    [
      ["shop.example.com/checkout", "shop.example.com/checkout/*", "shop.example.com/__vestibule/*"],
      "/checkout",
      "the bare path shop.example.com/checkout (and with a query)",
    ],
    [["shop.example.com/checkout*"], "/checkout", "shop.example.com/__vestibule/* is not covered"],
    [["shop.example.com/*", "blog.example.com/*"], "/", "covers blog.example.com, which no room names"],
    [["shop.example.com/*", "*.example.com/*"], "/", "wildcard"],
    [["shop.example.com/*", {}], "/", "a route is a pattern"],
    [[{ pattern: "shop.example.com", custom_domain: true }], "/", "set ORIGIN"],
  ])("[DEPLOY-2] C56 routes %j for a room at %s: refused", (routes, path, words) => {
    expect(checkRoutes(deployment(routes, path)).problems).toEqual([expect.stringContaining(words)]);
  });

  test("[DEPLOY-2] G5 pass hosts may be covered without a room, a custom domain may serve another site, workers_dev may not stay on", () => {
    const whole = ["shop.example.com/*", "static.example.com/*"];
    expect(checkRoutes(deployment(whole, "/", { passHosts: ["static.example.com"] })).problems).toEqual([]);
    const domain = { pattern: "shop.example.com", custom_domain: true };
    expect(checkRoutes(deployment([domain], "/", { hasOrigin: true })).problems).toEqual([]);
    expect(checkRoutes(deployment(["shop.example.com/*"], "/", { workersDev: true })).problems).toEqual([
      expect.stringContaining("workers_dev"),
    ]);
  });

  test("[DEPLOY-2] a catch-all room counts for no host", () => {
    const rooms = [{ room: "demo", routes: [{ host: "*", path: "/" }] }];
    const { problems } = checkRoutes(deployment(["shop.example.com/*"], "/", { rooms }));
    expect(problems).toEqual([expect.stringContaining("No room names a host"), expect.stringContaining("which no room names")]);
  });

  test("[DEPLOY-2] everything wrong is said at once, and a host routed in part is warned about", () => {
    const { problems, warnings } = checkRoutes(
      deployment(["shop.example.com/checkout/*", "b.example/*", "https://c.example/*"], "/checkout"),
    );
    expect(problems).toHaveLength(4);
    expect(warnings).toEqual([expect.stringContaining("/Checkout")]);
    expect(checkRoutes(deployment(["shop.example.com/*"])).warnings).toEqual([]);
  });

  test("[DEPLOY-1] a new room is named after its place, with a name of its own", () => {
    expect(roomNameFor({ host: "shop.example.com", path: "/" }, new Set())).toBe("shop");
    expect(roomNameFor({ host: "www.example.com", path: "/" }, new Set())).toBe("example");
    expect(roomNameFor({ host: "shop.example.com", path: "/Check_out/now" }, new Set())).toBe("shop-check-out-now");
    expect(roomNameFor({ host: "shop.example.com", path: "/" }, new Set(["shop", "shop-2"]))).toBe("shop-3");
    const long = roomNameFor({ host: `${"x".repeat(63)}.example`, path: "/" }, new Set([`${"x".repeat(28)}`]));
    expect(long).toMatch(/^[a-z0-9-]{1,32}$/);
  });
});

describe("deploy:first", () => {
  test("[DEPLOY-1] one command on the shipped file: routes, workers_dev, a room, and every other line stays", async () => {
    expect(await first({})).toBe(0);
    expect(fileNow()).toBe(calls[0]?.config);
    expect(newLines(fileNow(), shipped)).toEqual([]);
    expect(newLines(shipped, fileNow()).filter((line) => !line.startsWith("#"))).toEqual([
      "workers_dev = false",
      "routes = [",
      '  "shop.example.com/*",',
      "]",
      "[vars.ROOMS.shop]",
      'host = "shop.example.com"',
      'path = "/"',
      "total_active_users = 500 # people inside at once",
      "new_users_per_minute = 300 # people let in per minute",
      "",
    ]);
    expect(await deploy({ dryRun: false }, world())).toBe(0);
  });

  test("[DEPLOY-1] a path: the second route for /__vestibule/*, the room at that path, the zone where it is given", async () => {
    expect(
      await first({ routes: ["shop.example.com/checkout/*"], zone: "example.com", totalActiveUsers: 40, newUsersPerMinute: 0.5 }),
    ).toBe(0);
    const text = fileNow();
    expect(text).toContain('  { pattern = "shop.example.com/checkout*", zone_name = "example.com" },\n');
    expect(text).toContain('  { pattern = "shop.example.com/__vestibule/*", zone_name = "example.com" },\n');
    expect(text).toContain('[vars.ROOMS.shop-checkout]\nhost = "shop.example.com"\npath = "/checkout"\ntotal_active_users = 40 ');
    expect(text).toContain("new_users_per_minute = 0.5 ");
    expect(said).toContain("Warning: Only some paths of shop.example.com");
  });

  test("[DEPLOY-1] a file without the ruler, with workers_dev set and rooms of its own, keeps its rooms", async () => {
    const own = `name = "x" # mine\nworkers_dev = true\nmain = "a.ts"\n\n# vars\n[vars]\nA = "1"\n${room("till", "shop.example.com", "/checkout")}`;
    writeFileSync(join(root, "wrangler.toml"), own);
    expect(await first({})).toBe(0);
    expect(fileNow()).toBe(
      own
        .replace("workers_dev = true\n", "")
        .replace("# vars\n", 'workers_dev = false\nroutes = [\n  "shop.example.com/*",\n]\n\n# vars\n'),
    );
  });

  test("[DEPLOY-3] fresh secrets go to wrangler in a file that only this user can read, are shown once, and leave nothing behind", async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("vestibule-secrets-"));
    await first({});
    const [call] = calls;
    expect(call?.secretsMode).toBe(0o600);
    const { VESTIBULE_KEYS = "", ADMIN_TOKEN = "", ...others } = call?.secrets ?? {};
    expect(others).toEqual({});
    expect(readAdminToken(ADMIN_TOKEN).ok && (await importKeyRing(VESTIBULE_KEYS)).ok).toBe(true);
    for (const secret of [VESTIBULE_KEYS, ADMIN_TOKEN]) {
      expect(said.split(secret)).toHaveLength(2);
      expect(fileNow()).not.toContain(secret);
    }
    expect(existsSync(after(call?.args ?? [], "--secrets-file") ?? "")).toBe(false);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("vestibule-secrets-"))).toEqual(before);
    expect(readdirSync(root)).toEqual(["wrangler.toml"]);

    writeFileSync(join(root, "wrangler.toml"), shipped);
    await first({});
    expect(calls[1]?.secrets?.["ADMIN_TOKEN"]).not.toBe(ADMIN_TOKEN);
  });

  test.each([
    ["lines", (keys: string, token: string) => `# mine\nVESTIBULE_KEYS="${keys}"\nexport ADMIN_TOKEN=${token}\nOTHER=1\n`],
    ["JSON", (keys: string, token: string) => JSON.stringify({ VESTIBULE_KEYS: keys, ADMIN_TOKEN: token, OTHER: "1" })],
  ])("[DEPLOY-3] secrets of a file of %s are used as they are and never shown", async (_, write) => {
    const keys = "k7:q1LMaQ2u2TvkjVLGX3tLd0ba6HJ3rLdd5Jb0UPBs8rE";
    const token = "Vd7kQz0pXw3hTn5yRb1cLs8mGf2jAe6u";
    const secretsFile = join(root, "mine.secrets");
    writeFileSync(secretsFile, write(keys, token));
    expect(await first({ secretsFile })).toBe(0);
    expect(calls[0]?.secrets).toEqual({ VESTIBULE_KEYS: keys, ADMIN_TOKEN: token });
    expect(said).not.toContain(keys);
    expect(said).not.toContain(token);
  });

  test("[DEPLOY-3] a file with a weak secret is refused as the Worker would, one without them by name, and neither is shown", async () => {
    const secretsFile = join(root, "mine.secrets");
    writeFileSync(secretsFile, "VESTIBULE_KEYS=k1:hunter2\nADMIN_TOKEN=hunter2\n");
    expect(await first({ secretsFile })).toBe(1);
    expect(said).toMatch(/- VESTIBULE_KEYS key k1[\s\S]*- ADMIN_TOKEN is shorter than 32/);
    writeFileSync(secretsFile, "VESTIBULE_KEYS=k1:hunter2\n");
    await expect(first({ secretsFile })).rejects.toThrow("has no ADMIN_TOKEN");
    expect(said).not.toContain("hunter2");
    expect(calls).toEqual([]);
    expect(fileNow()).toBe(shipped);
  });

  test("[DEPLOY-4] a dry run shows what would be written, uploads nothing, makes no secret and writes nothing", async () => {
    expect(await first({ dryRun: true })).toBe(0);
    expect(calls.map(({ args, secrets }) => [args.slice(0, 2), secrets])).toEqual([[["deploy", "--dry-run"], null]]);
    expect(calls[0]?.config).toContain('"shop.example.com/*"');
    expect(said).toContain('  routes = [\n    "shop.example.com/*",');
    expect(fileNow()).toBe(shipped);
    expect(asked).toEqual([]);
    expect(readdirSync(root)).toEqual(["wrangler.toml"]);
  });

  test("[DEPLOY-4] when wrangler fails, wrangler.toml is as it was and the command can be repeated", async () => {
    exitCode = 1;
    expect(await first({})).toBe(1);
    expect(fileNow()).toBe(shipped);
    expect(said).not.toContain("ADMIN_TOKEN=");
    exitCode = 0;
    expect(await first({})).toBe(0);
  });

  test.each<[string, Partial<FirstOptions>, string]>([
    ["no route", { routes: [] }, "--route is missing"],
    ["a wildcard host", { routes: ["*.example.com/*"] }, "wildcard"],
    ["numbers that the Worker would refuse", { totalActiveUsers: 0 }, "ROOMS.shop.total_active_users must be a whole number"],
    ["a room below its numbers", { newUsersPerMinute: -1 }, "ROOMS.shop.new_users_per_minute must be 0, or a number"],
  ])("[DEPLOY-2] refused before anything is written: %s", async (_, options, words) => {
    expect(await first(options)).toBe(1);
    expect(said).toContain(words);
    expect(calls).toEqual([]);
    expect(fileNow()).toBe(shipped);
  });

  test("[DEPLOY-2] routes that are there already, and other rooms that the new routes leave out, are refused", async () => {
    writeConfig(room("shop", "shop.example.com"), ["shop.example.com/*"]);
    expect(await first({})).toBe(1);
    expect(said).toContain("routes already: use npm run deploy");
    writeFileSync(join(root, "wrangler.toml"), `name = "x"\n${room("blog", "blog.example.com")}`);
    expect(await first({})).toBe(1);
    expect(said).toContain("Room blog: blog.example.com/* is not covered by a route");
    expect(calls).toEqual([]);
  });

  test("[DEPLOY-5] G12 C60 says what must still be clicked", async () => {
    await first({});
    for (const words of ["Fail closed", "Workers Paid", "proxied (orange cloud)", "take it out again"]) expect(said).toContain(words);
  });
});

describe("deploy", () => {
  test("[DEPLOY-2] the shipped file is refused: it has no routes", async () => {
    expect(await deploy({ dryRun: true }, world())).toBe(1);
    expect(said).toContain("There are no routes");
    expect(calls).toEqual([]);
  });

  test("[DEPLOY-2] problems of settings, variables and routes stop it before wrangler", async () => {
    writeConfig(room("shop", "shop.example.com", "/", "max_calls = 0\n"), ["shop.example.com/*"]);
    expect(await deploy({ dryRun: false }, world())).toBe(1);
    expect(said).toContain("- ROOMS.shop.max_calls must be");
    writeConfig(`ADMIN_TOKEN = "x"\nPASS_HOSTS = ["*"]\nBIG = "${"x".repeat(5_121)}"\n${room("shop", "shop.example.com")}`, [
      "shop.example.com/*",
    ]);
    expect(await deploy({ dryRun: false }, world())).toBe(1);
    for (const words of ["- ADMIN_TOKEN is a secret", "- PASS_HOSTS must hold", "- Variable BIG is 5121 bytes"])
      expect(said).toContain(words);
    writeConfig(room("shop", "shop.example.com", "/checkout"), ["shop.example.com/checkout/*", "shop.example.com/__vestibule/*"]);
    expect(await deploy({ dryRun: false }, world())).toBe(1);
    expect(said).toContain("the bare path shop.example.com/checkout");
    expect(calls).toEqual([]);
  });

  test("[DEPLOY-2] everything that the settings call a secret is refused among the variables", async () => {
    const doc = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
    const secrets = [...doc.matchAll(/^\| `(\w+)` \(secret\)/gm)].map(([, name]) => name);
    expect(secrets).toEqual(expect.arrayContaining(["VESTIBULE_KEYS", "WEBHOOK_URLS", "REHEARSAL_TOKEN"]));
    const variables = secrets.map((name) => `${name} = "x"\n`).join("");
    writeConfig(variables + room("shop", "shop.example.com"), ["shop.example.com/*"]);
    expect(await deploy({ dryRun: false }, world())).toBe(1);
    for (const name of secrets) expect(said).toContain(`- ${name} is a secret and stands in [vars]`);
    expect(calls).toEqual([]);
  });

  test("[DEPLOY-2][EVENT-2][EVENT-8] events count: wrong ones and too many bytes of them are refused, open draws warned of", async () => {
    const event = (i: number, more = "") =>
      `[[vars.ROOMS.shop.events]]\nname = "e${i}"\nprequeue_start_time = "${2100 + i}-05-01T09:00:00Z"\nevent_start_time = "${2100 + i}-05-01T10:00:00Z"\nevent_end_time = "${2100 + i}-05-01T12:00:00Z"\n${more}`;
    const write = (...events: string[]) => writeConfig(room("shop", "shop.example.com") + events.join(""), ["shop.example.com/*"]);
    write(event(0, "shuffle_at_event_start = true\n"), event(1));
    expect(await deploy({ dryRun: true }, world())).toBe(0);
    expect(said.match(/Warning: .*/g)).toEqual([
      expect.stringContaining("ROOMS.shop.events.e0.shuffle_at_event_start deals places"),
      expect.stringContaining("ROOMS.shop.closed_outside_events is false"),
    ]);
    write(event(0), event(0), event(1, "event_begin = 1\n"));
    expect(await deploy({ dryRun: true }, world())).toBe(1);
    for (const name of [
      "e0.name is the name of another",
      "e0.prequeue_start_time is before the end of e0",
      "e1.event_begin is not a setting",
    ])
      expect(said).toContain(`- ROOMS.shop.events.${name}`);
    write(...Array.from({ length: 20 }, (_, i) => event(i, `message = "${"x".repeat(200)}"\n`)));
    expect(await deploy({ dryRun: true }, world())).toBe(1);
    expect(said).toMatch(/- Variable ROOMS is \d{4} bytes; Cloudflare takes at most 5120/);
    write(event(0).replace('"2100-05-01T10:00:00Z"', "2100-05-01T10:00:00Z"));
    expect(await deploy({ dryRun: true }, world())).toBe(1);
    expect(said).toContain("e0.event_start_time must be a time with its offset in quotes");
  });

  test("[DEPLOY-4] a dry run checks and builds; a real one passes wrangler's failure on and asks for no health then", async () => {
    writeConfig(room("shop", "shop.example.com"), ["shop.example.com/*"]);
    expect(await deploy({ dryRun: true }, world())).toBe(0);
    exitCode = 3;
    expect(await deploy({ dryRun: false }, world())).toBe(3);
    expect(calls.map(({ args }) => args)).toEqual([["deploy", "--dry-run"], ["deploy"]]);
    expect(asked).toEqual([]);
  });

  test("[DEPLOY-5] every host of a room is asked for health until the Worker answers", async () => {
    writeConfig(`PASS_HOSTS = ["c.example"]\n${room("a", "a.example")}${room("b", "b.example")}`, [
      "a.example/*",
      "b.example/*",
      "c.example/*",
    ]);
    let bAnswers = 0;
    answers = (url) => (url.includes("b.example") && ++bAnswers < 3 ? new Response("<h1>Shop</h1>") : Response.json({ status: "ok" }));
    expect(await deploy({ dryRun: false }, world())).toBe(0);
    expect(new Set(asked)).toEqual(new Set(["https://a.example/__vestibule/health", "https://b.example/__vestibule/health"]));
    expect(bAnswers).toBe(3);
    expect(waited).toBeGreaterThan(0);
  });

  test.each<[string, () => Response, string]>([
    ["the site's own page with 200", () => new Response("<h1>Shop</h1>"), "not by the Worker"],
    ["JSON of the site", () => Response.json({ ok: true }), "not by the Worker"],
    ["the site's 404", () => new Response("", { status: 404 }), "answered 404, not by the Worker"],
    ["a refusing Worker", () => Response.json({ code: "misconfigured" }, { status: 503 }), "refuses its settings or secrets"],
    [
      "no connection",
      () => {
        throw new Error("connect ECONNREFUSED");
      },
      "ECONNREFUSED",
    ],
  ])("[DEPLOY-5] %s is not health: said so, and the command fails", async (_, answer, words) => {
    writeConfig(room("shop", "shop.example.com"), ["shop.example.com/*"]);
    answers = answer;
    expect(await deploy({ dryRun: false }, world())).toBe(1);
    expect(said).toContain(`Deployed, but https://shop.example.com/__vestibule/health: `);
    expect(said).toContain(words);
  });
});
