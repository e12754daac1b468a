/**
 * What a browser does with a `Set-Cookie` line of ours, and what stands in it. Pure. Rules: RFC 6265bis, "Storage Model" and
 * "Cookie Name Prefixes"; Partitioned: CHIPS.
 */

import { isLoopback } from "./secret-way.mjs";

/** The limit of browsers for name and value together, bytes. */
const COOKIE_MAX_BYTES = 4_096;
const OWN = /^(?:__Host-|__Secure-)?vestibule(?:-pass|-door|-staff|-open|-proof)?\.([a-z0-9-]{1,32})$/;

/** `{ name, value, attributes }`, attribute names in lower case; a flag is "". */
export function parseCookie(line) {
  const [pair, ...rest] = line.split(";");
  const [name, value] = halves(pair);
  return { name, value, attributes: new Map(rest.map(halves).map(([key, text]) => [key.toLowerCase(), text])) };
}

function halves(text) {
  const at = text.indexOf("=");
  return at < 0 ? [text.trim(), ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** The room whose cookie this name is; null = it is none of ours. */
export function roomOfCookie(name) {
  return OWN.exec(name)?.[1] ?? null;
}

/** Why a browser at `url` would not keep this cookie, as the end of a sentence; null = it keeps it. */
export function whyNotKept(line, url) {
  const { name, value, attributes } = parseCookie(line);
  const { hostname, protocol } = new URL(url);
  const secure = attributes.has("secure");
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase();
  if (secure && protocol !== "https:" && !isLoopback(hostname)) return "is Secure, but this is http";
  if (domain !== "" && hostname !== domain && !hostname.endsWith(`.${domain}`)) return `is for ${domain}, which ${hostname} is no part of`;
  if (/^__(Host|Secure)-/.test(name) && !secure) return `has a name with ${name.slice(0, name.indexOf("-") + 1)} but is not Secure`;
  if (name.startsWith("__Host-") && (domain !== "" || attributes.get("path") !== "/"))
    return "has a name with __Host- and so must have Path=/ and no Domain";
  if (attributes.get("samesite")?.toLowerCase() === "none" && !secure) return "is SameSite=None but not Secure";
  if (attributes.has("partitioned") && !secure) return "is Partitioned but not Secure";
  if (Buffer.byteLength(name + value) > COOKIE_MAX_BYTES) return `is longer than ${COOKIE_MAX_BYTES} bytes`;
  return null;
}

/** The `kid` of the key that signed a token of ours; null = it is no token. */
export function kidOf(token) {
  try {
    const { kid } = JSON.parse(Buffer.from(token.split(".")[0], "base64url").toString());
    return typeof kid === "string" ? kid : null;
  } catch {
    return null;
  }
}
