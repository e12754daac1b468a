/**
 * SHA-256, synchronous: the one file of the core that uses a built-in module (docs/decisions/0001). Pure as a function.
 * Never imported by `static/`: browsers only have the asynchronous one.
 */
import type { hash as Hash } from "node:crypto";
import type { Bytes } from "./hashing";

/** Got at the first hash, not imported: the module brings 0.8 MB of the runtime's own into every isolate (docs/decisions/0054). */
let hash: typeof Hash | undefined;

/** 32 bytes. */
export function sha256(bytes: Bytes): Bytes {
  hash ??= process.getBuiltinModule("node:crypto").hash;
  // In one go: `createHash` makes an object for each digest, and costs twice as much in workerd.
  return new Uint8Array(hash("sha256", bytes, "buffer"));
}
