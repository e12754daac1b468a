/**
 * Reads the whole public list of a draw's entries, page by page, as slowly as the room asks for. No DOM, no network, no clock of its own.
 */
import type { ListedBatch } from "../../src/core/draw";
import { afterFailure, retryAfter } from "../wait/pace";

export interface ListReading {
  /** The page that begins at the entry `from`. */
  readonly ask: (from: number) => Promise<Pick<Response, "ok" | "status" | "headers" | "text">>;
  readonly pause: (ms: number) => Promise<void>;
  /** Told after each page how many entries it has got to. */
  readonly progress: (entries: number) => void;
}

/** Refusals in a row after which the list cannot be had: some minutes. */
const PATIENCE = 12;
const NOT_NOW = new Set([429, 503]);

/** Each page begins after the last entry of the one before; an empty one is the end. @throws Error when a page cannot be had */
export async function readList({ ask, pause, progress }: ListReading): Promise<ListedBatch[]> {
  const all: ListedBatch[] = [];
  let refused = 0;
  for (let from = 0; ; ) {
    const response = await ask(from);
    if (NOT_NOW.has(response.status) && refused < PATIENCE) {
      refused += 1;
      await pause(retryAfter(response.headers.get("Retry-After"), 0) || afterFailure(refused, 0, 0));
      continue;
    }
    if (!response.ok) throw new Error(`list: ${response.status}`);
    refused = 0;
    const lines = (await response.text()).split("\n").filter((line) => line !== "");
    if (lines.length === 0) return all;
    for (const line of lines) {
      const [first = "", digest = ""] = line.split(" ");
      all.push({ first: Number(first), digest });
    }
    from = (all.at(-1)?.first ?? 0) + 1;
    progress(from);
  }
}
