/** Recent joins under more of them than a Room can keep: what is kept, what it takes, and what comes back from storage. */
import { describe, expect, it } from "vitest";
import { RecentJoins } from "../../durable/line/recent-joins";
import { heapOf } from "../support/heap";
import { START } from "../support/line-world";

const MB = 1_048_576;
const CHAIN = new Uint8Array(32).fill(7);
const UNPROVEN = { proof: 0, limited: true, slack: [], beyond: false };
const from = (network: number) => ({ network, address: 0, wide: 0 });
const keyOf = (n: number) => `key-${String(n).padStart(12, "0")}-rest`;

/** `count` entries of a draw, evenly within `ms`, in batches; each from a network of its own, `firstNetwork` being the first's. */
function crowd(count: number, ms: number, batch: number, firstNetwork = 1): { recent: RecentJoins; rows: Map<number, Uint8Array> } {
  const recent = new RecentJoins();
  const rows = new Map<number, Uint8Array>();
  for (let first = 0; first < count; first += batch) {
    const now = START + Math.floor((ms * first) / count);
    for (let n = first; n < first + batch; n++)
      recent.add(keyOf(n), from(firstNetwork + n), UNPROVEN, { join: n, draw: 1, number: n }, now);
    recent.sealEntries(CHAIN);
    const { joins, forgetBelow } = recent.takeChanges();
    for (const [join, data] of joins) rows.set(join, data);
    for (const join of rows.keys()) {
      if (join >= forgetBelow) break;
      rows.delete(join);
    }
  }
  return { recent, rows };
}

function loaded(rows: ReadonlyMap<number, Uint8Array>): RecentJoins {
  const recent = new RecentJoins();
  for (const [join, data] of rows) recent.load(join, data);
  return recent;
}

describe("[P12] recent joins", () => {
  const COUNT = 300_000;
  const FIRST_NETWORK = 500;
  interface Kept {
    readonly recent: RecentJoins;
    readonly again: RecentJoins;
  }
  let kept: Kept | null = null;
  /** More than are kept, all within a minute: as they came, and as they come back from storage. Made once. */
  const keptJoins = (): Kept => {
    if (kept === null) {
      const { recent, rows } = crowd(COUNT, 50_000, 100, FIRST_NETWORK);
      kept = { recent, again: loaded(rows) };
    }
    return kept;
  };

  it.each([
    ["400,000 in two minutes", 400_000, 119_000, 40],
    ["one by one", 60_000, 119_000, 1],
    ["more than there is room for", 600_000, 40_000, 1_000],
  ])("take no more than 27 MB of the object's 128 whatever comes: %s, each from a network of its own", (_, count, ms, batch) => {
    const { made, bytes } = heapOf(() => crowd(count, ms, batch).recent);
    expect(bytes / MB).toBeLessThan(27);
    // What is reported is what is there.
    expect(made.bytes).toBeGreaterThan(0.8 * bytes);
    expect(made.bytes).toBeLessThan(2 * bytes);
  });

  it("[P5] [P7] keep the newest 262,144 and forget the oldest first, the same after a restart", () => {
    const { recent, again } = keptJoins();
    for (const each of [recent, again]) {
      expect(each.size).toBeGreaterThan(262_000);
      expect(each.size).toBeLessThanOrEqual(262_144);
      const oldest = COUNT - each.size;
      for (let n = 0; n < COUNT; n += 997) {
        const found = each.find(keyOf(n));
        if (n < oldest) expect(found, `join ${n}`).toBeNull();
        else expect(found, `join ${n}`).toMatchObject({ draw: 1, number: n });
      }
    }
  });

  it("[LINE-6] the join limit counts what is no longer remembered, also after a restart, and forgets it with its minute", () => {
    const { recent, again } = keptJoins();
    for (const each of [recent, again]) {
      expect(each.find(keyOf(0))).toBeNull();
      expect(each.limitsOf(from(FIRST_NETWORK), from(1), START + 59_999).isOver).toBe(true);
      expect(each.limitsOf(from(FIRST_NETWORK), from(2), START + 59_999).isOver).toBe(false);
      expect(each.limitsOf(from(FIRST_NETWORK), from(1), START + 60_000).isOver).toBe(false);
    }
    for (let n = 0; n < 20; n++)
      recent.add(keyOf(400_000 + n), from(0), UNPROVEN, { join: 400_000 + n, draw: null, number: n }, START + 260_000 + n);
    expect(recent.takeChanges().forgetBelow).toBeGreaterThan(280_000);
    expect(recent.size).toBeLessThan(17_000);
  });

  it("[ASK-1][ASK-2][P7] after a restart windows begin where they began, though the joins before them are no longer stored", () => {
    const recent = new RecentJoins();
    const rows = new Map<number, Uint8Array>();
    let join = 0;
    const add = (network: number, now: number) => {
      recent.add(keyOf(join), from(network), UNPROVEN, { join, draw: null, number: join }, now);
      join += 1;
    };
    for (let second = 0; second < 600; second += 5) {
      const now = START + 1_000 * second;
      for (let n = 0; n < 700; n++) add(0, now);
      // Without a pause: each window begins where the one before ended, never in the middle of what is stored.
      if (second % 10 === 0) add(7, now);
      const { joins, forgetBelow } = recent.takeChanges();
      for (const [first, data] of joins) rows.set(first, data);
      for (const first of rows.keys()) if (first < forgetBelow) rows.delete(first);
      if (second % 35 !== 0) continue;
      const again = loaded(rows);
      for (let limit = 1; limit <= 7; limit++)
        expect(again.limitsOf(from(7), from(limit), now), `${second} s, limit ${limit}`).toEqual(
          recent.limitsOf(from(7), from(limit), now),
        );
    }
    expect(rows.size).toBeLessThan(60);
  });

  it("[P5] of a key that joined twice the newer join is found, however many share its place in the table", () => {
    const recent = new RecentJoins();
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 3_000; n++)
        recent.add(keyOf(n), from(0), UNPROVEN, { join: 3_000 * round + n, draw: null, number: 3_000 * round + n }, START);
      for (let n = 0; n < 3_000; n++) expect(recent.find(keyOf(n))?.number).toBe(3_000 * round + n);
    }
    expect(recent.find(keyOf(3_001))).toBeNull();
  });
});
