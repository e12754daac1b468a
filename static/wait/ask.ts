/**
 * One question to the room, and what came back. The only file of the page that uses the network.
 */
import type { Status } from "../../src/core/status";
import { EventReader } from "./events";
import { retryAfter } from "./pace";

export type Answer =
  | { readonly as: "status"; readonly status: Status; readonly waitMs: number }
  /** Other tabs of this visitor asked as well, or the button was pressed often: nothing is wrong. */
  | { readonly as: "too-often"; readonly waitMs: number }
  /** No answer, or "not now": ask again later. */
  | { readonly as: "failed"; readonly waitMs: number }
  /** Something else answers at this address: the room may be gone, or a check stands before it. */
  | { readonly as: "foreign"; readonly waitMs: number };

/** An answer that may go on: what it tells before it is over, and the way to end it. */
export interface Following {
  readonly tell: (status: Status) => void;
  readonly cut: AbortSignal;
}

/** Longer than any answer takes; a fetch that a sleeping phone left behind must not block the next one. */
const TIMEOUT_MS = 15_000;
/** An answer that goes on is never silent for so long. */
const SILENCE_MS = 75_000;

/** false once an answer that goes on did not come through: something on the way collects it before passing it on. */
let streams = true;

function isStatus(value: unknown): value is Status {
  return typeof value === "object" && value !== null && "state" in value && "now" in value && "pollAfterMs" in value;
}

function isTooOften(value: unknown): boolean {
  return typeof value === "object" && value !== null && "code" in value && value.code === "too-often";
}

/** Never rejects. `proof`: what the room was told to ask for, if it was found. */
export async function ask(url: string, method: "GET" | "POST", proof = "", following: Following | null = null): Promise<Answer> {
  const signal = new AbortController();
  const abort = () => signal.abort();
  let timer = setTimeout(abort, TIMEOUT_MS);
  let response: Response;
  let body: unknown = null;
  let heard = false;
  try {
    response = await fetch(url, {
      method,
      headers: { Accept: `${following ? "text/event-stream, " : ""}application/json`, ...(proof && { "Vestibule-Proof": proof }) },
      cache: "no-store",
      redirect: "manual",
      signal: signal.signal,
    });
    const type = response.headers.get("Content-Type") ?? "";
    if (type.includes("json")) body = await response.json();
    if (following && response.body && type.includes("event-stream")) {
      following.cut.addEventListener("abort", abort);
      const reader = new EventReader();
      const text = new TextDecoder();
      for (const stream = response.body.getReader(); ; ) {
        const { done, value } = await stream.read();
        if (done) break;
        clearTimeout(timer);
        timer = setTimeout(abort, SILENCE_MS);
        heard = true;
        for (const { name, data } of reader.take(text.decode(value, { stream: true }))) {
          const status: unknown = JSON.parse(data);
          if (!isStatus(status)) continue;
          if (name === "last") return { as: "status", status, waitMs: 0 };
          following.tell(status);
        }
      }
      return { as: "failed", waitMs: 0 };
    }
  } catch {
    if (following && signal.signal.aborted && !following.cut.aborted && !heard) streams = false;
    return { as: "failed", waitMs: 0 };
  } finally {
    clearTimeout(timer);
    abort();
  }
  const waitMs = retryAfter(response.headers.get("Retry-After"), Math.random());
  // 428 asks for something else than patience.
  if (isStatus(body)) return { as: "status", status: body, waitMs: response.ok || response.status === 428 ? 0 : waitMs };
  if (response.status === 429 && isTooOften(body)) return { as: "too-often", waitMs };
  const later = response.status >= 500 || response.status === 429 || response.status === 408;
  return { as: later ? "failed" : "foreign", waitMs };
}

/** The same, which may go on; of all tabs of a room, in one at a time: each holds a connection open, of which there may be six. */
export async function follow(url: string, room: string, following: Following): Promise<Answer> {
  // Of insecure pages, and of old browsers, nobody knows the other tabs.
  const locks = streams ? navigator.locks : undefined;
  const asked = (mine: boolean) => ask(url, "GET", "", mine ? following : null);
  try {
    return await (locks?.request(`vestibule.${room}`, { ifAvailable: true }, (lock) => asked(lock !== null)) ?? asked(false));
  } catch {
    return asked(false);
  }
}
