/**
 * `npm run crowd`: 300 visitors before the built Worker, judged by what they met and by the site's own log; and the command itself:
 * what it refuses, that it ends, that it finds out a room which breaks its promises.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { now } from "../../scripts/lib/crowd-http.mjs";
import { fullestWindow, mostAtOnce } from "../../scripts/lib/crowd-judge.mjs";
import { OWN_PAGES, OWN_ROOM, OWN_SETTINGS } from "../../scripts/lib/crowd-own.mjs";
import { runCrowd } from "../../scripts/lib/crowd-run.mjs";
import { root } from "../support/bundle";
import { type Handler, type Origin, startOrigin } from "../support/origin";
import { processesWith } from "../support/project-copy";
import { startWorker, type TestWorker } from "../support/worker";

const VISITORS = 300;
const CAPACITY = 40;
const RATE = 240;
const SEED = 20_261_129;

describe("300 visitors, 40 places, 240 entries a minute, sessions of seconds", () => {
  interface Session {
    readonly first: number;
    last: number;
  }
  const sessions = new Map<string, Session>();
  const statuses = new Map<string, number>();
  let origin: Origin;
  let worker: TestWorker;
  let met: Awaited<ReturnType<typeof runCrowd>>;

  beforeAll(async () => {
    origin = await startOrigin((_, response, received) => {
      const at = now();
      const status = received.header("Vestibule-Status") ?? "none";
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const id = received.header("Vestibule-Session");
      const known = id === null ? undefined : sessions.get(id);
      if (known) known.last = at;
      else if (id !== null) sessions.set(id, { first: at, last: at });
      response.setHeader("Content-Type", "text/html");
      response.end("<!doctype html><title>Shop</title>");
    });
    worker = await startWorker({ rooms: { [OWN_ROOM]: OWN_SETTINGS }, origin: origin.url });
    met = await runCrowd({
      target: worker.url,
      room: OWN_ROOM,
      adminToken: worker.adminToken,
      visitors: VISITORS,
      seconds: 120,
      seed: SEED,
      pages: OWN_PAGES,
      say: () => undefined,
    });
  }, 150_000);

  afterAll(async () => {
    await worker.stop();
    await origin.stop();
  });

  test("[CROWD-5] [CROWD-2] all of them got in, one entry each, and ended by their own will", () => {
    expect(OWN_SETTINGS).toMatchObject({ total_active_users: CAPACITY, new_users_per_minute: RATE });
    expect(met.diaries.map(({ entries }) => entries.filter(({ again }) => !again).length)).toEqual(Array(VISITORS).fill(1));
    const outcomes = new Set(met.diaries.map(({ outcome }) => outcome));
    expect(outcomes).toContain("left");
    expect(outcomes).toContain("fell silent");
    expect(outcomes).not.toContain("waiting");
  });

  test("[CROWD-5] [CROWD-4] [P1] [P2] [P4] [P5] [P6] [P9] every promise was kept, by what they met and by the room's numbers", () => {
    expect(met.checks.filter(({ kept }) => !kept)).toEqual([]);
    expect(new Set(met.checks.map(({ promise }) => promise))).toEqual(new Set(["P1", "P2", "P4", "P5", "P6", "P9"]));
    // The crowd was large enough for both limits to matter.
    const most = Math.max(...met.samples.map(({ stats }) => stats.inside + stats.leaving + stats.places_held + stats.places_leased));
    expect(most).toBeGreaterThan(CAPACITY * 0.8);
    expect(Math.max(...met.samples.map(({ stats }) => stats.waiting))).toBeGreaterThan(VISITORS / 2);
  });

  test("[P9] C19 who looked away while waiting still got in", () => {
    expect(met.diaries.filter(({ naps }) => naps > 0).length).toBeGreaterThan(VISITORS / 20);
    const places = met.diaries.flatMap(({ places: all }) => all);
    expect(places).toHaveLength(VISITORS);
    expect(met.diaries.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test("[P1] the site never saw more sessions at one moment than there are places", () => {
    const spans = [...sessions.values()].map(({ first, last }) => ({ from: first, to: last }));
    expect(spans).toHaveLength(VISITORS);
    expect(mostAtOnce(spans)).toBeLessThanOrEqual(CAPACITY);
  });

  test("[P2] the site never saw new sessions come faster than they may enter", () => {
    const entries = met.diaries.flatMap(({ entries: all }) => all).filter(({ again }) => !again);
    const spans = entries.map(({ generation, slot, from }) => {
      const seen = sessions.get(`${generation}.${slot}`);
      return { from, to: seen?.first ?? Number.NaN };
    });
    // The entry was granted after the visitor asked and before the site saw the visitor.
    expect(spans.every(({ from, to }) => from <= to)).toBe(true);
    const { entries: found, allowed } = fullestWindow(spans, RATE);
    expect(found).toBeLessThanOrEqual(allowed);
  });

  test("[P1] nothing reached the site but by a pass or a leased unit", () => {
    expect([...statuses.keys()].filter((status) => status !== "admitted" && status !== "unproven")).toEqual([]);
    expect(statuses.get("admitted")).toBeGreaterThanOrEqual(2 * VISITORS);
    const unproven = met.diaries.reduce((sum, diary) => sum + diary.unproven, 0);
    expect(statuses.get("unproven") ?? 0).toBe(unproven);
  });
});

describe("the command", () => {
  const mark = randomUUID();

  interface Run {
    readonly child: ChildProcess;
    readonly finished: Promise<{ readonly code: number | null; readonly output: string }>;
    says(text: string): Promise<void>;
  }

  function crowd(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Run {
    const env = { ...process.env, VESTIBULE_TEST_MARK: mark, ADMIN_TOKEN: "none", ...environment };
    const child = spawn(process.execPath, ["scripts/crowd.mjs", ...args], { cwd: root, env });
    let output = "";
    const said = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        for (const wake of said) wake();
      });
    const finished = once(child, "close").then(([code]: unknown[]) => ({ code: code as number | null, output }));
    return {
      child,
      finished,
      says: (text) =>
        new Promise((resolve, reject) => {
          const look = () => output.includes(text) && resolve();
          said.add(look);
          look();
          void finished.then(() => reject(new Error(`ended without saying "${text}":\n${output}`)));
        }),
    };
  }

  test.each([
    ["another computer", ["--target", "http://shop.example.com/"], '"http://shop.example.com/"'],
    ["an unknown flag", ["--targt", "http://127.0.0.1:1"], "--targt"],
    ["no visitors", ["--visitors", "0"], '"0"'],
    ["too many", ["--visitors", "2001"], '"2001"'],
    ["time without end", ["--seconds", "Infinity"], '"Infinity"'],
    ["a path that is none", ["--target", "http://127.0.0.1:1", "--path", "shop"], '"shop"'],
    ["hostility against another's room", ["--target", "http://127.0.0.1:1", "--hostile", "9"], "--hostile"],
  ])("[CROWD-1] [CROWD-3] refuses %s by name", async (_, args, named) => {
    const { code, output } = await crowd(args).finished;
    expect({ code, named: output.split("\n")[0] }).toEqual({ code: 2, named: expect.stringContaining(named) });
  });

  test("[CROWD-3] where nothing listens, it says so and how to start it", async () => {
    const { code, output } = await crowd(["--target", "http://127.0.0.1:1"]).finished;
    expect([code, output]).toEqual([1, expect.stringContaining("Nothing listens at http://127.0.0.1:1")]);
  });

  test("[CROWD-3] [CROWD-4] alone: starts a room, sends its crowd, prints the table, and leaves nothing running", async () => {
    const { code, output } = await crowd(["--visitors", "6", "--seed", "3"]).finished;
    expect(output).toContain("All promises kept.");
    expect(output).toMatch(/^P1 .* kept$/m);
    expect(output).toMatch(/^6 entries, /m);
    expect(code).toBe(0);
    expect(processesWith("VESTIBULE_TEST_MARK", mark)).toEqual([]);
  });

  test("[CROWD-3] interrupted, it judges what there was and stops what it started", async () => {
    const running = crowd(["--visitors", "100"]);
    await running.says(" in line ");
    running.child.kill("SIGINT");
    const { output } = await running.finished;
    expect(output).toContain("what was looked at");
    expect(output).not.toContain("BROKEN");
    expect(processesWith("VESTIBULE_TEST_MARK", mark)).toEqual([]);
  });

  test("[CROWD-2] [CROWD-3] who is told to wait asks as told, with cookies of their own, until the time is over", async () => {
    const POLL_MS = 2_000;
    const asked = new Map<string, number[]>();
    const answers = leakyRoom();
    const slow = await startOrigin((request, response, received) => {
      const cookie = received.header("Cookie") ?? "";
      if (request.url === "/__vestibule/rooms/leaky/status") asked.set(cookie, [...(asked.get(cookie) ?? []), now()]);
      else if (request.url !== "/") return answers(request, response, received);
      const status = { state: "waiting", slot: null, ahead: 1, pollAfterMs: POLL_MS, reason: null };
      const isPage = request.url === "/";
      if (isPage) response.setHeader("Set-Cookie", `vestibule.leaky=visitor-${asked.size}-${randomUUID()}; Path=/`);
      response.setHeader("Content-Type", isPage ? "text/html" : "application/json");
      response.end(isPage ? `<script type="application/json" id="data">${JSON.stringify({ status })}</script>` : JSON.stringify(status));
    });
    try {
      const { output } = await crowd(["--target", slow.url, "--visitors", "4", "--seconds", "12", "--seed", "1"]).finished;
      expect(output).toContain("Visitors: 4 waiting");
      expect(asked.size).toBe(4);
      const gaps = [...asked.values()].flatMap((times) => times.slice(1).map((time, i) => time - (times[i] ?? 0)));
      expect(gaps.length).toBeGreaterThan(4);
      // A millisecond or two for timers that fire early.
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(POLL_MS * 0.75 - 5);
    } finally {
      await slow.stop();
    }
  });

  test("[CROWD-4] a room that lets everybody in is found out", async () => {
    const leaky = await startOrigin(leakyRoom());
    try {
      const { code, output } = await crowd(["--target", leaky.url, "--visitors", "10", "--seconds", "20"]).finished;
      expect(output).toContain("BROKEN: P1, P2");
      expect(output).toMatch(/^P5 .* kept$/m);
      expect(code).toBe(1);
    } finally {
      await leaky.stop();
    }
  });

  test("[CROWD-4] a crowd of which nobody gets in shows nothing, and does not pass", async () => {
    const closed = await startOrigin(leakyRoom({ letsIn: false }));
    try {
      const { code, output } = await crowd(["--target", closed.url, "--visitors", "3", "--seconds", "1"]).finished;
      expect([code, output]).toEqual([1, expect.stringContaining("Nobody went in")]);
    } finally {
      await closed.stop();
    }
  });
});

/** A room of two places that hands out passes to everybody, or to nobody, whatever its numbers say. */
function leakyRoom({ letsIn = true } = {}): Handler {
  let slots = 0;
  const numbers = { generation: 1, total_active_users: 2, new_users_per_minute: 60, waiting: 0, called: 0, inside: 0, lapsed: 0 };
  const stats = { ...numbers, passed_over: 0, missed: 0, returning: 0, leaving: 0, ended: 0, issued: 0, places_held: 0, places_leased: 0 };
  const answers: Record<string, unknown> = {
    "/__vestibule/admin/api/rooms": { rooms: [{ room: "leaky" }] },
    "/__vestibule/admin/api/rooms/leaky": { settings: { revoke_bound_seconds: 3 } },
    "/__vestibule/admin/api/rooms/leaky/stats": stats,
    "/__vestibule/rooms/leaky/manifest": { endSessionsBefore: 0 },
    "/__vestibule/rooms/leaky/leave": { state: "ended", reason: "left", slot: null },
  };
  const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
  return (request, response) => {
    const known = answers[request.url ?? ""];
    response.setHeader("Content-Type", known === undefined ? "text/html" : "application/json");
    if (known === undefined && letsIn && !request.headers.cookie) {
      const iat = Math.floor(Date.now() / 1_000);
      const claims = { r: "leaky", g: 1, s: slots++, iat, exp: iat + 60 };
      response.setHeader("Set-Cookie", [
        `vestibule.leaky=${token(claims)}; Path=/`,
        `vestibule-pass.leaky=${token({ ...claims, n: 1 })}; Path=/`,
      ]);
    }
    response.end(known === undefined ? "<!doctype html><title>Shop</title>" : JSON.stringify(known));
  };
}
