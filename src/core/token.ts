/**
 * Framing of the signed cookies: JWS compact (RFC 7515), HS256, DESIGN §8. Pure: no keys, no clock, no I/O; `keys.ts` signs and verifies.
 *
 * Header, byte for byte: `{"alg":"HS256","kid":"<kid>","typ":"vst+<kind>"}`. Claims, in this order, absent ones left out:
 * `r` room, `g` generation, `s` slot, `n` serial, `k` visitor key, `d` draw, `e` entry, `c` chain (of an entry, and of a ticket drawn from one),
 * `i` invitation, `u` uses, `l` staff link, `w` work, `h` human (0 or 1), `b` networks that it is bound to (two u32, IPv4 then IPv6,
 * big-endian in base64url), `iat`, `exp`, `end` (absolute end of the visit); times in Unix seconds.
 * There is exactly one text for each set of claims: what does not encode back to the same text is no token.
 */
import { fromBase64url, fromBase64urlAscii, toBase64url } from "./base64url";
import { MOST_COST } from "./exchange";
import type {
  Claims,
  DoorClaims,
  EntryClaims,
  Networks,
  OpenClaims,
  PassClaims,
  ProofClaims,
  Receipt,
  StaffClaims,
  TicketClaims,
  TokenKind,
  VisitorClaims,
} from "./token-types";

/** Longest token, bytes: room for a whole SHA-256 in a ticket; two cookies of eight rooms stay under 8 KB. Longer input is refused before any work. */
export const TOKEN_MAX_BYTES = 384;
/** A token may have been issued by a clock this far ahead, seconds. There is no tolerance on `exp`. */
export const IAT_TOLERANCE_S = 30;
/** No token lives longer than this from now, seconds (31 days); settings stay below it. */
export const TOKEN_MAX_LIFE_S = 31 * 86_400;

export type ClaimsOf<K extends TokenKind> = Extract<Claims, { kind: K }>;

export interface DecodedToken {
  readonly kid: string;
  readonly kind: TokenKind;
  readonly claims: Claims;
  /** What the signature covers: ASCII of `header.claims`. */
  readonly signingInput: Uint8Array<ArrayBuffer>;
  /** 32 bytes. */
  readonly signature: Uint8Array<ArrayBuffer>;
}

const KID = /^[A-Za-z0-9_-]{1,16}$/;
const ROOM = /^[a-z0-9-]{1,32}$/;
/** 16 bytes in canonical base64url: the last character carries two bits only. */
const VISITOR_KEY = /^[A-Za-z0-9_-]{21}[AQgw]$/;
/** 32 bytes in canonical base64url: the last character carries four bits only. */
const CHAIN = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const HEADER = /^\{"alg":"HS256","kid":"([A-Za-z0-9_-]{1,16})","typ":"vst\+(visitor|entry|ticket|pass|door|staff|open|proof)"\}$/;
/** Claims as most tokens have them, without receipt and networks: no other text is read as the same, and no number is long enough to be rounded to one that is allowed. */
const PLAIN_TICKET = /^\{"r":"([a-z0-9-]{1,32})","g":(0|[1-9]\d{0,9}),"s":(0|[1-9]\d{0,15}),"iat":([1-9]\d{0,9}),"exp":([1-9]\d{0,9})\}$/;
const PLAIN_PASS =
  /^\{"r":"([a-z0-9-]{1,32})","g":(0|[1-9]\d{0,9}),"s":(0|[1-9]\d{0,15}),"n":([1-9]\d{0,9}),"iat":([1-9]\d{0,9}),"exp":([1-9]\d{0,9}),"end":([1-9]\d{0,9})\}$/;
const PLAIN_VISITOR = /^\{"r":"([a-z0-9-]{1,32})","k":"([A-Za-z0-9_-]{21}[AQgw])","iat":([1-9]\d{0,9}),"exp":([1-9]\d{0,9})\}$/;
const U32_MAX = 2 ** 32 - 1;
/** Most places of one invitation. */
export const USES_MAX = 1_000_000;
const SIGNATURE_BYTES = 32;
/** Headers that were read, since a ring signs few different ones; emptied when strangers have filled it. */
const HEADS = new Map<string, Head>();
const HEADS_MAX = 256;

interface Head {
  readonly kid: string;
  readonly kind: TokenKind;
}

const text = new TextEncoder();

/** Can `kid` name a key? */
export function isKid(kid: string): boolean {
  return KID.test(kid);
}

/**
 * `header.claims` of a token, ready to be signed.
 * @throws RangeError on claims or a kid that no valid token can carry: a bug of ours, never visitor input.
 */
export function encodeUnsigned(claims: Claims, kid: string): string {
  if (!isKid(kid) || !isWellFormed(claims)) throw new RangeError(`claims of a ${claims.kind} token out of range`);
  return `${ownHead({ kid, kind: claims.kind })}.${toBase64url(text.encode(jsonOf(claims)))}`;
}

/** A plain ticket, which every join and renewal makes, without a name for each claim: room and numbers are written as JSON writes them. */
function jsonOf(claims: Claims): string {
  if (claims.kind !== "ticket" || claims.receipt !== undefined || claims.networks !== undefined) return JSON.stringify(shortNames(claims));
  const { room, generation, slot, iat, exp } = claims;
  return `{"r":"${room}","g":${generation},"s":${slot},"iat":${iat},"exp":${exp}}`;
}

/** Takes a token apart, or null if it is not exactly what `encodeUnsigned` writes plus 32 bytes of signature. The signature is not checked here. */
export function decodeToken(token: string): DecodedToken | null {
  if (token.length > TOKEN_MAX_BYTES) return null;
  const [head, body, tail, ...rest] = token.split(".");
  if (head === undefined || body === undefined || tail === undefined || rest.length > 0) return null;
  const header = headOf(head);
  const json = fromBase64urlAscii(body);
  const signature = fromBase64url(tail);
  if (header === null || json === null || signature?.length !== SIGNATURE_BYTES) return null;
  const { kid, kind } = header;
  const claims = plainClaims(kind, json) ?? canonicalClaims(kind, json);
  if (claims === null || !isWellFormed(claims)) return null;
  return { kid, kind, claims, signingInput: asciiBytes(token, head.length + 1 + body.length), signature };
}

/** null = of another shape. */
function plainClaims(kind: TokenKind, json: string): VisitorClaims | TicketClaims | PassClaims | null {
  if (kind === "visitor") {
    const found = PLAIN_VISITOR.exec(json);
    if (found === null) return null;
    const [, room = "", key = "", iat, exp] = found;
    return { kind, key, room, iat: Number(iat), exp: Number(exp) };
  }
  if (kind === "ticket") {
    const found = PLAIN_TICKET.exec(json);
    if (found === null) return null;
    const [, room = "", generation, slot, iat, exp] = found;
    return { kind, generation: Number(generation), slot: Number(slot), room, iat: Number(iat), exp: Number(exp) };
  }
  const found = kind === "pass" ? PLAIN_PASS.exec(json) : null;
  if (found === null) return null;
  const [, room = "", generation, slot, serial, iat, exp, end] = found;
  const place = { generation: Number(generation), slot: Number(slot), serial: Number(serial) };
  return { kind: "pass", ...place, room, iat: Number(iat), exp: Number(exp), end: Number(end) };
}

/** Any claims, read by name, if `json` is the text that we write for them: base64url has one text for the same bytes, so comparing it is enough. */
function canonicalClaims(kind: TokenKind, json: string): Claims | null {
  const claims = claimsOf(kind, json);
  if (claims === null || !isWellFormed(claims)) return null;
  if (JSON.stringify(shortNames(claims)) !== json) return null;
  return claims;
}

/** The first so many characters, which are ASCII. */
function asciiBytes(from: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = from.charCodeAt(i);
  return bytes;
}

function headOf(head: string): Head | null {
  if (head.length > TOKEN_MAX_BYTES) return null;
  const known = HEADS.get(head);
  if (known !== undefined) return known;
  const [, kid, kind] = fromBase64urlAscii(head)?.match(HEADER) ?? [];
  if (kid === undefined || kind === undefined) return null;
  const read = { kid, kind: kind as TokenKind };
  if (HEADS.size >= HEADS_MAX) HEADS.clear();
  // Not `head` itself, which may hold on to the whole Cookie header that it was cut from.
  HEADS.set(headText(read), read);
  return read;
}

/**
 * Are the times of correctly signed claims possible at `nowS` (Unix seconds)?
 * `valid` implies `now < exp ≤ now + TOKEN_MAX_LIFE_S`; `expired` means that only `exp` has gone by.
 */
export function judgeTimes(claims: Claims, nowS: number): "valid" | "expired" | "impossible" {
  const { iat, exp } = claims;
  if (iat > nowS + IAT_TOLERANCE_S || exp > nowS + TOKEN_MAX_LIFE_S) return "impossible";
  // A ticket keeps its time of joining through every renewal, so only the others are bound to `iat`.
  if (claims.kind !== "ticket" && exp > iat + TOKEN_MAX_LIFE_S) return "impossible";
  return exp > nowS ? "valid" : "expired";
}

/** Headers that were written, by key and kind: as many as a ring has. */
const WRITTEN = new Map<string, string>();

function ownHead(head: Head): string {
  const name = `${head.kid} ${head.kind}`;
  const written = WRITTEN.get(name) ?? headText(head);
  if (WRITTEN.size >= HEADS_MAX) WRITTEN.clear();
  WRITTEN.set(name, written);
  return written;
}

function headText({ kid, kind }: Head): string {
  return toBase64url(text.encode(`{"alg":"HS256","kid":"${kid}","typ":"vst+${kind}"}`));
}

function shortNames(claims: Claims): object {
  const { room: r, iat, exp } = claims;
  switch (claims.kind) {
    case "visitor":
      return { r, k: claims.key, iat, exp };
    case "door":
      return { r, k: claims.key, i: claims.invitation, u: claims.uses, iat, exp };
    case "staff":
      return { r, l: claims.link, ...(claims.key !== null && { k: claims.key }), iat, exp };
    case "open":
      return { r, k: claims.key, iat, exp, end: claims.end };
    case "proof":
      return { r, k: claims.key, w: claims.work, h: claims.human ? 1 : 0, iat, exp };
    case "entry":
      return { r, g: claims.generation, ...shortReceipt(claims), iat, exp };
    case "ticket":
      return {
        r,
        g: claims.generation,
        s: claims.slot,
        ...(claims.receipt && shortReceipt(claims.receipt)),
        ...shortNetworks(claims),
        iat,
        exp,
      };
    case "pass":
      return { r, g: claims.generation, s: claims.slot, n: claims.serial, ...shortNetworks(claims), iat, exp, end: claims.end };
  }
}

function shortReceipt({ draw, entry, chain }: Receipt): object {
  return { d: draw, e: entry, c: chain };
}

function shortNetworks({ networks }: TicketClaims | PassClaims): object {
  if (networks === undefined) return {};
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, networks.v4);
  view.setUint32(4, networks.v6);
  return { b: toBase64url(bytes) };
}

/** Anything but eight bytes in base64url is no network that could be well-formed. */
function networksOf(text: unknown): Networks {
  const bytes = typeof text === "string" ? fromBase64url(text) : null;
  if (bytes?.length !== 8) return { v4: Number.NaN, v6: Number.NaN };
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { v4: view.getUint32(0), v6: view.getUint32(4) };
}

/** Reads the claims by name; types and ranges are `isWellFormed`'s business, unknown names are caught by framing again. */
function claimsOf(kind: TokenKind, json: string): Claims | null {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof raw !== "object" || raw === null) return null;
  const named = raw as Partial<Record<string, unknown>>;
  const common = { room: named["r"], iat: named["iat"], exp: named["exp"] };
  const place = { generation: named["g"], slot: named["s"] };
  const bound = named["b"] === undefined ? {} : { networks: networksOf(named["b"]) };
  const receipt = { draw: named["d"], entry: named["e"], chain: named["c"] };
  switch (kind) {
    case "visitor":
      return { kind, key: named["k"], ...common } as VisitorClaims;
    case "door":
      return { kind, key: named["k"], invitation: named["i"], uses: named["u"], ...common } as DoorClaims;
    case "staff":
      return { kind, link: named["l"], key: named["k"] ?? null, ...common } as StaffClaims;
    case "open":
      return { kind, key: named["k"], end: named["end"], ...common } as OpenClaims;
    case "proof":
      return { kind, key: named["k"], work: named["w"], human: named["h"] === 1, ...common } as ProofClaims;
    case "entry":
      return { kind, generation: place.generation, ...receipt, ...common } as EntryClaims;
    case "ticket":
      return { kind, ...place, ...(named["d"] !== undefined ? { receipt } : {}), ...bound, ...common } as TicketClaims;
    case "pass":
      return { kind, ...place, serial: named["n"], end: named["end"], ...bound, ...common } as PassClaims;
  }
}

function isWellFormed(claims: Claims): boolean {
  const { room, iat, exp } = claims;
  if (typeof room !== "string" || !ROOM.test(room) || !isWithin(iat, 1, U32_MAX) || !isWithin(exp, iat + 1, U32_MAX)) return false;
  if (claims.kind === "visitor") return isKey(claims.key);
  if (claims.kind === "door") return isKey(claims.key) && isKey(claims.invitation) && isWithin(claims.uses, 1, USES_MAX);
  if (claims.kind === "staff") return isWithin(claims.link, 1, U32_MAX) && (claims.key === null || isKey(claims.key));
  if (claims.kind === "open") return isKey(claims.key) && isWithin(claims.end, exp, U32_MAX);
  if (claims.kind === "proof") return isKey(claims.key) && isWithin(claims.work, 0, MOST_COST);
  if (!isWithin(claims.generation, 0, U32_MAX)) return false;
  if (claims.kind === "entry") return isReceipt(claims);
  if (!isWithin(claims.slot, 0, Number.MAX_SAFE_INTEGER)) return false;
  if (claims.networks !== undefined && !(isNetworks(claims.networks) && (claims.kind === "pass" || hasRoomForNetworks(claims))))
    return false;
  if (claims.kind === "ticket") return claims.receipt === undefined || isReceipt(claims.receipt);
  // Serial 0 is the ticket itself.
  return isWithin(claims.serial, 1, U32_MAX) && isWithin(claims.end, exp, U32_MAX);
}

/** Beside a receipt only while the numbers are as small as those of any room but in theory: else the token could be longer than it may. */
export function hasRoomForNetworks({ generation, slot, receipt }: Pick<TicketClaims, "generation" | "slot" | "receipt">): boolean {
  return receipt === undefined || (generation < 100_000 && slot < 10_000_000_000 && receipt.draw < 10_000_000);
}

/** None at all is said by leaving them out. */
function isNetworks({ v4, v6 }: Networks): boolean {
  return isWithin(v4, 0, U32_MAX) && isWithin(v6, 0, U32_MAX) && v4 + v6 > 0;
}

function isReceipt({ draw, entry, chain }: Receipt): boolean {
  return isWithin(draw, 1, U32_MAX) && isWithin(entry, 0, U32_MAX) && typeof chain === "string" && CHAIN.test(chain);
}

/** Is it 16 bytes in their one base64url spelling, as keys of joins and ids of invitations are? */
export function isKey(value: unknown): value is string {
  return typeof value === "string" && VISITOR_KEY.test(value);
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
