/**
 * Did it come through the room, and whose pass is this: the Node sample of docs/integrate.md, word for word (a test compares the two).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { jwtVerify } from "jose";

const requestKeys = readKeys(process.env.VESTIBULE_REQUEST_KEYS);
const passKeys = readKeys(process.env.VESTIBULE_PASS_KEYS);

/** Did this request come through the room? `publicHost`: as visitors write it, `shop.example.com`. */
export function cameThroughTheRoom(request, publicHost) {
  const { headers, method, url } = request;
  const [, t, kid, mac] = /^t=(\d{1,12}), kid=([\w-]{1,16}), mac=([\w-]{43})$/.exec(headers["vestibule-signature"] ?? "") ?? [];
  const key = requestKeys.get(kid);
  if (!key || Math.abs(Date.now() / 1000 - Number(t)) > 60) return false;
  const status = headers["vestibule-status"] ?? "";
  const session = headers["vestibule-session"] ?? "";
  const text = ["vestibule-request-1", t, method, publicHost, url, status, session].join("\n");
  return timingSafeEqual(createHmac("sha256", key).update(text).digest(), Buffer.from(mac, "base64url"));
}

/** The visit that a pass of this room belongs to, as in `Vestibule-Session`; null = it is no pass, or its time is over. */
export async function visitOf(pass, room) {
  try {
    const options = { algorithms: ["HS256"], typ: "vst+pass", requiredClaims: ["exp"] };
    const { payload } = await jwtVerify(pass, ({ kid }) => passKeys.get(kid), options);
    return payload.r === room ? `${payload.g}.${payload.s}` : null;
  } catch {
    return null;
  }
}

function readKeys(printed = "") {
  const keys = new Map(printed.split(/[\n,]/).map((line) => line.trim().split(":")));
  return new Map([...keys].map(([kid, key]) => [kid, Buffer.from(key ?? "", "base64url")]).filter(([, key]) => key.length === 32));
}
