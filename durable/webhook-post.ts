/**
 * Sends one message of a webhook, signed (Standard Webhooks). Bounded in time, follows no redirect, reads nothing of the answer but its status,
 * never throws, knows no state. Never called inside a transaction nor awaited on the line's path.
 */
import { fromBase64url } from "../src/core/base64url";
import type { Delivery, Letter } from "../src/core/news";
import { targetProblem } from "../src/core/webhook-target";

/** How long a receiver may take, ms. */
const ANSWER_WITHIN_MS = 4_000;
/** HKDF `info` begins with it; part of the format, since receivers hold these keys (`npm run origin-key -- --webhooks ROOM/NAME`). */
const WEBHOOK_INFO = "vestibule-1 webhook";
const text = new TextEncoder();

export interface Sender {
  /** VESTIBULE_KEYS: every key that is not revoked signs, so that receivers change theirs when they like. */
  readonly keys: unknown;
  /** This computer may be called: LOCAL_WEBHOOKS = "allow". */
  readonly local: boolean;
  readonly withinMs?: number;
}

/** @param atS the time of this try, Unix seconds */
export async function postLetter(letter: Letter, atS: number, sender: Sender): Promise<Delivery> {
  if (targetProblem(letter.url, sender.local) !== null) return { as: "forbidden" };
  const signed = `${letter.id}.${atS}.${letter.body}`;
  const keys = rootsOf(sender.keys).flatMap((root) => infosOf(letter).map((info) => ({ root, info })));
  const signatures = await Promise.all(keys.map(({ root, info }) => signatureOf(root, info, signed)));
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Vestibule-Webhooks",
    "webhook-id": letter.id,
    "webhook-timestamp": String(atS),
    "webhook-signature": signatures.join(" "),
  };
  const deadline = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<Delivery>((resolve) => {
    timer = setTimeout(() => resolve({ as: "silent" }), sender.withinMs ?? ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([silence, answerOf(letter, headers, deadline.signal)]);
  } finally {
    clearTimeout(timer);
    // Ends what is under way, and a body that nobody reads.
    deadline.abort();
  }
}

async function answerOf({ url, body }: Letter, headers: Record<string, string>, signal: AbortSignal): Promise<Delivery> {
  try {
    const { ok, status } = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    return { as: ok ? "delivered" : "refused", status };
  } catch {
    return { as: "unreachable" };
  }
}

/** Root keys of the ring that are not revoked; whether it is a proper ring the Worker checks. */
function rootsOf(keys: unknown): Uint8Array<ArrayBuffer>[] {
  const entries = typeof keys === "string" ? keys.split(",").map((entry) => entry.trim().split(":")) : [];
  return entries.flatMap(([, encoded = "", mark]) => {
    const root = mark === "revoked" ? null : fromBase64url(encoded);
    return root === null || root.length === 0 ? [] : [new Uint8Array(root)];
  });
}

/** Each webhook has secrets of its own, so that one receiver cannot speak to another as we do. The version before goes on signing: nobody has to change at once. */
function infosOf({ room, webhook, secretVersion }: Letter): string[] {
  const versions = secretVersion > 1 ? [secretVersion, secretVersion - 1] : [secretVersion];
  return versions.map((version) => [WEBHOOK_INFO, room, webhook, version].join(" "));
}

async function signatureOf(root: Uint8Array<ArrayBuffer>, info: string, signed: string): Promise<string> {
  const secret = await crypto.subtle.importKey("raw", root, "HKDF", false, ["deriveKey"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: text.encode(info) };
  const key = await crypto.subtle.deriveKey(hkdf, secret, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(signed)));
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}
