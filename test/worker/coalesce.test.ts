/**
 * Many first requests at once, and clients that hang up, before the built Worker with its real Room: every place is given once, in few
 * calls, and nobody is left hanging. The faults of a Room that answers as told are in `client.test.ts`.
 */
import { describe, expect, test } from "vitest";
import { importKeyRing, newVisitorKey, signToken } from "../../src/keys";
import { told } from "../support/gate-rig";
import { send } from "../support/http";
import { type Origin, startOrigin } from "../support/origin";
import { shared } from "../support/second-try";
import { startWorker, TEST_KEYS, type TestWorker } from "../support/worker";

const ROOM = { total_active_users: 1, new_users_per_minute: 60, join_limit_per_minute: 0 };
/** Nobody enters them, however slow this computer is: whoever asks is told a place. */
const PAUSED_ROOMS = ["crowd", "spread", "aborted", "cold"];
const NAVIGATION = { Accept: "text/html", "Sec-Fetch-Dest": "document" };

let origin: Origin;
let worker: TestWorker;
shared(
  async () => {
    origin = await startOrigin();
    const paused = PAUSED_ROOMS.map((room) => [room, { ...ROOM, host: `${room}.test`, queue_all: true }] as const);
    const rooms = { ...Object.fromEntries(paused), after: { ...ROOM, host: "after.test" } };
    worker = await startWorker({ origin: origin.url, rooms, isolates: 3 });
  },
  async () => {
    await worker.stop();
    await origin.stop();
  },
);

async function tokens(room: string, count: number): Promise<string[]> {
  const imported = await importKeyRing(TEST_KEYS);
  if (!imported.ok) throw new Error(imported.problem);
  const { ring } = imported;
  const iat = Math.floor(Date.now() / 1_000);
  return Promise.all(
    Array.from({ length: count }, () => signToken(ring, { kind: "visitor", room, key: newVisitorKey(), iat, exp: iat + 3_600 })),
  );
}

interface Asking {
  readonly isolate?: number;
  readonly abortMs?: number;
}

/** A page load with this token; null when the client hung up before there was an answer. */
async function open(room: string, token: string, { isolate = 0, abortMs }: Asking = {}): Promise<Response | null> {
  const headers = { Host: `${room}.test`, Cookie: `vestibule.${room}=${token}`, ...NAVIGATION };
  const url = new URL("/shop", worker.urls[isolate] ?? worker.url);
  const ask = () => send(url, { headers, ...(abortMs === undefined ? {} : { signal: AbortSignal.timeout(abortMs) }) });
  if (abortMs !== undefined) return ask().catch(() => null);
  // On a slow computer two seconds may pass before the answer: then the page asks again.
  for (let tries = 1; ; tries++) {
    const reply = await ask();
    if (tries === 10 || (await told(reply.clone()))?.state !== "joining") return reply;
  }
}

/** Slots that were told. */
async function slotsOf(replies: readonly (Response | null)[]): Promise<number[]> {
  const statuses = await Promise.all(replies.map(async (reply) => (reply === null ? null : await told(reply))));
  expect(statuses.filter((status) => status?.slot === null || status === null)).toEqual([]);
  return statuses.map((status) => status?.slot ?? Number.NaN).sort((a, b) => a - b);
}

/** Exchanges that gave places: steps after which there were more of them than before. */
async function joiningCalls(room: string): Promise<number> {
  const counts = "SELECT DISTINCT json_extract(counters, '$.totals.joined') AS joined FROM steps";
  const [row] = (await worker.sql(room, `SELECT count(*) AS calls FROM (${counts}) WHERE joined > 0`)) as [{ calls: number }];
  return row.calls;
}

const all = (count: number) => Array.from({ length: count }, (_, slot) => slot);

describe("200 first requests in parallel", () => {
  test("[GATE-30] [P5] on one cold isolate: all answered, each with a place of its own, in a handful of calls", async () => {
    const visitors = await tokens("crowd", 200);
    const replies = await Promise.all(visitors.map((token) => open("crowd", token)));
    expect(await slotsOf(replies)).toEqual(all(200));
    expect(await joiningCalls("crowd")).toBeLessThan(20);
  });

  test("[GATE-30] [P5] over three isolates, each token twice: still one place for each", async () => {
    const visitors = await tokens("spread", 100);
    const asked = visitors.flatMap((token, i) => [
      open("spread", token, { isolate: i % 3 }),
      open("spread", token, { isolate: (i + 1) % 3 }),
    ]);
    const slots = await slotsOf(await Promise.all(asked));
    expect(slots).toEqual(all(100).flatMap((slot) => [slot, slot]));
  });
});

describe("clients that hang up", () => {
  test("[GATE-31] O3 C38 300 cold starts given up after 50 ms, then 100 people: all of those are served", async () => {
    const gone = await tokens("aborted", 300);
    await Promise.all(gone.map((token) => open("aborted", token, { abortMs: 50 })));
    const people = await tokens("aborted", 100);
    const slots = await slotsOf(await Promise.all(people.map((token) => open("aborted", token))));
    expect(new Set(slots).size).toBe(100);
    // Who hung up and comes back has one place, whether the first request had given it or not.
    const back = await slotsOf(await Promise.all(gone.map((token) => open("aborted", token))));
    expect(new Set([...slots, ...back]).size).toBe(400);
    expect(Math.max(...slots, ...back)).toBe(399);
  });

  test("[GATE-31] O3 C37 the very first question for a manifest given up after 10 ms, then 50 people", async () => {
    const [first = "", ...people] = await tokens("cold", 51);
    await open("cold", first, { abortMs: 10 });
    expect(new Set(await slotsOf(await Promise.all(people.map((token) => open("cold", token))))).size).toBe(50);
  });

  test("[GATE-31] C72 again and again while people come: the line goes on, and lets in", async () => {
    const [someone = "", ...rest] = await tokens("after", 201);
    await expect
      .poll(async () => (await send(new URL("/__vestibule/rooms/after/manifest", worker.url), { headers: { Host: "after.test" } })).json())
      .toMatchObject({ quiet: true });
    const served: Promise<Response | null>[] = [open("after", someone)];
    for (let i = 0; i < rest.length; i += 10) {
      const [stays = "", ...leave] = rest.slice(i, i + 10);
      served.push(open("after", stays));
      await Promise.all(leave.map((token, n) => open("after", token, { abortMs: 2 + 3 * n })));
    }
    const [inside, ...waiting] = await Promise.all(served);
    expect(await inside?.text()).toContain("origin GET /shop");
    expect(new Set(await slotsOf(waiting)).size).toBe(20);
    expect(origin.received.filter((received) => received.header("X-Forwarded-Host") === "after.test")).toHaveLength(1);
  });
});
