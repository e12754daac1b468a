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

const LIMIT_MS = 100_000;
const MANUAL = { redirect: "manual" };
const alike = ({ method, headers }) => ({ method, headers: new Headers(headers), redirect: "manual" });
const read = (response) => response.arrayBuffer();

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
    clearTimeout(setTimeout(() => deadline.abort(), LIMIT_MS));
  },
  "fetch a request like this one": async (request, { site }) => read(await fetch(new Request(site, request), MANUAL)),
  "fetch an address with its headers": async (request, { site }) => read(await fetch(site, alike(request))),
  "fetch … and a timer": async (request, { site }) => {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, LIMIT_MS);
    });
    await read(await Promise.race([fetch(site, alike(request)), late]));
    clearTimeout(timer);
  },
  "fetch … and a timer with a signal": async (request, { site }) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), LIMIT_MS);
    await read(await fetch(site, { ...alike(request), signal: deadline.signal }));
    clearTimeout(timer);
  },
  "a reply": () => new Response("{}"),
  "a reply with the headers that ours have": () => new Response("{}", { headers: OURS }),
  nothing: () => undefined,
};

export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url);
    const step = STEPS[searchParams.get("step")];
    if (step === undefined) return Response.json(Object.keys(STEPS));
    const scratch = { headers: new Headers(), site: `${env.ORIGIN}/` };
    for (let left = Number(searchParams.get("times")); left > 0; left -= 1) await step(request, scratch);
    return new Response("done");
  },
};
