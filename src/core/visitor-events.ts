/**
 * What became of visitors, as one exchange tells it: joined, entered, left, gave up. For a stream that others count by. Pure. Names nobody: a
 * place is a number. What is repeated (a reply that was lost) has the same `id` again: count each once.
 */
import type { Batch, Reply } from "./exchange";

export interface VisitorEvent {
  readonly id: string;
  readonly event: "joined" | "entered" | "left" | "gave-up";
  readonly room: string;
  readonly generation: number;
  /** null = an entry of a draw, whose slot is not drawn yet. */
  readonly slot: number | null;
  /** Of an entry: the draw and its number in it. */
  readonly entry: { readonly draw: number; readonly number: number } | null;
  /** Room time, RFC 3339. */
  readonly at: string;
  /** From joining to entering; null for everything else. */
  readonly waited_seconds: number | null;
}

export function eventsOf(
  room: string,
  batch: Pick<Batch, "joins" | "claims" | "leaves">,
  { joins, claims, leaves, manifest }: Reply,
): VisitorEvent[] {
  const { generation, at } = manifest;
  const made = (event: VisitorEvent["event"], slot: number, waited: number | null = null): VisitorEvent => ({
    id: `${room}.${generation}.${slot}.${event}`,
    event,
    room,
    generation,
    slot,
    entry: null,
    at: new Date(at).toISOString(),
    waited_seconds: waited,
  });
  return [
    ...joins.flatMap((verdict) => {
      if (verdict?.as === "placed") return [made("joined", verdict.slot)];
      if (verdict?.as === "entered") return [made("joined", verdict.pass.slot), made("entered", verdict.pass.slot, 0)];
      if (verdict?.as !== "entry") return [];
      const { draw, entry } = verdict;
      return [{ ...made("joined", 0), id: `${room}.${generation}.${draw}-${entry}.joined`, slot: null, entry: { draw, number: entry } }];
    }),
    ...claims.flatMap((verdict, i) => {
      const { serial = 0, joinedAtS = 0, intent = "look" } = batch.claims[i] ?? {};
      // Somebody who comes back to a visit has entered before.
      if (verdict?.as !== "entered" || serial > 0 || intent !== "enter") return [];
      return [made("entered", verdict.pass.slot, Math.max(0, Math.round(at / 1_000 - joinedAtS)))];
    }),
    ...leaves.flatMap((verdict, i) => {
      const { slot, serial } = batch.leaves[i] ?? { slot: -1, serial: 0 };
      // By its ticket who was still in line, by its pass who was inside.
      return verdict?.as === "left" && slot >= 0 ? [made(serial === 0 ? "gave-up" : "left", slot)] : [];
    }),
  ];
}
