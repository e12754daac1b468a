/** Does one step of a request as often as it is asked to: for bench/experiments/primitives.mjs. */
import { DurableObject } from "cloudflare:workers";

/** Bound as in the built Worker, and never called. */
export class Room extends DurableObject {}

const text = new TextEncoder();
const SIGNED = text.encode("a".repeat(160)); // As long as header and claims of a pass.
const OURS = new Headers({
  "Cache-Control": "private, no-store",
  Vary: "Accept",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
});
const KEY = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
const MAC = new Uint8Array(await crypto.subtle.sign("HMAC", KEY, SIGNED));

const STEPS = {
  "check the HMAC of a token": () => crypto.subtle.verify("HMAC", KEY, MAC, SIGNED),
  "sign a request to the site": () => crypto.subtle.sign("HMAC", KEY, SIGNED),
  "copy the headers of a page load": (request) => new Headers(request.headers),
  "look at the name of each header": (request) => {
    let length = 0;
    for (const name of request.headers.keys()) length += name.length;
    return length;
  },
  "set five headers": (_request, { headers }) => {
    for (const name of ["a", "b", "c", "d", "e"]) headers.set(name, "value");
  },
  "a request like this one": (request) => new Request("http://127.0.0.1/", request),
  "a time limit for the site": () => {
    const deadline = new AbortController();
    clearTimeout(setTimeout(() => deadline.abort(), 100_000));
  },
  "a reply": () => new Response("{}"),
  "a reply with the headers that ours have": () => new Response("{}", { headers: OURS }),
  nothing: () => undefined,
};

export default {
  async fetch(request) {
    const { searchParams } = new URL(request.url);
    const step = STEPS[searchParams.get("step")];
    if (step === undefined) return Response.json(Object.keys(STEPS));
    const scratch = { headers: new Headers() };
    for (let left = Number(searchParams.get("times")); left > 0; left -= 1) await step(request, scratch);
    return new Response("done");
  },
};
