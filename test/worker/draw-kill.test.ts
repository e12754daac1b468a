/**
 * Draws on a real workerd with its storage on disk, which is killed (`kill -9`) at each step of them: while entries are counted, between the
 * cut-off and the random number, at the very moment when that comes, and afterwards. The random numbers come from a server on this computer
 * that is in time, late, wrong or silent.
 */
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { roundAfter } from "../../src/core/drand";
import type { DrawRecord } from "../../src/core/draw";
import { checkRecord, slotOf } from "../../src/core/draw-sync";
import type { Status } from "../../src/core/status";
import { send } from "../support/http";
import { Visitor } from "../support/jar";
import { PATIENCE } from "../support/patience";
import { startWorker, type TestWorker } from "../support/worker";

const ROOMS = ["silent", "prompt", "late", "wrong", "none"] as const;
type RoomName = (typeof ROOMS)[number];

const VISITORS = 8;
/** Long enough for a slow computer to start the Worker twice and let everybody enter. */
const LOBBY_S = 50;
/** Rooms start three seconds apart, so that each waits for a round of its own. */
const APART_S = 3;
const LATE_MS = 4_000;
/** Only the silent round is given up: the others come after whatever a slow computer takes to start again. */
const SILENCE_S = 15;
const BEACON_WAIT_S = 200;
const POLL = { ...PATIENCE, interval: 250 };

let worker: TestWorker;
let drand: Server;
let startsAt: Record<RoomName, number>;
/** The round of the room `prompt` is out from the moment on that this is set; called when it has just been sent. */
let onPrompt: (() => void) | undefined;
let asked: Map<number, { first: number; times: number }>;
let visitors: Record<RoomName, Visitor[]>;

const timeOf = (ms: number) => new Date(ms).toISOString();

function answerOf(round: number): { readonly round: number; readonly randomness: string; readonly signature: string } {
  const signature = createHash("sha384").update(`round ${round}`).digest("hex");
  return { round, signature, randomness: createHash("sha256").update(Buffer.from(signature, "hex")).digest("hex") };
}

// A second try begins with lobbies of its own: those of the first are over.
beforeEach(async () => {
  onPrompt = undefined;
  asked = new Map();
  visitors = { prompt: [], late: [], wrong: [], silent: [], none: [] };
  drand = createServer((request, response) => {
    const round = Number(request.url?.split("/").at(-1));
    const seen = asked.get(round) ?? { first: Date.now(), times: 0 };
    seen.times += 1;
    asked.set(round, seen);
    const is = (room: RoomName) => round === roundAfter(startsAt[room]);
    if (is("silent")) return;
    if ((is("prompt") && !onPrompt) || (is("late") && Date.now() - seen.first < LATE_MS)) {
      response.writeHead(425).end();
      return;
    }
    const answer = answerOf(round);
    const wrong = is("wrong") && seen.times === 1;
    response.end(JSON.stringify(wrong ? { ...answer, randomness: "00".repeat(32) } : answer));
    if (is("prompt")) response.once("close", () => onPrompt?.());
  });
  await new Promise<void>((resolve) => drand.listen(0, "127.0.0.1", resolve));
  const now = Math.ceil(Date.now() / 1_000) * 1_000 + 4_000;
  startsAt = Object.fromEntries(ROOMS.map((room, i) => [room, now + (LOBBY_S + i * APART_S) * 1_000])) as Record<RoomName, number>;
  const rooms = Object.fromEntries(
    ROOMS.map((room) => [
      room,
      {
        host: "*",
        path: `/${room}`,
        total_active_users: 100,
        new_users_per_minute: 60,
        beacon: room === "none" ? "none" : "drand",
        beacon_wait_seconds: room === "silent" ? SILENCE_S : BEACON_WAIT_S,
        public_totals: "exact",
        events: [
          {
            name: "sale",
            prequeue_start_time: timeOf(now - 60_000),
            event_start_time: timeOf(startsAt[room]),
            event_end_time: timeOf(now + 3_600_000),
            shuffle_at_event_start: true,
          },
        ],
      },
    ]),
  );
  const { port } = drand.address() as AddressInfo;
  worker = await startWorker({ rooms, vars: { DRAND_URL: `http://127.0.0.1:${port}` }, origin: `http://127.0.0.1:${port}` });
});

afterEach(async () => {
  await worker.stop();
  drand.closeAllConnections();
  await new Promise((resolve) => drand.close(resolve));
});

async function crash(): Promise<void> {
  await worker.kill9();
  await worker.restart();
}

async function statusOf(room: RoomName, visitor: Visitor): Promise<Status> {
  return (await visitor.fetch(`/__vestibule/rooms/${room}/status`)).json() as Promise<Status>;
}

async function recordOf(room: RoomName): Promise<DrawRecord> {
  const response = await send(new URL(`/__vestibule/rooms/${room}/draws/1`, worker.url));
  return (await response.json()) as DrawRecord;
}

const isDrawn = (record: DrawRecord) => record.seed !== undefined;

test("[P13][P7][P5] killed at each step of a draw: one draw, the same for ever; in time, late, wrong, silent and without a beacon", async () => {
  const enter = async (room: RoomName, count: number) => {
    for (let i = 0; i < count; i++) {
      const visitor = new Visitor(worker.url);
      await visitor.navigate(`/${room}/shop`);
      expect((await statusOf(room, visitor)).state, room).toBe("lobby");
      visitors[room].push(visitor);
    }
  };
  for (const room of ROOMS) await enter(room, VISITORS / 2);
  const commitments = await Promise.all(ROOMS.map(async (room) => (await recordOf(room)).commitment));
  const entriesBefore = await Promise.all(visitors.prompt.map(async (visitor) => (await statusOf("prompt", visitor)).draw?.entry));

  // While entries are counted.
  await crash();
  const entriesAfter = await Promise.all(visitors.prompt.map(async (visitor) => (await statusOf("prompt", visitor)).draw?.entry));
  expect(entriesAfter).toEqual(entriesBefore);
  for (const room of ROOMS) await enter(room, VISITORS / 2);
  expect(Date.now(), "this computer is too slow for a lobby of seconds").toBeLessThan(startsAt.silent);

  // Between the cut-off and the random number.
  await vi.waitFor(async () => expect((await statusOf("prompt", visitors.prompt[0] as Visitor)).state).toBe("drawing"), POLL);
  await crash();
  expect((await statusOf("prompt", visitors.prompt[0] as Visitor)).state).toBe("drawing");
  const cutoff = await recordOf("prompt");
  expect(cutoff.count).toBe(VISITORS);
  expect(JSON.stringify(cutoff)).not.toMatch(/"(?:salt|seed)":"/);

  // At the very moment when it comes.
  await new Promise<void>((resolve, reject) => {
    onPrompt = () => {
      onPrompt = () => undefined;
      crash().then(resolve, reject);
    };
    // Nothing but questions and the alarm makes the Room ask.
    void vi.waitFor(async () => expect(isDrawn(await recordOf("prompt"))).toBe(true), POLL).catch(() => undefined);
  });
  await vi.waitFor(async () => expect(isDrawn(await recordOf("prompt"))).toBe(true), POLL);
  const prompt = await recordOf("prompt");
  await crash();
  expect(await recordOf("prompt")).toEqual(prompt);

  // All the others, and once more after a crash.
  await vi.waitFor(async () => {
    for (const room of ROOMS) expect(isDrawn(await recordOf(room)), room).toBe(true);
  }, POLL);
  const records = Object.fromEntries(await Promise.all(ROOMS.map(async (room) => [room, await recordOf(room)] as const)));
  await crash();
  for (const [i, room] of ROOMS.entries()) {
    const record = records[room] as DrawRecord;
    expect(await recordOf(room), room).toEqual(record);
    expect(checkRecord(record), room).toEqual([]);
    expect(record.commitment, room).toBe(commitments[i]);
    expect(record.count, room).toBe(VISITORS);
    const { round } = { round: 0, ...record.beacon };
    if (room === "none") expect(record.beacon).toEqual({ source: "none" });
    else expect(round, room).toBe(roundAfter(startsAt[room]));
    if (room === "silent") expect(record.beacon).toMatchObject({ fallback: true });
    else if (room !== "none") expect(record.beacon, room).toMatchObject({ randomness: answerOf(round).randomness });
    const latest = await send(new URL(`/__vestibule/rooms/${room}/draws/latest`, worker.url));
    expect(await latest.json(), room).toEqual(record);
    // What each visitor is told follows from the record and their entry, and no two have the same.
    const statuses = await Promise.all(visitors[room].map((visitor) => statusOf(room, visitor)));
    const slots = statuses.map(({ slot, draw }) => {
      expect(slot, room).toBe(slotOf(record, draw?.entry ?? -1));
      return slot;
    });
    expect(new Set(slots).size, room).toBe(VISITORS);
    expect(statuses.map(({ draw }) => draw?.entry).sort(), room).toEqual(Array.from({ length: VISITORS }, (_, entry) => entry));
  }
  expect(worker.logs.filter(({ message }) => /exchange-failed|gate-failed|alarm-failed/.test(message))).toEqual([]);
});
