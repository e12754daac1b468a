/** An honest draw made by the project's own rules, for tests of what the edge and the page do with one. Node only. */
import { toHex } from "../../src/core/bytes";
import type { DrawCutoff, DrawnPlaces, DrawRecord, ListedBatch, PendingDraw } from "../../src/core/draw";
import { chainStart, chainStep, commitmentOf, digestOfKeys, recordOf } from "../../src/core/draw-sync";

export interface Drawn {
  readonly record: DrawRecord;
  readonly places: DrawnPlaces;
  readonly batches: readonly ListedBatch[];
  /** The same draw before the cut-off. */
  readonly pending: PendingDraw;
  /** The chain after the batch of an entry, base64url as tokens carry it. */
  chainAfter(entry: number): string;
}

/** `count` entries in batches of three. */
export function drawn(room: string, over: { readonly id?: number; readonly base?: number; readonly count?: number } = {}): Drawn {
  const { id = 7, base = 100, count = 10 } = over;
  const salt = new Uint8Array(32).fill(id);
  const commitment = commitmentOf(salt);
  const openedAtMs = Date.UTC(2026, 11, 4, 8);
  const opening = { room, generation: 1, id, event: "drop", commitment, beacon: "none" as const, openedAtMs };
  const batches: ListedBatch[] = [];
  const chains: Uint8Array<ArrayBuffer>[] = [];
  let chain = chainStart(opening);
  for (let first = 0; first < count; first += 3) {
    const keys = Array.from({ length: Math.min(3, count - first) }, (_, i) => `key-${first + i}`);
    const digest = digestOfKeys(keys);
    chain = chainStep(chain, first, digest);
    batches.push({ first, digest: toHex(digest) });
    chains.push(...keys.map(() => chain));
  }
  const cutoff: DrawCutoff = { ...opening, base, count, chain: toHex(chain), beaconWaitMs: 0, closedAtMs: openedAtMs + 7_200_000 };
  const record = recordOf(cutoff, salt, null, openedAtMs + 7_200_000);
  const { algorithm, event, openedAt } = record;
  return {
    record,
    places: { id, base, count, seed: record.seed },
    batches,
    pending: {
      ...{ id, algorithm, room, generation: 1, event, commitment, openedAt, count },
      ...{
        pending: "collecting",
        beaconRule: "none",
        closedAt: null,
        base: null,
        chain: null,
        entriesHash: null,
        beaconWaitMs: null,
        round: null,
      },
    },
    chainAfter: (entry) => Buffer.from(chains[entry] ?? []).toString("base64url"),
  };
}
