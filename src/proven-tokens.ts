/**
 * Tokens whose signature this isolate has found good: a browser shows the same one with every request, and what is signed does not change.
 * Only that is remembered. Times, revoked keys, room and generation are judged anew each time. Nothing gets in without a good signature.
 */
import type { DecodedToken } from "./core/token";

export type ProvenToken = Pick<DecodedToken, "kid" | "kind" | "claims">;

interface Kept extends ProvenToken {
  readonly token: string;
}

/** In each half; about a megabyte in both. */
const HALF_MAX = 1_024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class ProvenTokens {
  #young = new Map<string, Kept>();
  #old = new Map<string, Kept>();

  get(token: string): ProvenToken | undefined {
    const young = this.#young.get(token);
    if (young !== undefined) return young;
    const old = this.#old.get(token);
    if (old !== undefined) this.#keep(old);
    return old;
  }

  /** `token` has the signature of the key that it names. */
  put(token: string, { kid, kind, claims }: ProvenToken): void {
    // A copy: what was cut out of a Cookie header would hold on to the whole of it.
    this.#keep({ token: decoder.decode(encoder.encode(token)), kid, kind, claims });
  }

  /** Whatever was not asked for while the young half filled up is forgotten. */
  #keep(kept: Kept): void {
    if (this.#young.size >= HALF_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(kept.token, kept);
  }
}
