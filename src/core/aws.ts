/**
 * What clients made for AWS Virtual Waiting Room are told: numbers and refusals in the shapes of its public API, from a `Status` or the
 * manifest. Pure: no clock, no I/O; signs nothing and lets nobody in.
 *
 * Shapes and status codes follow the developer guide and the Lambda sources of the withdrawn solution. Its numbers count from 1 and are
 * served up to and including the counter, so that number = slot + 1 and counter = admitted epoch.
 */
import type { Manifest } from "./manifest";
import type { Status } from "./status";

/** One answer: a status code and a JSON body. */
export interface AwsAnswer {
  readonly code: 200 | 202 | 400 | 403 | 404 | 410 | 429 | 503;
  readonly body: Readonly<Record<string, unknown>>;
  /** When asking again may help, ms. */
  readonly retryAfterMs?: number;
}

/** A session as its three tokens tell it. Unix seconds. */
export interface AwsSession {
  readonly eventId: string;
  readonly generation: number;
  readonly slot: number;
  readonly issuedAtS: number;
  readonly expiresAtS: number;
}

export const UNKNOWN_REQUEST: AwsAnswer = failed(404, "Request ID is not known here; ask for a new one");

/** The longest body of a request, bytes: it holds an event id and a request id. */
export const AWS_BODY_MAX_BYTES = 4_096;

export function failed(code: AwsAnswer["code"], error: string, retryAfterMs?: number): AwsAnswer {
  return { code, body: { error }, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Is `given` the room's event? Told before anything is counted: on AWS a wrong one used up a number. */
export function wrongEvent(given: unknown, eventId: string): AwsAnswer | null {
  return given === eventId ? null : failed(400, "Invalid event ID");
}

/** GET serving_num. A number; the original sent a string. */
export function servingNum({ admittedEpoch }: Manifest): AwsAnswer {
  return { code: 200, body: { serving_counter: admittedEpoch } };
}

/** GET waiting_num: as exact as `public_totals` lets it be. */
export function waitingNum({ tail, admittedEpoch, returning }: Manifest): AwsAnswer {
  if (tail === null) return failed(404, "This room does not tell how many wait");
  return { code: 200, body: { waiting_num: Math.max(0, tail - admittedEpoch) + (returning ?? 0) } };
}

/** GET queue_num of a place with a slot. `joinedAtS`: Unix seconds. */
export function queueNum(slot: number, joinedAtS: number, eventId: string): AwsAnswer {
  return { code: 200, body: { queue_number: slot + 1, entry_time: joinedAtS, event_id: eventId, status: 1 } };
}

/** GET queue_pos_expiry. Only a place whose turn has come runs out. */
export function queuePosExpiry(status: Status): AwsAnswer {
  const over = endOf(status);
  if (over !== null) return over;
  const { state, validForMs: leftMs, pollAfterMs } = status;
  if (state === "inside") return failed(202, "The tokens of this request ID have been generated");
  if ((state !== "called" && state !== "returning") || leftMs === undefined)
    return failed(202, "Request ID is not being served yet", pollAfterMs);
  return { code: 200, body: { expires_in: Math.max(0, Math.floor(leftMs / 1_000)) } };
}

/** POST generate_token of somebody who does not go in now. */
export function noToken(status: Status): AwsAnswer {
  return endOf(status) ?? failed(202, "Request ID is not being served yet", status.pollAfterMs);
}

/** That there is nothing to wait for; null = there is. */
function endOf({ state, reason, pollAfterMs }: Status): AwsAnswer | null {
  if (reason === "room-unreachable" || reason === "storage-full") return failed(503, "The room does not answer just now", pollAfterMs);
  if (reason === "room-off") return failed(503, "There is no line now: go straight to the site", pollAfterMs);
  if (state === "ended") return failed(410, reason === "session-over" ? "The session is over" : "Queue position is expired");
  if (state === "void") return failed(410, "The session went on elsewhere");
  return null;
}

/** The claims that the three tokens share; times in Unix seconds. */
export function tokenClaims({ eventId, generation, slot, issuedAtS, expiresAtS }: AwsSession) {
  // Not the request id, as on AWS: that is the visitor's ticket here, and the site and its logs are to see none.
  const sub = `${generation}.${slot}`;
  return { aud: eventId, sub, queue_position: slot + 1, iat: issuedAtS, nbf: issuedAtS, exp: expiresAtS };
}
