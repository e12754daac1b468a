/**
 * One edge in a process of its own: the real client (src/room-client.ts) asks for places for so many newcomers, at so many at a time, until
 * each has one, and prints what they were told. Run by Node; the Room is behind `POST /__test/exchange` of the `watched` variant.
 * Arguments: the Worker's URL, the number of this edge, newcomers, how many at a time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Batch, Reply } from "../../src/core/exchange";
import type { RoomRpc } from "../../src/core/room-rpc";
import { noColoStore } from "../../src/room/colo-store";
import { RoomClient } from "../../src/room-client";
import { settingsOf } from "./line-world";

export interface EdgeOutcome {
  /** Slots given to this edge's newcomers. */
  readonly slots: readonly number[];
}

const [url = "", edge = "", newcomers = "", atOnce = ""] = process.argv.slice(2);
const JOIN_WAIT_MS = 2_000;
const BACK_MS = 200;

const stub = {
  async exchange(batch: Batch): Promise<Reply> {
    const response = await fetch(new URL("/__test/exchange?room=demo", url), { method: "POST", body: JSON.stringify(batch) });
    if (!response.ok) throw new Error(`exchange: ${response.status}`);
    return (await response.json()) as Reply;
  },
} as unknown as RoomRpc;

const client = new RoomClient({
  room: "demo",
  file: settingsOf(),
  stubOf: () => stub,
  colo: noColoStore,
  turns: noColoStore,
  lists: () => noColoStore,
});

const life = { waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined) };
const slots: number[] = [];
let next = 0;

async function lane(): Promise<void> {
  for (let id = next++; id < Number(newcomers); id = next++) {
    const key = `edge${edge}-${id}-`.padEnd(22, "A");
    for (let isPlaced = false; !isPlaced; ) {
      const outcome = await client.join({ key, network: 0, enter: false, tag: 0 }, life, {
        navigation: true,
        waitMs: JOIN_WAIT_MS,
      });
      if (outcome.as === "answered" && outcome.verdict.as === "placed") {
        slots.push(outcome.verdict.slot);
        isPlaced = true;
      } else if (outcome.as === "unreachable") {
        // A busy computer may have kept the Room from answering in time: whoever is told so comes back later.
        await sleep(BACK_MS);
      }
    }
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, lane));
process.stdout.write(JSON.stringify({ slots } satisfies EdgeOutcome), () => process.exit(0));
