/**
 * Where a rehearsal may go, and how fast: only to a host that proves, by the token that both sides hold, that whoever runs it wants one.
 * The token itself is never sent. What the Worker does for it: src/routes/rehearsal.ts.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { bareAddress, isThisComputer, now, send } from "./crowd-http.mjs";

const TOKEN_MIN_CHARACTERS = 32;
const ANSWER_MS = 10_000;
/** The host is asked for its proof again so often: taking the secret away ends every rehearsal. */
const AGAIN_MS = 10_000;
/** So many questions one after another without any answer end it too. */
const SILENCES_MAX = 3;

/** https, or this computer. Throws an Error that says what is wrong. */
export function readRehearsalTarget(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === "https:" || (url?.protocol === "http:" && isThisComputer(url));
  if (!isAllowed) throw new Error(`--target of a rehearsal must be https://HOST (http:// on this computer only), not "${text}"`);
  return bareAddress(url, text);
}

/** Throws an Error that does not show it. */
export function readToken(text) {
  if (/^[\x21-\x7e]+$/.test(text) && text.length >= TOKEN_MIN_CHARACTERS) return text;
  throw new Error(`--rehearsal-token must be the secret REHEARSAL_TOKEN of the host, at least ${TOKEN_MIN_CHARACTERS} visible characters`);
}

/** The host answered, and not as one that holds the token. */
export class NotProven extends Error {}

/**
 * Asks the host for its proof: one request. Resolves with `{ aheadMs }`, by how much its clock may be ahead of ours, at most: it tells whole
 * milliseconds, cut off, and tells them after ours were read. Rejects with NotProven, or as `send` does where nobody answers.
 */
export async function prove({ target, token, signal = AbortSignal.timeout(ANSWER_MS), clock = now }) {
  const nonce = randomBytes(32).toString("base64url");
  const from = clock();
  const reply = await send({ target, signal }, "GET", `/__vestibule/rehearsal?nonce=${nonce}`, { Accept: "application/json" });
  const { proof, now: theirs } = reply.status === 200 ? (jsonOf(reply.text) ?? {}) : {};
  const expected = createHmac("sha256", token).update(["vestibule-rehearsal-1", nonce, target.host].join("\n")).digest();
  const given = Buffer.from(typeof proof === "string" ? proof : "", "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new NotProven(
      `${target.origin} does not prove that it wants a rehearsal (it answered ${reply.status}); nothing else was sent to it. ` +
        "Its Worker needs the secret REHEARSAL_TOKEN, the same one: npx wrangler secret put REHEARSAL_TOKEN",
    );
  return { aheadMs: Math.max(0, Number(theirs) + 1 - from || 0) };
}

/** Asks again and again until `signal` aborts. Resolves with why the rehearsal has to end, or null when it was over by itself. */
export async function watchProof({ target, token, signal, againMs = AGAIN_MS }) {
  let silences = 0;
  while (!signal.aborted) {
    await sleep(againMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    try {
      await prove({ target, token });
      silences = 0;
    } catch (error) {
      silences += 1;
      if (error instanceof NotProven) return `${target.origin} does not prove any more that it wants a rehearsal.`;
      if (silences >= SILENCES_MAX) return `${target.origin} has stopped answering.`;
    }
  }
  return null;
}

/** At most so many a second, one after another, evenly: `pace(signal)` resolves when it is one's turn. `longestMs` = the longest wait. */
export function pacer(perSecond, world = { now, sleep: (ms, signal) => sleep(ms, undefined, { signal }) }) {
  let nextAt = 0;
  const paced = {
    longestMs: 0,
    async pace(signal) {
      const at = world.now();
      nextAt = Math.max(at, nextAt);
      const waitMs = nextAt - at;
      nextAt += 1_000 / perSecond;
      paced.longestMs = Math.max(paced.longestMs, waitMs);
      if (waitMs > 0) await world.sleep(waitMs, signal);
    },
  };
  return paced;
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
