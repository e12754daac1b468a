/**
 * How a host proves that a rehearsal may be sent to it: text and shape of the proof, for the Worker that makes it. Pure; the shell signs.
 * `npm run crowd` checks it by code of its own (scripts/lib/rehearsal.mjs).
 */

const VERSION = "vestibule-rehearsal-1";
/** 32 random bytes in base64url, made anew by whoever asks. */
const NONCE = /^[A-Za-z0-9_-]{43}$/;

export function isNonce(text: string | null): text is string {
  return text !== null && NONCE.test(text);
}

/** The text under the MAC. It names the host that was asked, so that nobody can pass another host's proof on as their own. */
export function rehearsalText(nonce: string, host: string): string {
  return [VERSION, nonce, host].join("\n");
}
