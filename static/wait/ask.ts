/**
 * One question to the room, and what came back. The only file of the page that uses the network.
 */
import type { Status } from "../../src/core/status";
import { retryAfter } from "./pace";

export type Answer =
  | { readonly as: "status"; readonly status: Status; readonly waitMs: number }
  /** Other tabs of this visitor asked as well, or the button was pressed often: nothing is wrong. */
  | { readonly as: "too-often"; readonly waitMs: number }
  /** No answer, or "not now": ask again later. */
  | { readonly as: "failed"; readonly waitMs: number }
  /** Something else answers at this address: the room may be gone, or a check stands before it. */
  | { readonly as: "foreign"; readonly waitMs: number };

/** Longer than any answer takes; a fetch that a sleeping phone left behind must not block the next one. */
const TIMEOUT_MS = 15_000;

function isStatus(value: unknown): value is Status {
  return typeof value === "object" && value !== null && "state" in value && "now" in value && "pollAfterMs" in value;
}

function isTooOften(value: unknown): boolean {
  return typeof value === "object" && value !== null && "code" in value && value.code === "too-often";
}

/** Never rejects. `proof`: what the room was told to ask for, if it was found. */
export async function ask(url: string, method: "GET" | "POST", proof = ""): Promise<Answer> {
  let response: Response;
  let body: unknown = null;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(url, {
      method,
      headers: { Accept: "application/json", ...(proof && { "Vestibule-Proof": proof }) },
      cache: "no-store",
      redirect: "manual",
      signal,
    });
    const type = response.headers.get("Content-Type") ?? "";
    if (type.includes("json")) body = await response.json();
  } catch {
    return { as: "failed", waitMs: 0 };
  }
  const waitMs = retryAfter(response.headers.get("Retry-After"), Math.random());
  // 428 asks for something else than patience.
  if (isStatus(body)) return { as: "status", status: body, waitMs: response.ok || response.status === 428 ? 0 : waitMs };
  if (response.status === 429 && isTooOften(body)) return { as: "too-often", waitMs };
  const later = response.status >= 500 || response.status === 429 || response.status === 408;
  return { as: later ? "failed" : "foreign", waitMs };
}
