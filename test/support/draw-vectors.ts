/** The draws of test/vectors/draws.json, and every way in which one field of a record can be wrong. */
import type { DrawCutoff, DrawRecord, ListedBatch } from "../../src/core/draw";
import vectors from "../vectors/draws.json" with { type: "json" };

export interface DrawVector {
  readonly name: string;
  readonly record: DrawRecord;
  readonly chainStart: string;
  readonly batches: readonly (ListedBatch & { readonly keys?: readonly string[]; readonly chain: string })[];
  /** By entry number. */
  readonly slots: Readonly<Record<string, number>>;
}

export const DRAWS = vectors.draws as unknown as readonly DrawVector[];

export function vectorNamed(name: string): DrawVector {
  const found = DRAWS.find((each) => each.name === name);
  if (!found) throw new Error(`no draw ${name}`);
  return found;
}

export function cutoffOf({ record }: DrawVector): DrawCutoff {
  const { room, generation, id, event, commitment, base, count, chain, beaconWaitMs } = record;
  const times = { openedAtMs: Date.parse(record.openedAt), closedAtMs: Date.parse(record.closedAt) };
  return { room, generation, id, event, commitment, base, count, chain, beaconWaitMs, beacon: record.beacon.source, ...times };
}

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
const nudged = (hex: string, at: number) => `${hex.slice(0, at)}${hex[at] === "0" ? "1" : "0"}${hex.slice(at + 1)}`;

/**
 * Records that differ from `record` in one field. `drawnAt` binds nothing and is only changed to before the cut-off; everything else is changed
 * as little as its form allows, to nonsense, and to nothing.
 */
export function* spoiled(record: DrawRecord): Generator<readonly [what: string, record: unknown]> {
  const fields = { ...record } as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    for (const [how, other] of othersOf(name, value)) yield [`${name} ${how}`, { ...fields, [name]: other }];
    const { [name]: _, ...rest } = fields;
    yield [`${name} missing`, rest];
  }
  const beacon = { ...record.beacon } as Record<string, unknown>;
  for (const [name, value] of Object.entries(beacon)) {
    for (const [how, other] of othersOf(name, value)) yield [`beacon.${name} ${how}`, { ...fields, beacon: { ...beacon, [name]: other } }];
    const { [name]: _, ...rest } = beacon;
    yield [`beacon.${name} missing`, { ...fields, beacon: rest }];
  }
  if (record.beacon.source === "drand") {
    const { source, chain, round } = record.beacon;
    yield ["beacon none", { ...fields, beacon: { source: "none" } }];
    if ("randomness" in record.beacon) yield ["beacon fallback", { ...fields, beacon: { source, chain, round, fallback: true } }];
  }
}

function* othersOf(name: string, value: unknown): Generator<readonly [how: string, value: unknown]> {
  yield ["null", null];
  if (typeof value === "number") {
    for (const other of [value + 1, value - 1, value + 0.5, `${value}`, Number.NaN]) yield [`${other}`, other];
  } else if (name === "drawnAt") {
    yield ["in 2023 before the cut-off", "2023-08-23T00:00:00.000Z"];
    yield ["no time", "soon"];
  } else if (/At$/.test(name)) {
    for (const ms of [1, -1, 3000, 3_600_000]) yield [`${ms} ms later`, later(value as string, ms)];
    yield ["spelled otherwise", (value as string).replace("Z", "+00:00")];
  } else if (typeof value === "string" && /^[0-9a-f]{64,}$/.test(value)) {
    for (const at of [0, 31, value.length - 1]) yield [`digit ${at}`, nudged(value, at)];
    yield ["in capitals", value.toUpperCase()];
    yield ["too short", value.slice(2)];
  } else if (typeof value === "string") {
    for (const other of [`${value}x`, `${value} `, value === "none" ? "drand" : "none"]) yield [JSON.stringify(other), other];
  } else if (value === true) {
    yield ["false", false];
  }
}
