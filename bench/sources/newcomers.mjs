/**
 * Newcomers who ask for a place by a script of the page, each with a visitor token of its own, which is signed here. Runs in the process of
 * the load. Keeps what each was given, so that it can be asked for again.
 */
import { createHmac, randomBytes } from "node:crypto";

/**
 * @param options { room, kid, key, headers, placeCookie, keep }; `key` is the sub-key for visitor tokens in base64url, `keep` false = only count
 * `collected()`: { given, later, places: [{ cookie, slot, ticket }] }; `later`: told that the place is on its way
 */
export default function newcomers({ room, kid, key, headers, keep = true }) {
  const secret = Buffer.from(key, "base64url");
  const head = Buffer.from(`{"alg":"HS256","kid":"${kid}","typ":"vst+visitor"}`).toString("base64url");
  const places = [];
  let [given, later] = [0, 0];
  return {
    next(request, context) {
      const iat = Math.floor(Date.now() / 1_000);
      const claims = JSON.stringify({ r: room, k: randomBytes(16).toString("base64url"), iat, exp: iat + 86_400 });
      const signed = `${head}.${Buffer.from(claims).toString("base64url")}`;
      const cookie = `vestibule.${room}=${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
      context.cookie = cookie;
      return { ...request, method: "POST", path: `/__vestibule/rooms/${room}/join`, headers: { ...headers, Cookie: cookie } };
    },
    onResponse(_status, body, context, replied) {
      const slot = /"slot":(\d+)/.exec(body)?.[1];
      if (slot === undefined) {
        later += 1;
        return;
      }
      given += 1;
      if (keep) places.push({ cookie: context.cookie, slot: Number(slot), ticket: cookieIn(replied, `vestibule.${room}`) });
    },
    collected: () => ({ given, later, places }),
  };
}

/** `name=value` of a Set-Cookie line; "" = it was not set. `headers` as autocannon has them: names and values in turn, or by name. */
export function cookieIn(headers, name) {
  const lines = Array.isArray(headers) ? headers : Object.values(headers).flat();
  return lines.find((line) => line.startsWith(`${name}=`))?.split(";")[0] ?? "";
}
