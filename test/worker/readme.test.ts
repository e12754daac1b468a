/**
 * The commands of the README, and of the runbook with what stands beside it, run as they stand against the built Worker with the shipped configuration.
 * Only the shell's surroundings are ours: `.dev.vars` with the test's secrets, and a curl that finds port 8787 elsewhere.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Revision, RoomDescription, SwitchName, SwitchResult } from "../../src/core/admin";
import type { Manifest } from "../../src/core/manifest";
import type { Stats } from "../../src/core/stats";
import { decodeToken } from "../../src/core/token";
import { root } from "../support/bundle";
import { Visitor } from "../support/jar";
import { type Origin, startOrigin } from "../support/origin";
import { startWorker, TEST_ADMIN_TOKEN, TEST_KEYS, type TestWorker } from "../support/worker";

/** Lines of a document's shell blocks, continued lines joined. */
function linesOf(text: string): string[] {
  const blocks = [...text.matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm)].map((match) => match[2] ?? "");
  return blocks
    .flatMap((block) => block.replace(/\\\n\s*/g, "").split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

const isCurl = (line: string) => line.startsWith("curl ");
/** Sets up the terminal: holds for all later lines. */
const isSetup = (line: string) => /^(?:\. \S+|[A-Z]+=.*)$/.test(line);
/** Checked elsewhere: test/core/docs.test.ts, test/worker/start.test.ts, test/core/deploy.test.ts. */
const isOther = (line: string) => /^(?:npm (?:start|test|run)\b|node -p )/.test(line);

/** `PATCH /rooms/demo {"message": …}` of a curl line. */
function requestOf(line: string): string {
  const method = /(?:^| )-X ([A-Z]+)/.exec(line)?.[1] ?? "GET";
  const path = /\$API([^\s"]*)/.exec(line)?.[1] ?? line;
  const fields = /-d '\{(.*)\}'/.exec(line)?.[1] ?? "";
  const names = [...fields.matchAll(/"(\w+)":\s*("[^"]*"|[^,]+)/g)].map(([, name, value]) => `${name}=${value}`);
  return [method, path, ...names.filter((name) => !name.startsWith("reason="))].join(" ");
}

interface World {
  readonly body: unknown;
  readonly room: RoomDescription;
  readonly stats: Stats;
}

const switched = (name: SwitchName, then: (world: World) => void) => (world: World) => {
  expect(world.body).toMatchObject({
    room: "demo",
    done: name,
    changed: true,
    effective_within_seconds: 5,
  } satisfies Partial<SwitchResult>);
  then(world);
};
const settingsAre = (settings: Record<string, unknown>) => (world: World) => expect(world.room.settings).toMatchObject(settings);
const blocked = (code: string) => (world: World) => expect(world.stats.blocked_by.code).toBe(code);
const notBlocked = (code: string) => (world: World) => expect(world.stats.blocked_by.code).not.toBe(code);

const eventIs = (event: Record<string, unknown>) => settingsAre({ events: [event] });

/** What each command must have done. A command without an entry fails. */
const expected: Readonly<Record<string, (world: World) => void>> = {
  "GET /metrics": ({ body }) => expect(body).toContain('vestibule_slots{room="demo",state="inside"} 1'),
  "PATCH /rooms/demo?dry_run=1 new_users_per_minute=60": ({ body, room }) => {
    expect(body).toMatchObject({ dry_run: true, after: { new_users_per_minute: 60 } });
    expect(room.settings["new_users_per_minute"]).not.toBe(60);
  },
  "POST /rooms/demo/revisions/1/restore": ({ body, room }) => expect([body, room.overrides]).toMatchObject([{ changed: true }, {}]),
  "POST /tokens": ({ body }) => expect(body).toMatchObject({ id: 1, label: "Ana", role: "operator", token: expect.any(String) }),
  "GET /tokens": ({ body }) => expect(body).toMatchObject({ tokens: [{ id: 1, state: "live" }] }),
  "DELETE /tokens/1": ({ body }) => expect(body).toMatchObject({ id: 1, state: "revoked" }),
  "GET /rooms/demo/audit": ({ body }) =>
    expect(body).toMatchObject({ audit: expect.arrayContaining([expect.objectContaining({ action: "restore" })]) }),
  "GET /rooms/demo/log?limit=20": ({ body }) => expect(body).toMatchObject({ log: expect.arrayContaining([expect.any(Object)]) }),
  "GET /rooms/demo/series?minutes=60&format=csv": ({ body }) => expect(body).toMatch(/^at,joined,/),
  "GET /rooms": ({ body }) => expect(body).toMatchObject({ rooms: [{ room: "demo", issued: 3 }] }),
  "GET /rooms/demo": ({ body }) => expect(body).toMatchObject({ room: "demo", settings: { title: "Demo shop" }, overrides: {} }),
  "GET /rooms/demo/stats": ({ body }) => expect(body).toMatchObject({ room: "demo", issued: 3, inside: 1 }),
  "GET /rooms/demo/revisions": ({ body, room }) => {
    const { revisions } = body as { revisions: readonly Revision[] };
    expect(revisions.map(({ revision }) => revision)).toEqual(Array.from({ length: room.revision }, (_, i) => room.revision - i));
    expect(revisions.at(-1)).toMatchObject({ actor: "deploy" });
  },
  'POST /rooms/demo/events name="spring" prequeue_start_time="2099-05-01T09:30:00+02:00" event_start_time="2099-05-01T10:00:00+02:00" event_end_time="2099-05-01T12:00:00+02:00" shuffle_at_event_start=true new_users_per_minute=600':
    (world) => {
      const warnings = [{ setting: "events.spring.shuffle_at_event_start" }, { setting: "closed_outside_events" }];
      expect(world.body).toMatchObject({ event: { name: "spring" }, warnings });
      eventIs({ name: "spring", shuffle_at_event_start: true, new_users_per_minute: 600 })(world);
    },
  "GET /rooms/demo/events": ({ body }) => expect(body).toMatchObject({ events: [{ name: "spring" }] }),
  "GET /rooms/demo/events/spring/details": ({ body }) =>
    expect(body).toMatchObject({ event: { name: "spring", new_users_per_minute: 600, total_active_users: 1 } }),
  'PATCH /rooms/demo/events/spring total_active_users=5 message="Two for each customer."': eventIs({ total_active_users: 5 }),
  "POST /rooms/demo/events/spring/move minutes=15": eventIs({ event_start_time: "2099-05-01T10:15:00+02:00" }),
  'POST /rooms/demo/events/spring/move event_start_time="2099-05-01T10:30:00+02:00"': eventIs({
    event_start_time: "2099-05-01T10:30:00+02:00",
    event_end_time: "2099-05-01T12:00:00+02:00",
  }),
  'POST /rooms/demo/events/spring/cancel message="The delivery is late. We will write to you."': eventIs({
    cancelled: "The delivery is late. We will write to you.",
  }),
  "DELETE /rooms/demo/events/spring": settingsAre({ events: [] }),
  'POST /rooms/demo/events name="flash" new_users_per_minute=120 event_start_time="2099-06-01T10:00:00+02:00" event_end_time="2099-06-01T11:00:00+02:00"':
    eventIs({ name: "flash" }),
  "POST /rooms/demo/events/flash/start-now": ({ body }) => {
    const { event } = body as { event: { event_start_time: string } };
    expect(Math.abs(Date.parse(event.event_start_time) - Date.now())).toBeLessThan(60_000);
  },
  "DELETE /rooms/demo/events/flash": ({ room }) => expect(room.overrides).not.toHaveProperty("events"),
  "PATCH /rooms/demo total_active_users=3 new_users_per_minute=60": settingsAre({ total_active_users: 3, new_users_per_minute: 60 }),
  "PATCH /rooms/demo total_active_users=2 new_users_per_minute=20": settingsAre({ total_active_users: 2, new_users_per_minute: 20 }),
  'PATCH /rooms/demo message="We open at noon."': settingsAre({ message: "We open at noon." }),
  'PATCH /rooms/demo message="Ten minutes to go."': settingsAre({ message: "Ten minutes to go." }),
  'PATCH /rooms/demo bypass_rules=[{"path": "/webhooks/pay" methods=["POST"]}]': settingsAre({
    bypass_rules: [{ path: "/webhooks/pay", methods: ["POST"] }],
  }),
  "PATCH /rooms/demo bypass_rules=null": settingsAre({ bypass_rules: [] }),
  'PATCH /rooms/demo challenge="pow" challenge_everyone=true': settingsAre({ challenge: "pow", challenge_everyone: true }),
  'PATCH /rooms/demo challenge="pow" join_limit_per_minute=600 join_limit_address_per_minute=120 join_limit_wide_per_minute=600 free_entries=100 under_attack_joins_per_minute=30000':
    settingsAre({ challenge: "pow", free_entries: 100, under_attack_joins_per_minute: 30_000 }),
  "PATCH /rooms/demo join_limit_per_minute=null join_limit_address_per_minute=null join_limit_wide_per_minute=null free_entries=null under_attack_joins_per_minute=null challenge=null":
    settingsAre({ challenge: "off", free_entries: 0, join_limit_per_minute: 0 }),
  'PATCH /rooms/demo slow_down={"max_error_percent": 5 max_p95_ms=3000 floor_per_minute=6}': settingsAre({
    slow_down: { max_error_percent: 5, max_p95_ms: 3_000, floor_per_minute: 6, recover: false },
  }),
  "PATCH /rooms/demo slow_down=null": settingsAre({ slow_down: "off" }),
  'PATCH /rooms/demo webhooks=[{"name": "ops" url="https://ops.example.com/hook"': settingsAre({
    webhooks: [expect.objectContaining({ name: "ops", url: "https://ops.example.com/hook" })],
  }),
  "GET /rooms/demo/webhooks": ({ body }) => expect(body).toMatchObject({ webhooks: [{ name: "ops", given_up: 0 }] }),
  "POST /rooms/demo/webhooks/ops/test": ({ body }) => expect(body).toMatchObject({ webhook: "ops", type: "test" }),
  "PATCH /rooms/demo webhooks=null": settingsAre({ webhooks: [] }),
  "POST /rooms/demo/apply-file": ({ body, room }) => expect([body, room.overrides]).toMatchObject([{ room: "demo", overrides: {} }, {}]),
  "POST /rooms/demo/full-rate": ({ body }) => expect(body).toMatchObject({ done: "full-rate", changed: false }),
  "PATCH /rooms/demo new_users_per_minute=40 total_active_users=4 ramp_minutes=10": ({ room, stats }) => {
    expect(room.settings).toMatchObject({ new_users_per_minute: 40, total_active_users: 4 });
    expect(stats.ramp).toMatchObject({ new_users_per_minute: { to: 40 } });
  },
  "POST /rooms/demo/stop-ramp": switched("stop-ramp", ({ stats }) => expect(stats.ramp).toBeNull()),
  "POST /rooms/demo/under-attack": switched("under-attack", ({ stats }) => expect(stats.under_attack).toMatchObject({ by: "operator" })),
  "POST /rooms/demo/calm": switched("calm", ({ stats }) => expect(stats.under_attack).toBeNull()),
  "PATCH /rooms/demo challenge_everyone=null challenge=null": settingsAre({ challenge: "off", challenge_everyone: false }),
  "PATCH /rooms/demo message=null": settingsAre({ message: "" }),
  "PATCH /rooms/demo message=null total_active_users=null new_users_per_minute=null": ({ room }) => expect(room.overrides).toEqual({}),
  'PATCH /rooms/demo workers_plan="paid" expected_visitors=50000': settingsAre({ workers_plan: "paid", expected_visitors: 50_000 }),
  "PATCH /rooms/demo workers_plan=null expected_visitors=null": settingsAre({ workers_plan: "unknown", expected_visitors: 0 }),
  "GET /rooms/demo/audit?format=csv": ({ body }) => expect(body).toMatch(/^id,at,/),
  "GET /rooms/demo/series?format=csv": ({ body }) => expect(body).toMatch(/^at,/),
  'PATCH /rooms/demo mode="shadow"': settingsAre({ mode: "shadow" }),
  'PATCH /rooms/demo mode="active"': settingsAre({ mode: "active" }),
  "PATCH /rooms/demo staff_places=2": settingsAre({ staff_places: 2 }),
  "PATCH /rooms/demo staff_places=0": settingsAre({ staff_places: 0 }),
  "PATCH /rooms/demo suspended=true": blocked("suspended"),
  "PATCH /rooms/demo suspended=false": notBlocked("suspended"),
  'POST /rooms/demo/invitations expires="2027-06-01T18:00:00+02:00" subjects=["ada@example.com" uses=1': ({ body }) =>
    expect(body).toMatchObject({ invitations: [{ subject: "ada@example.com" }, { subject: "alan@example.com" }] }),
  'POST /rooms/demo/staff-links label="shop floor" hours=8 uses=2': ({ body }) =>
    expect(body).toMatchObject({ id: 1, label: "shop floor", state: "live", link: expect.stringContaining("/staff?to=%2F&token=") }),
  "GET /rooms/demo/staff-links": ({ body }) => expect(body).toMatchObject({ staff_places: 2, staff_places_taken: 0, links: [{ id: 1 }] }),
  "DELETE /rooms/demo/staff-links/1": ({ body }) => expect(body).toMatchObject({ id: 1, state: "revoked" }),
  "POST /rooms/demo/pause": switched("pause", blocked("paused")),
  "POST /rooms/demo/resume": switched("resume", notBlocked("paused")),
  "POST /rooms/demo/stop-joins": switched("stop-joins", ({ room }) => expect(room.switches.joins_stopped).toBe(true)),
  "POST /rooms/demo/allow-joins": switched("allow-joins", ({ room }) => expect(room.switches.joins_stopped).toBe(false)),
  "POST /rooms/demo/sold-out": switched("sold-out", blocked("ended")),
  "POST /rooms/demo/reopen": switched("reopen", notBlocked("ended")),
  "POST /rooms/demo/flush": switched("flush", ({ stats }) => expect(stats).toMatchObject({ waiting: 0, called: 0, inside: 1, ended: 2 })),
  "POST /rooms/demo/end-sessions": switched("end-sessions", ({ stats }) => expect(stats.inside).toBe(0)),
  'POST /rooms/demo/reset confirm="demo"': switched("reset", ({ stats }) => expect(stats).toMatchObject({ generation: 2, issued: 0 })),
};
/** Each with those whose reader is in the terminal that it has set up. */
const DOCUMENTS = [
  ["README.md", []],
  ["docs/operate.md", ["docs/admission.md", "docs/monitoring.md"]],
] as const;
const linesOfFile = async (file: string) => linesOf(await readFile(join(root, file), "utf8"));

let origin: Origin;
let worker: TestWorker | null = null;
let home = "";
/** Ends the clients that a failed test has left. */
const clients: (() => void)[] = [];
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "vestibule-readme-"));
});
afterEach(async () => {
  for (const kill of clients.splice(0)) kill();
  await worker?.stop();
  worker = null;
  await rm(home, { recursive: true, force: true });
});
afterAll(() => origin.stop());

/** With `change`, a PATCH. */
async function admin(path: string, change?: object): Promise<unknown> {
  const reply = await fetch(new URL(`/__vestibule/admin/api${path}`, worker?.url), {
    ...(change && { method: "PATCH", body: JSON.stringify(change) }),
    headers: { Authorization: `Bearer ${TEST_ADMIN_TOKEN}`, "Content-Type": "application/json" },
  });
  return reply.json();
}

/** The shipped demo room, ready to let somebody in. */
async function quiet(): Promise<TestWorker> {
  const started = await startWorker({ origin: origin.url });
  worker = started;
  // A new room has its first entry token after one interval of the rate.
  await expect
    .poll(async () => ((await (await fetch(new URL("/__vestibule/rooms/demo/manifest", started.url))).json()) as Manifest).quiet)
    .toBe(true);
  return started;
}

/** One visitor inside, two in line. */
async function peopled(): Promise<TestWorker> {
  const started = await quiet();
  for (let i = 0; i < 3; i++) await (await new Visitor(started.url).navigate("/")).text();
  return started;
}

/** Runs a line in a shell as the reader's: curl's own settings file leads port 8787 to the Worker, and adds the status to the output. */
function run(setup: readonly string[], line: string): Promise<{ status: number; body: string; trouble: string }> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, CURL_HOME: home };
    execFile("sh", ["-euc", [...setup, line].join("\n")], { cwd: home, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${line}\n${error.message}\n${stderr}`));
      const [, body = "", status = ""] = /^([\s\S]*)\n(\d{3})$/.exec(stdout) ?? [];
      resolve({ status: Number(status), body, trouble: stderr });
    });
  });
}

describe.each(DOCUMENTS)("[DOCS-7] %s", (file, besides) => {
  test("every command of it works as it stands, and does what it says", async () => {
    const own = await linesOfFile(file);
    const first = own.findIndex(isCurl);
    const lines = [...own.slice(0, first), ...(await Promise.all(besides.map(linesOfFile))).flat(), ...own.slice(first)];
    expect(lines.filter((line) => !isCurl(line) && !isSetup(line) && !isOther(line))).toEqual([]);
    const { url } = await peopled();
    await writeFile(join(home, ".dev.vars"), `VESTIBULE_KEYS="${TEST_KEYS}"\nADMIN_TOKEN="${TEST_ADMIN_TOKEN}"\n`);
    await writeCurlrc(url);

    const setup: string[] = [];
    for (const line of lines) {
      if (isSetup(line)) setup.push(line);
      if (!isCurl(line)) continue;
      const request = requestOf(line);
      const { status, body, trouble } = await run(setup, line);
      expect({ line, status, body, trouble }).toMatchObject({ line, status: 200 });
      const world = {
        body: /^[[{]/.test(body) ? (JSON.parse(body) as unknown) : body,
        room: (await admin("/rooms/demo")) as RoomDescription,
        stats: (await admin("/rooms/demo/stats")) as Stats,
      };
      expect(Object.keys(expected)).toContain(request);
      expected[request]?.(world);
    }
    expect(setup.length).toBeGreaterThan(3);
  });
});

test("[DOCS-7] every switch is shown by a command", async () => {
  const shown = new Set((await Promise.all(DOCUMENTS.flat(2).map(linesOfFile))).flat().filter(isCurl).map(requestOf));
  expect([...shown].toSorted()).toEqual(Object.keys(expected).toSorted());
});

/** A shell of the reader's at the Worker: curl finds port 8787 there, and says the status after the body. */
async function writeCurlrc(url: URL): Promise<void> {
  const curlrc = [`connect-to = "127.0.0.1:8787:127.0.0.1:${url.port}"`, 'write-out = "\\n%{http_code}"', 'noproxy = "*"', "max-time = 30"];
  await writeFile(join(home, ".curlrc"), `${curlrc.join("\n")}\n`);
}

/** examples/api-client.ts, asking for a page of the demo room's site; `seen` = what it says of each answer. */
function startClient({ port }: URL) {
  const room = `http://127.0.0.1:${port}/__vestibule/rooms/demo`;
  const child = spawn(process.execPath, [join(root, "examples/api-client.ts"), room, "/for-the-client", join(home, "client.json")]);
  const seen: (string | number | null)[][] = [];
  let [out, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    seen.splice(0, seen.length, ...said.split("\n").flatMap((line) => (/^\[.*\]$/.test(line) ? [JSON.parse(line)] : [])));
  });
  const ended = new Promise<{ code: number | null; out: string; said: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, out, said }));
  });
  const kill = () => void child.kill("SIGKILL");
  clients.push(kill);
  return { seen, ended, kill };
}

test("[DOCS-7] [APP-1] [APP-4] C19 docs/api-clients.md: every command works as it stands; the example client works, is killed, and keeps its place", async () => {
  const { url } = await quiet();
  await writeCurlrc(url);
  const setup: string[] = [];
  const answers: { status: number; body: string }[] = [];
  for (const line of await linesOfFile("docs/api-clients.md")) {
    if (/^(?:[A-Z]+=|token\(\))/.test(line)) setup.push(line);
    else if (line.startsWith("until curl ")) await run(setup, line);
    else answers.push(await run(setup, line));
  }
  const inJson = answers.map(({ status, body }) => [status, body.startsWith("{") ? (JSON.parse(body) as object) : body]);
  expect(inJson).toMatchObject([
    [428, ""],
    [200, ""],
    [200, { slot: 0 }],
    [200, ""],
    [200, expect.stringContaining("origin GET /")],
    [200, { state: "ended", reason: "left" }],
    [428, { code: "cookies-needed" }],
    [200, { slot: 1 }],
    [200, { slot: 1 }],
    [200, { state: "ended", reason: "left" }],
    [expect.any(Number), ""],
    [expect.any(Number), ""],
  ]);
  expect(JSON.parse(await readFile(join(home, "inside.json"), "utf8"))).toMatchObject({ state: "inside", slot: 0 });

  await admin("/rooms/demo", { challenge: "pow", challenge_everyone: true, total_active_users: 3, queue_all: true });
  const { revision } = (await admin("/rooms/demo")) as RoomDescription;
  const manifest = async () => (await (await fetch(new URL("/__vestibule/rooms/demo/manifest", url))).json()) as Manifest;
  await expect.poll(async () => (await manifest()).config).toBe(revision);
  const first = startClient(url);
  await expect.poll(() => first.seen.at(-1)).toMatchObject(["status", 200, "paused", "paused", 2]);
  expect(first.seen.slice(0, 3)).toMatchObject([
    ["join", 428, "cookies-needed", "cookies-needed", null],
    ["join", 403, "challenge", "challenge", null],
    ["join", 200, "paused", "paused", 2],
  ]);
  first.kill();
  expect(await first.ended).toMatchObject({ code: null, out: "" });
  const second = startClient(url);
  await expect.poll(() => second.seen[0]).toEqual(["status", 200, "paused", "paused", 2]);
  await admin("/rooms/demo", { queue_all: null });
  expect(await second.ended).toMatchObject({ code: 0, out: expect.stringMatching(/^200 .*origin GET \/for-the-client/) });
  expect(second.seen.filter(([action]) => action === "join")).toEqual([]);
  expect(origin.received.at(-1)?.header("Vestibule-Status")).toBe("admitted");
  const third = startClient(url);
  expect([await third.ended, third.seen]).toMatchObject([{ code: 0 }, []]);

  // Of the visit nothing is left but the ticket: it goes on in the same place.
  const file = join(home, "client.json");
  const { pass, ...rest } = JSON.parse(await readFile(file, "utf8")) as { pass?: string; ticket?: string };
  await writeFile(file, JSON.stringify(rest));
  const fourth = startClient(url);
  expect(await fourth.ended).toMatchObject({ code: 0 });
  const kept = JSON.parse(await readFile(file, "utf8")) as { pass?: string; ticket?: string };
  expect([pass, kept.pass].map((token) => decodeToken(token ?? "")?.claims)).toMatchObject([{ slot: 2 }, { slot: 2 }]);

  // The operator ends the visits: a new place, and in again.
  await fetch(new URL("/__vestibule/admin/api/rooms/demo/end-sessions", url), {
    method: "POST",
    headers: { Authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
  });
  await expect.poll(async () => (await manifest()).endSessionsBefore, { timeout: 20_000 }).toBeGreaterThan(0);
  const fifth = startClient(url);
  expect(await fifth.ended).toMatchObject({ code: 0, out: expect.stringMatching(/^200 .*origin GET/) });
  expect(decodeToken((JSON.parse(await readFile(file, "utf8")) as { pass?: string }).pass ?? "")?.claims).toMatchObject({ slot: 3 });

  // What the site's `release` leaves in place of the ticket is a newcomer's token: the client joins by it.
  const bare = await fetch(new URL("/__vestibule/rooms/demo/join", url), { method: "POST", headers: { "Idempotency-Key": "any" } });
  await writeFile(file, JSON.stringify({ ticket: ((await bare.json()) as { visitor: string }).visitor }));
  const sixth = startClient(url);
  await expect.poll(() => sixth.seen.some(([action]) => action === "join")).toBe(true);
  expect(await sixth.ended).toMatchObject({ code: 0, out: expect.stringMatching(/^200 .*origin GET/) });
});

test("[DOCS-7] docs/api.md: an app that keeps no cookies gets in as described there", async () => {
  const { url } = await quiet();
  const at = (path: string) => new URL(path, url);
  const check = await fetch(at("/__vestibule/check"), { redirect: "manual" });
  let token = /^vestibule\.demo=([^;]+)/.exec(check.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
  const ask = async (method: string, what: string) => {
    const reply = await fetch(at(`/__vestibule/rooms/demo/${what}`), { method, headers: { Authorization: `Bearer ${token}` } });
    expect([what, reply.status, reply.headers.getSetCookie()]).toEqual([what, 200, []]);
    return (await reply.json()) as { state: string; ticket?: string; pass?: string };
  };
  token = (await ask("POST", "join")).ticket ?? "";
  await expect.poll(async () => (await ask("GET", "status")).state, { interval: 1_000 }).toBe("called");
  const { state, pass } = await ask("POST", "claim");
  expect(state).toBe("inside");
  const cookie = `vestibule.demo=${token}; vestibule-pass.demo=${pass}`;
  const page = await fetch(at("/for-the-app"), { headers: { Cookie: cookie } });
  expect(await page.text()).toContain("origin GET /for-the-app");
  expect(origin.received.at(-1)?.header("Vestibule-Status")).toBe("admitted");
});
