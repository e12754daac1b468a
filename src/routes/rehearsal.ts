/**
 * GET rehearsal: the proof that whoever runs this Worker wants a rehearsal of those who hold REHEARSAL_TOKEN (`npm run crowd`). It opens
 * nothing: a crowd's visitors meet the gate like anybody else. One HMAC, no call, nothing of rooms.
 */
import { isNonce, rehearsalText } from "../core/rehearsal";
import { jsonReply, problem } from "../http/replies";
import { signText } from "../keys";
import { type AppContext, notFound } from "./context";

export async function getRehearsal(c: AppContext): Promise<Response> {
  const { config, url } = c.env;
  if (config.rehearsalToken === null) return notFound();
  const nonce = new URLSearchParams(url.search).get("nonce");
  if (!isNonce(nonce)) return problem(400, "bad-url", "nonce must be 32 bytes in base64url, 43 characters.");
  const proof = await signText(config.rehearsalToken, rehearsalText(nonce, url.authority));
  return jsonReply({ host: url.authority, proof, now: Date.now() });
}
