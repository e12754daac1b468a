/** The secret with which a receiver checks webhooks, made as `npm run origin-key -- --webhooks ROOM/NAME` makes it. */
import { hkdfSync } from "node:crypto";

/**
 * @param root a key of VESTIBULE_KEYS, base64url
 * @param of room and name of the webhook
 */
export function webhookSecret(root: string, of: string, version = 1): string {
  const key = hkdfSync(
    "sha256",
    Buffer.from(root, "base64url"),
    new Uint8Array(0),
    `vestibule-1 webhook ${of.replace("/", " ")} ${version}`,
    32,
  );
  return `whsec_${Buffer.from(key).toString("base64")}`;
}
