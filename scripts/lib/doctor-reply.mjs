/**
 * Reads what a deployed address answered, for `npm run doctor`: whose reply is it? Pure.
 * A reply is `{ url, status, headers: [[name, value]…], body, atMs }` or `{ url, failed }`; `atMs` is this computer's clock, half-way between question
 * and answer.
 */
import { parseCookie, roomOfCookie } from "./doctor-cookies.mjs";

/** First value of a header; null = not there. */
export function header(reply, name) {
  return reply?.headers?.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}

const cookiesOf = (reply) => (reply?.headers ?? []).filter(([name]) => name.toLowerCase() === "set-cookie").map(([, line]) => line);

/** `Set-Cookie` lines of ours. */
export function ownCookies(reply) {
  return cookiesOf(reply).filter((line) => roomOfCookie(parseCookie(line).name) !== null);
}

export function jsonOf(reply) {
  try {
    return JSON.parse(reply?.body ?? "");
  } catch {
    return null;
  }
}

export const isHealthy = (reply) => reply?.status === 200 && jsonOf(reply)?.status === "ok";
/** An error of ours has a code; what stands in front of us has not. */
export const codeOf = (reply) => (/problem\+json/.test(header(reply, "content-type") ?? "") ? (jsonOf(reply)?.code ?? null) : null);

/** Did this page come by the Worker? A cookie of ours, or the way to fetch one, or a page of ours. */
export function isGated(reply) {
  const location = header(reply, "location") ?? "";
  return (
    ownCookies(reply).length > 0 || /\/__vestibule\/(check|rooms)\b/.test(location) || /'nonce-[^']+'.*base-uri 'none'/.test(csp(reply))
  );
}
export const csp = (reply) => header(reply, "content-security-policy") ?? "";

/** JSON or a page that only we make, or our redirect. */
export function isOurs(reply) {
  const body = jsonOf(reply);
  if (isHealthy(reply) || codeOf(reply) !== null || typeof body?.pollAfterMs === "number" || typeof body?.admittedEpoch === "number")
    return true;
  return reply.status === 303 || /base-uri 'none'/.test(csp(reply)) || /<script[^>]+\/__vestibule\/assets\//.test(reply.body ?? "");
}

export const pathOf = (reply) => new URL(reply.url).pathname;

export const isOwnPath = (reply) => pathOf(reply).startsWith("/__vestibule/");

/** Seconds that a reply has spent in caches. */
export const ageOf = (reply) => Number(header(reply, "age") ?? 0);

const HIT = /^(HIT|STALE|UPDATING|REVALIDATED|EXPIRED)$/i;

/** Did a cache answer in place of the Worker? By `Age`, and by what caches say of themselves. */
export function isFromCache(reply) {
  const timing = /cfCacheStatus;desc="?(\w+)/i.exec(header(reply, "server-timing") ?? "")?.[1];
  const said = [header(reply, "cf-cache-status"), timing, /\bhit\b/i.test(header(reply, "x-cache") ?? "") ? "HIT" : null];
  return ageOf(reply) > 0 || said.some((word) => word != null && HIT.test(word));
}
