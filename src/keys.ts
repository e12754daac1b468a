/**
 * The key ring: root keys from VESTIBULE_KEYS, one HKDF sub-key per use, and all that is signed with WebCrypto. What tokens prove is
 * token-checks.ts. May not read bindings or the clock: the secret and times are handed in. Sub-keys are not extractable; none leaves these
 * two files but that for invitations, since jose signs and verifies those.
 */
import { fromBase64url, toBase64url } from "./core/base64url";
import { type SignedRequest, signatureHeader, signedText } from "./core/origin-signature";
import { type Referred, type RoundFunction, readReferenceCode, referenceCode } from "./core/reference-code";
import { type SipKey, sipHash } from "./core/siphash";
import { encodeUnsigned, isKid, TOKEN_MAX_BYTES } from "./core/token";
import type { Claims, TokenKind } from "./core/token-types";
import { ShownTokens } from "./shown-tokens";

type KeyUse = TokenKind | "reference" | "request" | "invite" | "subject" | "challenge" | "preview";
type SubKeys = ReadonlyMap<KeyUse, CryptoKey>;

/** Root keys are 32 random bytes; the first of the ring signs, all of them verify. */
export interface KeyRing {
  readonly signingKid: string;
  /** The last that has ever signed: guests' keys follow from it, so that a new key moves nobody. */
  readonly oldestKid: string;
  /** Marked to sign later: other Workers know them by then. */
  readonly nextKids: readonly string[];
  readonly keys: ReadonlyMap<string, SubKeys>;
  /** What these signed is no token, but for what `verifyRevoked` is asked. */
  readonly revoked: ReadonlySet<string>;
  /** Keys of the rooms' reference codes, as far as they were needed. */
  readonly references: Map<string, SipKey>;
  /** Whose signature was found good before. */
  readonly shown: ShownTokens;
}

const USES: readonly KeyUse[] = [
  "visitor",
  "entry",
  "ticket",
  "pass",
  "door",
  "staff",
  "open",
  "proof",
  "reference",
  "request",
  "invite",
  "subject",
  "challenge",
  "preview",
];
const ROOT_BYTES = 32;
/** A ring is checked per request only by the `kid` a token names; the limit keeps rotation tidy and imports short. */
const RING_MAX = 8;
const text = new TextEncoder();

/** HKDF `info` of a use; part of the format, since origins hold the sub-keys of passes and requests (`npm run origin-key`). */
function hkdfInfo(use: KeyUse): string {
  return `vestibule-1 ${use}`;
}

/**
 * Reads `k2:<base64url of 32 bytes>,k1:…`. After a key, `:next`: it is to sign later; `:revoked`: what it signed counts no more. A problem is
 * one sentence that names no key material.
 */
export async function importKeyRing(secret: string): Promise<{ ok: true; ring: KeyRing } | { ok: false; problem: string }> {
  const entries = secret.split(",").map((entry) => entry.trim());
  if (secret.trim() === "") return { ok: false, problem: "is not set; it holds kid:key pairs, each key 32 random bytes in base64url" };
  if (entries.length > RING_MAX) return { ok: false, problem: `holds more than ${RING_MAX} keys` };
  const keys = new Map<string, SubKeys>();
  const roots = new Set<string>();
  const revoked = new Set<string>();
  const nextKids: string[] = [];
  let oldestKid = "";
  for (const [i, entry] of entries.entries()) {
    const [kid, encoded, mark, ...rest] = entry.split(":");
    if (kid === undefined || encoded === undefined || rest.length > 0 || !isKid(kid)) {
      return { ok: false, problem: `entry ${i + 1} is not kid:key, with a kid of 1 to 16 letters, digits, "-" or "_"` };
    }
    if (mark !== undefined && mark !== "next" && mark !== "revoked") {
      return { ok: false, problem: `entry ${i + 1} has a mark that is neither "next" nor "revoked"` };
    }
    if (mark !== undefined && i === 0) return { ok: false, problem: `marks ${kid} as "${mark}", but the first key signs` };
    if (keys.has(kid)) return { ok: false, problem: `lists kid ${kid} twice` };
    const root = fromBase64url(encoded);
    if (root?.length !== ROOT_BYTES) return { ok: false, problem: `key ${kid} is not ${ROOT_BYTES} bytes in base64url without padding` };
    if (looksInvented(root) || roots.has(encoded))
      return { ok: false, problem: `key ${kid} is a sample, a text or a repetition; make ${ROOT_BYTES} random bytes` };
    roots.add(encoded);
    keys.set(kid, await deriveSubKeys(root));
    if (mark !== "next") oldestKid = kid;
    if (mark === "next") nextKids.push(kid);
    if (mark === "revoked") revoked.add(kid);
  }
  const signingKid = keys.keys().next().value;
  return signingKid === undefined
    ? { ok: false, problem: "holds no key" }
    : { ok: true, ring: { signingKid, oldestKid, nextKids, keys, revoked, references: new Map(), shown: new ShownTokens() } };
}

/**
 * The same ring, with these keys revoked too. If that is the one that signs, the next signs at once: it was published before, and is what the
 * new ring, which is on its way here, has in front. Of several that ring may leave one out, as never used: then none signs.
 */
export function withRevoked(ring: KeyRing, kids: readonly string[]): KeyRing {
  if (kids.every((kid) => ring.revoked.has(kid))) return ring;
  const revoked = new Set([...ring.revoked, ...kids]);
  const [next, ...others] = revoked.has(ring.signingKid) ? ring.nextKids.filter((kid) => !revoked.has(kid)) : [];
  return { ...ring, revoked, signingKid: next !== undefined && others.length === 0 ? next : ring.signingKid };
}

/** Does it sign with a revoked key? Then this isolate has not heard of the new ring yet, and can give nothing out. */
export function signsInVain(ring: KeyRing): boolean {
  return ring.revoked.has(ring.signingKid);
}

/**
 * A signed token, made with the first key of the ring.
 * @throws RangeError on claims out of range, a token over 384 bytes or a revoked key: a bug of ours, never visitor input.
 */
export async function signToken(ring: KeyRing, claims: Claims): Promise<string> {
  if (signsInVain(ring)) throw new RangeError(`a ${claims.kind} token by a revoked key`);
  const signed = encodeUnsigned(claims, ring.signingKid);
  const mac = await crypto.subtle.sign("HMAC", subKey(ring, ring.signingKid, claims.kind), text.encode(signed));
  const token = `${signed}.${toBase64url(new Uint8Array(mac))}`;
  if (token.length > TOKEN_MAX_BYTES) throw new RangeError(`a ${claims.kind} token of ${token.length} bytes`);
  return token;
}

/** The `Vestibule-Signature` of a request that is forwarded, by the first key of the ring. */
export async function signRequest(ring: KeyRing, request: SignedRequest): Promise<string> {
  const mac = await crypto.subtle.sign("HMAC", subKey(ring, ring.signingKid, "request"), text.encode(signedText(request)));
  return signatureHeader(request.atS, ring.signingKid, toBase64url(new Uint8Array(mac)));
}

/** What the Room keeps of a token that it was asked about: 12 bytes of its SHA-256. */
export async function tokenDigest(token: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", text.encode(token))).subarray(0, 12));
}

/** 128 random bits as 22 base64url characters: the idempotency key of a join. */
export function newVisitorKey(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(16)));
}

/** A fresh CSP nonce. */
export function newNonce(): string {
  return newVisitorKey();
}

/** With which key of the ring invitations are signed, or those of `kid` verified; null = there is none. */
export function invitationKey(ring: KeyRing, kid: string): CryptoKey | null {
  return keyOf(ring, kid, "invite") ?? null;
}

/**
 * A person's key in one room: 16 bytes in base64url that tell nothing of who it is. By the oldest key of the ring, so that it stays the
 * same until that key goes, and with it every ticket of that time.
 * @param who kind of proof first, then what names the person
 */
export async function subjectKey(ring: KeyRing, room: string, ...who: readonly string[]): Promise<string> {
  const mac = await crypto.subtle.sign("HMAC", subKey(ring, ring.oldestKid, "subject"), text.encode(JSON.stringify([room, ...who])));
  return toBase64url(new Uint8Array(mac).subarray(0, 16));
}

/** Is `mac` (base64url) the HMAC-SHA256 of `signed` by this secret, a text? One HMAC, compared in constant time. */
export async function verifyBypass(secret: string, signed: string, mac: string): Promise<boolean> {
  const bytes = fromBase64url(mac);
  if (bytes === null) return false;
  return crypto.subtle.verify("HMAC", await textKey(secret, "verify"), bytes, text.encode(signed));
}

/** `payload` with a MAC by the first key of the ring, as one word: only we can have made it. */
export async function sealPreview(ring: KeyRing, payload: string): Promise<string> {
  const signed = `${ring.signingKid}.${toBase64url(text.encode(payload))}`;
  const mac = await crypto.subtle.sign("HMAC", subKey(ring, ring.signingKid, "preview"), text.encode(signed));
  return `${signed}.${toBase64url(new Uint8Array(mac))}`;
}

/** What was sealed; null = not by a key that counts. */
export async function openPreview(ring: KeyRing, sealed: string): Promise<string | null> {
  const [kid = "", encoded = "", mac = "", ...rest] = sealed.split(".");
  const key = keyOf(ring, kid, "preview");
  const [payload, bytes] = [fromBase64url(encoded), fromBase64url(mac)];
  if (key === undefined || payload === null || bytes === null || rest.length > 0) return null;
  return (await crypto.subtle.verify("HMAC", key, bytes, text.encode(`${kid}.${encoded}`))) ? new TextDecoder().decode(payload) : null;
}

/** HMAC-SHA256 of `signed` by this secret, a text, in base64url. */
export async function signText(secret: string, signed: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", await textKey(secret, "sign"), text.encode(signed))));
}

function textKey(secret: string, use: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", text.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [use]);
}

/** The two secrets of challenges made or checked with the key of `kid`, as the text that altcha-lib wants; null = there is no such key. */
export async function challengeSecrets(
  ring: KeyRing,
  kid: string,
): Promise<{ readonly challenge: string; readonly answer: string } | null> {
  const key = keyOf(ring, kid, "challenge");
  if (key === undefined) return null;
  const secret = async (of: string) => toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(of))));
  return { challenge: await secret("challenge"), answer: await secret("answer") };
}

/** Constant-time comparison of secrets of any length (C67: never throws on different lengths). */
export async function sameSecret(expected: string, given: string): Promise<boolean> {
  const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
  const mac = await crypto.subtle.sign("HMAC", key as CryptoKey, text.encode(expected));
  return crypto.subtle.verify("HMAC", key as CryptoKey, mac, text.encode(given));
}

/** The reference code of a place, made with the first key; null for a slot past 2^32. At once, but for the first of a room. */
export function referenceOf(ring: KeyRing, room: string, place: Referred): Promise<string | null> | string | null {
  const key = ring.references.get(`${ring.signingKid} ${room}`);
  return key === undefined
    ? roundsOf(ring, ring.signingKid, room).then((rounds) => referenceCode(place, rounds))
    : referenceCode(place, roundsBy(key));
}

/** What a typed code can mean, one candidate per key of the ring, the signing key first; the right one is a slot that was issued. */
export async function readReference(ring: KeyRing, room: string, typed: string, currentGeneration: number): Promise<Referred[]> {
  const found: Referred[] = [];
  for (const kid of ring.keys.keys()) {
    const place = readReferenceCode(typed, await roundsOf(ring, kid, room), currentGeneration);
    if (place !== null) found.push(place);
  }
  return found;
}

/** By a key of the room's own, which is made once: every answer with a place takes ten rounds. */
async function roundsOf(ring: KeyRing, kid: string, room: string): Promise<RoundFunction> {
  const name = `${kid} ${room}`;
  let key = ring.references.get(name);
  if (key === undefined) {
    const mac = new DataView(await crypto.subtle.sign("HMAC", subKey(ring, kid, "reference"), text.encode(room)));
    key = [mac.getUint32(0), mac.getUint32(4), mac.getUint32(8), mac.getUint32(12)];
    ring.references.set(name, key);
  }
  return roundsBy(key);
}

function roundsBy(key: SipKey): RoundFunction {
  return (round, half) => sipHash(key, half, round) >>> 12;
}

/** Absent where there is none, or it was revoked. */
export function keyOf({ revoked, keys }: KeyRing, kid: string, use: KeyUse): CryptoKey | undefined {
  return revoked.has(kid) ? undefined : keys.get(kid)?.get(use);
}

function subKey(ring: KeyRing, kid: string, use: KeyUse): CryptoKey {
  const key = ring.keys.get(kid)?.get(use);
  if (key === undefined) throw new RangeError(`no ${use} key`);
  return key;
}

async function deriveSubKeys(root: Uint8Array<ArrayBuffer>): Promise<SubKeys> {
  const base = await crypto.subtle.importKey("raw", root, "HKDF", false, ["deriveKey"]);
  const derived = USES.map(async (use) => {
    const from = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: text.encode(hkdfInfo(use)) };
    const key = await crypto.subtle.deriveKey(from, base, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign", "verify"]);
    return [use, key] as const;
  });
  return new Map(await Promise.all(derived));
}

/** Printable text, counting up or down, or few different bytes: 32 random bytes look like this once in 10^13 rings. */
function looksInvented(root: Uint8Array): boolean {
  const step = ((root[1] ?? 0) - (root[0] ?? 0)) & 255;
  const isRun = root.every((byte, i) => i === 0 || ((byte - (root[i - 1] ?? 0)) & 255) === step);
  return isRun || new Set(root).size < 16 || root.every((byte) => byte >= 32 && byte < 127);
}
