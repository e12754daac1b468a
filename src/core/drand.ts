/**
 * drand's network "quicknet" (https://docs.drand.love): public random numbers, one every 3 seconds, that nobody can know before. Pure:
 * which round a draw uses, where it is found, and what an answer is worth. Its BLS signature is not checked here (docs/fairness.md).
 */
import { fromHex, isHex, toHex } from "./bytes";
import type { Hashing } from "./hashing";

export const QUICKNET = {
  chain: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  /** When round 1 was published, ms since the Unix epoch. */
  genesisMs: 1_692_803_367_000,
  periodMs: 3000,
} as const;

/** HTTP APIs that serve it (https://docs.drand.love/developer/http-api), asked in this order. */
export const DRAND_APIS: readonly string[] = ["https://api.drand.sh", "https://drand.cloudflare.com"];

/** So much later than the cut-off the round of a draw is published at the earliest, ms: nobody can know it while entering. */
export const BEACON_DISTANCE_MS = 10_000;

/** An answer is about 250 bytes. */
export const ROUND_MAX_BYTES = 2000;

const SIGNATURE_BYTES = 48;

export interface DrandRound {
  readonly round: number;
  /** 32 bytes, hex: SHA-256 of the signature. */
  readonly randomness: string;
  /** 48 bytes, hex: a compressed point of BLS12-381 G1. */
  readonly signature: string;
}

export type RoundRead =
  | { readonly ok: true; readonly value: DrandRound }
  | { readonly ok: false; readonly why: "too-large" | "malformed" | "other-round" | "wrong-randomness" };

/** When `round` is published, ms since the Unix epoch. */
export function publishedAtMs(round: number): number {
  return QUICKNET.genesisMs + (round - 1) * QUICKNET.periodMs;
}

/** The rule of a draw: the first round published at least 10 s after the cut-off. @param cutoffMs ms since the Unix epoch, after 2023. */
export function roundAfter(cutoffMs: number): number {
  return Math.ceil((cutoffMs + BEACON_DISTANCE_MS - QUICKNET.genesisMs) / QUICKNET.periodMs) + 1;
}

/** DRAND_URL: one or more http(s) addresses without path, with commas, in place of the usual ones; null = neither that nor unset. */
export function readDrandUrl(raw: unknown): readonly string[] | null {
  if (raw === undefined || raw === null || raw === "") return DRAND_APIS;
  if (typeof raw !== "string") return null;
  const urls = raw.split(",").map((text) => text.trim());
  const origins = urls.map((text) => (URL.canParse(text) ? new URL(text) : null));
  const isBare = (url: URL | null) => url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return origins.every(isBare) ? origins.map((url) => url?.origin ?? "") : null;
}

/** @param base an API's address without a final slash, like `https://api.drand.sh`. */
export function roundUrl(base: string, round: number): string {
  return `${base}/${QUICKNET.chain}/public/${round}`;
}

/** What an API answered, accepted only as exactly the awaited round, well-formed and consistent with itself. @param body the whole text. */
export function* readingRound(body: string, round: number): Hashing<RoundRead> {
  if (body.length > ROUND_MAX_BYTES) return { ok: false, why: "too-large" };
  const answer = parsed(body);
  if (answer === null) return { ok: false, why: "malformed" };
  const { randomness, signature } = answer;
  if (!isHex(randomness, 32) || !isHex(signature, SIGNATURE_BYTES)) return { ok: false, why: "malformed" };
  if (answer["round"] !== round) return { ok: false, why: "other-round" };
  if (toHex(yield fromHex(signature)) !== randomness) return { ok: false, why: "wrong-randomness" };
  return { ok: true, value: { round, randomness, signature } };
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
