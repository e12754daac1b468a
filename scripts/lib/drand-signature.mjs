/**
 * Is a round of drand's quicknet really signed by its network? BLS12-381 with signatures on G1 and RFC 9380 hashing, drand's scheme
 * bls-unchained-g1-rfc9380 (https://docs.drand.love/docs/cryptography). Needs @noble/curves, which only development has.
 */
import { createHash } from "node:crypto";

/** quicknet's public key, a point of G2: `/52db9ba7…e971/info` of every drand API. */
const KEY =
  "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));

/** true or false; null where @noble/curves is not installed. @param signature 48 bytes in hex */
export async function verifySignature(round, signature) {
  const curves = await import("@noble/curves/bls12-381.js").catch(() => null);
  if (curves === null) return null;
  const { shortSignatures } = curves.bls12_381;
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(round));
  const message = Uint8Array.from(createHash("sha256").update(number).digest());
  try {
    return shortSignatures.verify(bytesOf(signature), shortSignatures.hash(message, DOMAIN), bytesOf(KEY));
  } catch {
    return false; // No point of the curve.
  }
}
