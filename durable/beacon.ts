/**
 * The Room's side channel to drand: asks for one round. Bounded in time and size, never throws, knows no state. Never called inside a
 * transaction nor awaited on the line's path: the Room calls it from its alarm or by `ctx.waitUntil` and decides about the answer in a later step.
 */
import { type DrandRound, ROUND_MAX_BYTES, roundUrl } from "../src/core/drand";
import { readRound } from "../src/core/draw-sync";

/**
 * `early`: the API has no such round yet (404, 425). `status`: another status that is not 200, redirects included. `silent`: no whole answer in
 * time. `unreachable`: no connection, or one that broke. The rest: an answer that is not the round (src/core/drand.ts).
 */
export type BeaconFailure = "early" | "status" | "silent" | "unreachable" | "too-large" | "malformed" | "other-round" | "wrong-randomness";

export type BeaconAnswer =
  | { readonly found: true; readonly round: DrandRound }
  | { readonly found: false; readonly tried: readonly { readonly api: string; readonly why: BeaconFailure }[] };

/** How long one API may take for its whole answer, ms. */
const ANSWER_WITHIN_MS = 3000;

/** Asks the APIs in order until one has the round. @param withinMs for each API. */
export async function fetchRound(round: number, apis: readonly string[], withinMs = ANSWER_WITHIN_MS): Promise<BeaconAnswer> {
  const tried: { api: string; why: BeaconFailure }[] = [];
  for (const api of apis) {
    const answer = await ask(roundUrl(api, round), round, withinMs);
    if (typeof answer !== "string") return { found: true, round: answer };
    tried.push({ api, why: answer });
  }
  return { found: false, tried };
}

async function ask(url: string, round: number, withinMs: number): Promise<DrandRound | BeaconFailure> {
  const deadline = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<"silent">((resolve) => {
    timer = setTimeout(() => resolve("silent"), withinMs);
  });
  try {
    return await Promise.race([silence, answerOf(url, round, deadline.signal)]);
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}

async function answerOf(url: string, round: number, signal: AbortSignal): Promise<DrandRound | BeaconFailure> {
  try {
    const response = await fetch(url, { redirect: "manual", signal });
    if (response.status === 404 || response.status === 425) return "early";
    if (response.status !== 200) return "status";
    const body = await textOf(response);
    if (body === null) return "too-large";
    const read = readRound(body, round);
    return read.ok ? read.value : read.why;
  } catch {
    return "unreachable";
  }
}

/** The body as text, or null as soon as it is longer than any round. */
async function textOf(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ROUND_MAX_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
