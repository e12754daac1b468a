/**
 * Tokens of the admin API: made, listed, revoked. Their secrets are made here, shown once and kept nowhere; the object that keeps tokens has
 * their hashes.
 */
import { readTokenOrder } from "../core/admin-tokens";
import { fromBase64url, toBase64url } from "../core/base64url";
import { jsonReply } from "../http/replies";
import { signText } from "../keys";
import { invalid, readBody } from "./admin-access";
import { listed, pageOf } from "./admin-export";
import { type Handlers, toReply } from "./admin-room";
import { hashOf, keeper, tokenText } from "./admin-who";
import { type AppContext, notFound } from "./context";

export const tokenHandlers = {
  "GET /me": async (c) => jsonReply(c.get("who")),
  "GET /tokens": async (c) => jsonReply({ tokens: await keeper(c, (rpc) => rpc.tokens(), true) }),
  "POST /tokens": make,
  "DELETE /tokens/:token": revoke,
  "GET /audit": async (c) => {
    const page = pageOf(c);
    return page instanceof Response ? page : listed(c, "audit", await keeper(c, (rpc) => rpc.tokenAudit(page), true));
  },
} satisfies Handlers;

async function make(c: AppContext): Promise<Response> {
  const body = await readBody(c);
  if (body instanceof Response) return body;
  const order = readTokenOrder(body.fields, Date.now());
  if (Array.isArray(order)) return invalid(order);
  const { name, once } = body.actor;
  // Asked for again under the same Idempotency-Key it is the same one, made once more: of a reply that was lost nothing is.
  const sure = () => signText(c.env.config.adminToken, JSON.stringify(["vestibule-token-1", name, once?.key, once?.print]));
  const bytes = once === null ? null : fromBase64url(await sure());
  const secret = toBase64url(bytes?.subarray(0, 16) ?? crypto.getRandomValues(new Uint8Array(16)));
  const hash = await hashOf(secret);
  const made = await keeper(c, (rpc) => rpc.makeToken(order, hash, body.actor), body.actor.once !== null);
  if (made.as !== "ok") return toReply(made);
  const token = await tokenText(c.env.config.adminToken, made.value.id, secret);
  return toReply(made, (value) => ({ ...value, token }));
}

async function revoke(c: AppContext): Promise<Response> {
  const text = c.req.param("token") ?? "";
  if (!/^\d{1,9}$/.test(text)) return notFound();
  const body = await readBody(c);
  if (body instanceof Response) return body;
  return toReply(await keeper(c, (rpc) => rpc.revokeToken(Number(text), body.actor), true));
}
