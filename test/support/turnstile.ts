/**
 * Stands in for Turnstile: its script with the calls that our page makes, a frame with a box to tick, which makes another token when the
 * widget is reset, and siteverify, which knows each token once, and again under the same idempotency key. Node only; an address of its own,
 * as the real one has.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Token {
  readonly sitekey: string;
  readonly action: string;
  readonly cdata: string;
  readonly hostname: string;
}

/** Runs in the page, where the real one draws its widget. */
const SCRIPT = `
let reset = () => {};
globalThis.turnstile = {
  render(element, { sitekey, action, cData, callback }) {
    const frame = document.createElement("iframe");
    frame.title = "Widget";
    frame.src = new URL("/frame", document.querySelector('script[src*="/turnstile/"]').src).href;
    element.append(frame);
    reset = () => frame.contentWindow.postMessage("again", "*");
    addEventListener("message", ({ data, source }) => {
      if (source === frame.contentWindow) callback(btoa(JSON.stringify({ sitekey, action, cdata: cData, hostname: location.hostname, id: data })));
    });
    return "widget";
  },
  reset: () => reset(),
  remove() {},
};
`;

const FRAME = `<!doctype html><html lang="en"><title>Widget</title><label><input type="checkbox"> I am a person</label>
<script>const box = document.querySelector("input");
onmessage = box.onchange = () => box.checked && parent.postMessage(String(Math.random()), "*")</script></html>`;

export async function startTurnstile() {
  const secret = "0x4AAAAAAAsecretOfAWidget";
  const verified: Token[] = [];
  /** The idempotency key under which a token was asked about first. */
  const used = new Map<string, string | undefined>();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://turnstile.test");
    if (pathname === "/turnstile/v0/api.js") return response.writeHead(200, { "Content-Type": "text/javascript" }).end(SCRIPT);
    if (pathname === "/frame") return response.writeHead(200, { "Content-Type": "text/html" }).end(FRAME);
    let text = "";
    for await (const chunk of request) text += chunk;
    const asked = JSON.parse(text) as { secret: string; response: string; idempotency_key?: string };
    const { response: shown, idempotency_key: key } = asked;
    const isNew = !used.has(shown);
    const isGood = asked.secret === secret && (isNew || (key !== undefined && used.get(shown) === key));
    if (isNew) used.set(shown, key);
    const token = JSON.parse(atob(shown)) as Token;
    if (isGood && isNew) verified.push(token);
    const reply = isGood ? { success: true, ...token } : { success: false, "error-codes": ["timeout-or-duplicate"] };
    return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    /** Tokens that siteverify was asked about for the first time. */
    verified,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
