/** The secret with which a receiver checks webhooks, made as `npm run origin-key -- --webhooks` makes it. */
import { hkdfSync } from "node:crypto";

/** @param root a key of VESTIBULE_KEYS, base64url */
export function webhookSecret(root: string): string {
  const key = hkdfSync("sha256", Buffer.from(root, "base64url"), new Uint8Array(0), "vestibule-1 webhook", 32);
  return `whsec_${Buffer.from(key).toString("base64")}`;
}
