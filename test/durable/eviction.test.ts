/**
 * The Room against the pure line, step by step over random histories: whatever is evicted in between, the Room answers what
 * the line answers when it is rebuilt from what it said was changed. So storage keeps all of it, and the shell adds nothing.
 */
import { describe, expect, it } from "vitest";
import { noteFormer } from "../../durable/line/bounds";
import { supplySalts } from "../../durable/line/draws";
import { exchange } from "../../durable/line/exchange";
import { proceed } from "../../durable/line/schedule";
import { type LineState, newLine } from "../../durable/line/state";
import { loadLine, takeChanges } from "../../durable/line/stored";
import { endSessions, flush, reset, setEnded, setJoinsStopped } from "../../durable/line/switches";
import { manifestOf, statsOf } from "../../durable/line/view";
import type { OperatorSettings, SwitchName } from "../../src/core/admin";
import type { Batch, Reply } from "../../src/core/exchange";
import { parseRoom } from "../../src/core/settings";
import type { RoomSettings } from "../../src/core/settings-types";
import type { Stats } from "../../src/core/stats";
import { isConserved } from "../support/conserved";
import { FakeStore, saltOf, seeded } from "../support/line-world";
import { BASE, batchOf, joinOf, RoomUnderTest, T } from "../support/room";

function settingsFrom(operator: OperatorSettings): RoomSettings {
  const parsed = parseRoom("test", operator);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

/** The pure line with an emulated store. */
class Mirror {
  readonly store = new FakeStore();
  line: LineState | null = null;
  revision = 1;
  operator: OperatorSettings;
  readonly #random: () => number;
  readonly #salt: Uint8Array;

  constructor(
    readonly name: string,
    file: OperatorSettings,
    seed: number,
  ) {
    this.operator = { ...BASE, ...file };
    this.#random = seeded(seed);
    this.#salt = saltOf(seed);
  }

  get settings(): RoomSettings {
    return settingsFrom(this.operator);
  }

  #at(now: number): LineState {
    this.line ??= this.store.counters === null ? newLine(now, this.name) : loadLine(this.store.read(), now, this.name);
    supplySalts(this.line, () => this.#salt);
    return this.line;
  }

  exchange(batch: Batch, now: number): Reply {
    const line = this.#at(now);
    const verdicts = exchange(line, this.settings, batch, now, this.#random);
    const reply = { v: batch.v, ...verdicts, manifest: manifestOf(line, this.settings, this.name, this.revision), config: null };
    this.store.write(takeChanges(line));
    return reply;
  }

  operate(name: SwitchName | "stats", now: number): Stats {
    let line = this.#at(now);
    proceed(line, this.settings, now);
    if (name === "flush") flush(line);
    else if (name === "end-sessions") endSessions(line, this.settings);
    else if (name === "stop-joins" || name === "allow-joins") setJoinsStopped(line, name === "stop-joins");
    else if (name === "sold-out" || name === "reopen") setEnded(line, name === "sold-out");
    else if (name === "reset") line = this.line = reset(line, this.settings);
    else if (name === "pause" || name === "resume") this.change({ queue_all: name === "pause" }, line);
    if (name !== "stats") proceed(line, this.settings, now);
    this.store.write(takeChanges(line));
    return statsOf(line, this.settings, this.name, this.revision);
  }

  change(changes: OperatorSettings, line: LineState): void {
    const former = this.settings;
    this.operator = { ...this.operator, ...changes };
    if (JSON.stringify(this.settings) === JSON.stringify(former)) return;
    this.revision += 1;
    noteFormer(line, former, line.counters.now);
  }
}

interface Holder {
  readonly key: string;
  generation: number;
  slot: number;
  serial: number;
  joinedAtS: number;
}

const SWITCHES: readonly SwitchName[] = [
  "pause",
  "resume",
  "stop-joins",
  "allow-joins",
  "flush",
  "end-sessions",
  "reset",
  "sold-out",
  "reopen",
];

interface History {
  readonly seed: number;
  readonly file: OperatorSettings;
  readonly steps: number;
  readonly evict: (random: () => number) => boolean;
  readonly mirrorReloads: boolean;
  readonly switches: boolean;
  /** What of the reply must be the same. */
  readonly compare: (reply: Reply) => unknown;
}

/** Plays one history on a Room and its mirror; returns the Room, its mirror and who joined. */
async function play(history: History): Promise<{ room: RoomUnderTest; mirror: Mirror; holders: Holder[] }> {
  const { seed, file, steps } = history;
  const random = seeded(seed);
  const below = (n: number) => Math.floor(random() * n);
  const room = new RoomUnderTest(file, seed + 1_000);
  const mirror = new Mirror(room.name, file, seed + 1_000);
  const holders: Holder[] = [];
  let generation = 1;
  for (let step = 0; step < steps; step++) {
    const evicted = step > 0 && history.evict(random);
    if (evicted) {
      await room.evict();
      if (history.mirrorReloads) mirror.line = null;
    }
    // A long silence is believed at once only by a Room that was not in memory meanwhile.
    room.wall += evicted && history.mirrorReloads && below(5) === 0 ? below(900_000) : below(8_000);
    const what = `seed ${seed}, step ${step}`;
    if (history.switches && below(12) === 0) {
      const name = SWITCHES[below(SWITCHES.length)] ?? "resume";
      await room.turn(name, room.name);
      mirror.operate(name, room.wall);
      const { recent: _, ...stats } = await room.stats();
      expect(stats, `${what}: ${name}`).toEqual(mirror.operate("stats", room.wall));
      generation = stats.generation;
      continue;
    }
    const mine = holders.filter((holder) => holder.generation === generation);
    const some = (share: number) => mine.filter(() => random() < share);
    const joining = Array.from({ length: below(4) }, (_, i) => `${seed}-${step}-${i}`);
    const again = mine[below(mine.length + 1)];
    const claims = some(0.3).map((holder) => ({
      holder,
      intent: random() < 0.8 ? ("enter" as const) : ("look" as const),
      tag: 1 + below(2),
    }));
    const renewals = some(0.2).filter((holder) => holder.serial > 0);
    const batch = batchOf({
      generation,
      isolate: below(3),
      joins: [...joining.map((key) => joinOf(key, random() < 0.5)), ...(again ? [joinOf(again.key, true)] : [])],
      claims: claims.map(({ holder, intent, tag }) => ({
        slot: holder.slot,
        serial: holder.serial,
        tag,
        ageMs: 0,
        joinedAtS: holder.joinedAtS,
        intent,
      })),
      renewals: renewals.map((holder) => ({ slot: holder.slot, serial: holder.serial, tag: 1, ageMs: below(50) })),
      leaves: some(0.04).map((holder) => ({ slot: holder.slot, serial: holder.serial })),
      leaseWanted: below(2),
    });
    const reply = await room.exchange(batch);
    expect(history.compare(reply), what).toEqual(history.compare(mirror.exchange(batch, room.wall)));
    for (const [i, key] of joining.entries()) {
      const verdict = reply.joins[i];
      if (verdict === undefined || verdict.as === "refused" || verdict.as === "challenge" || verdict.as === "entry") continue;
      const [slot, serial] = verdict.as === "placed" ? [verdict.slot, 0] : [verdict.pass.slot, verdict.pass.serial];
      holders.push({ key, generation, slot, serial, joinedAtS: verdict.joinedAtS });
    }
    for (const [i, { holder }] of claims.entries()) {
      const verdict = reply.claims[i];
      if (verdict?.as === "entered") holder.serial = verdict.pass.serial;
    }
    for (const [i, holder] of renewals.entries()) {
      const verdict = reply.renewals[i];
      if (verdict?.as === "renewed") holder.serial = verdict.pass.serial;
    }
    if (history.mirrorReloads && below(4) === 0) {
      const { recent: _, ...stats } = await room.stats();
      expect(stats, what).toEqual(mirror.operate("stats", room.wall));
      expect(isConserved(stats), what).toBe(true);
    }
  }
  return { room, mirror, holders };
}

describe("evicting the Room", () => {
  const histories = Array.from({ length: 12 }, (_, i) => i + 1);

  it.each(histories)("[ROOM-3][P7][P6] between any two steps keeps everything that is stored, history %i", async (seed) => {
    const { room, mirror } = await play({
      seed,
      file: { total_active_users: 3 + (seed % 4), new_users_per_minute: [12, 60, 600][seed % 3] ?? 60, session_duration: 1 + (seed % 2) },
      steps: 60,
      evict: (random) => random() < 0.35,
      mirrorReloads: true,
      switches: true,
      compare: (reply) => reply,
    });
    // What the last step left in storage is the mirror's, byte by byte.
    await room.evict();
    const rows = await room.run((_, { storage }) => ({
      steps: storage.sql.exec<{ id: number; data: ArrayBuffer }>("SELECT id, changes AS data FROM steps").toArray(),
      blocks: storage.sql.exec<{ id: number; data: ArrayBuffer }>("SELECT id, data FROM blocks").toArray(),
      gone: storage.sql.exec<{ id: number; data: ArrayBuffer }>("SELECT id, data FROM gone").toArray(),
      joins: storage.sql.exec<{ id: number; data: ArrayBuffer }>("SELECT first_slot AS id, data FROM joins").toArray(),
      counters: storage.sql.exec<{ counters: string }>("SELECT counters FROM steps ORDER BY step DESC LIMIT 1").one().counters,
    }));
    const bytes = (table: Iterable<readonly [number, Uint8Array]>) => Object.fromEntries([...table].map(([id, data]) => [id, [...data]]));
    const records = [...mirror.store.steps].map(([position, [, record]]) => [position, record] as const);
    for (const table of ["steps", "blocks", "gone", "joins"] as const) {
      const stored = rows[table].map(({ id, data }) => [id, new Uint8Array(data)] as const);
      expect(bytes(stored), table).toEqual(bytes(table === "steps" ? records : mirror.store[table]));
    }
    expect(JSON.parse(rows.counters)).toEqual(JSON.parse(mirror.store.counters ?? ""));
  });

  it.each([101, 102, 103, 104])(
    "[ROOM-3][P7] where places are what is scarce, gives the very answers of a Room that never slept, history %i",
    async (seed) => {
      // With entry tokens to spare nothing that is only in memory (who was seen, "one moment") decides anything.
      await play({
        seed,
        file: { total_active_users: 3, new_users_per_minute: 60_000 },
        steps: 25,
        evict: () => true,
        mirrorReloads: false,
        switches: false,
        compare: ({ manifest: { flushAfterMs: _, ...manifest }, share: __, ...reply }) => ({ ...reply, manifest }),
      });
    },
  );
});

describe("a Room's first steps", () => {
  it("[ROOM-1] answers over RPC what it answers inside", async () => {
    const room = new RoomUnderTest();
    await room.run(() => undefined);
    const reply = await room.stub.exchange(batchOf({ joins: [joinOf("a", false), joinOf("b", false)] }));
    expect(reply.joins).toEqual([
      { as: "placed", slot: 0, joinedAtS: T / 1_000 },
      { as: "placed", slot: 1, joinedAtS: T / 1_000 },
    ]);
    expect(reply.manifest).toMatchObject({ v: 1, room: room.name, generation: 1, config: 1, at: T, tail: 2, phase: "open" });
    expect(await room.stub.config(1)).toMatchObject({ revision: 1, settings: { totalActiveUsers: 5 } });
  });
});

describe("what is stored of joins", () => {
  it("[ROOM-3][P12] is bounded, and is never less than what a restart needs", async () => {
    const room = new RoomUnderTest({ total_active_users: 1 });
    const batch = 4_096;
    let joined = 0;
    for (let i = 0; i < 20; i++) {
      room.wall += 50_000;
      await room.join(...Array.from({ length: batch }, () => `v${joined++}`));
    }
    const rows = await room.run((_, { storage }) => storage.sql.exec<{ first_slot: number }>("SELECT first_slot FROM joins").toArray());
    // The newest 16,384, and what is in one row with the oldest of them or was still needed when there last was a new row.
    const oldest = joined - 16_384;
    expect(rows[0]?.first_slot).toBeLessThanOrEqual(oldest);
    expect(rows[0]?.first_slot).toBeGreaterThanOrEqual(oldest - 6 * batch);
    await room.evict();
    const { joins } = await room.join(`v${oldest}`, `v${joined - 1}`, "new");
    expect(joins).toMatchObject([{ slot: oldest }, { slot: joined - 1 }, { slot: joined }]);
  });
});
