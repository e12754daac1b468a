/**
 * Algorithms that need SHA-256, written once for the Room and the edge (synchronous) and for the browser (WebCrypto is asynchronous):
 * a generator yields what is to be hashed and receives the digest. Pure: imports nothing.
 */

export type Bytes = Uint8Array<ArrayBuffer>;

/** Yields preimages, receives their 32-byte digests, returns `T`. A preimage may be overwritten once its digest is there. */
export type Hashing<T> = Generator<Bytes, T, Bytes>;

/** SHA-256 of `bytes`, 32 bytes. */
export type Sha256 = (bytes: Bytes) => Bytes;

/** Must have read `bytes` when it returns, as `crypto.subtle.digest` has. */
export type Sha256Async = (bytes: Bytes) => Promise<Bytes>;

export function runHashing<T>(steps: Hashing<T>, sha256: Sha256): T {
  let step = steps.next();
  while (!step.done) step = steps.next(sha256(step.value));
  return step.value;
}

export async function runHashingAsync<T>(steps: Hashing<T>, sha256: Sha256Async): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await sha256(step.value));
  return step.value;
}
