/**
 * SHA-256, synchronous: the one file of the core that imports a built-in module (docs/decisions/0001). Pure as a function.
 * Never imported by `static/`: browsers only have the asynchronous one.
 */
import { hash } from "node:crypto";
import type { Bytes } from "./hashing";

/** 32 bytes. */
export function sha256(bytes: Bytes): Bytes {
  // In one go: `createHash` makes an object for each digest, and costs twice as much in workerd.
  return new Uint8Array(hash("sha256", bytes, "buffer"));
}
