/**
 * Stands in for Turnstile: its script with the two calls that our page makes, a frame with a box to tick, and siteverify, which knows each
 * token once. Node only; an address of its own, as the real one has.
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
globalThis.turnstile = {
  render(element, { sitekey, action, cData, callback }) {
    const frame = document.createElement("iframe");
    frame.title = "Widget";
    frame.src = new URL("/frame", document.querySelector('script[src*="/turnstile/"]').src).href;
    element.append(frame);
    addEventListener("message", ({ data, source }) => {
      if (source === frame.contentWindow) callback(btoa(JSON.stringify({ sitekey, action, cdata: cData, hostname: location.hostname, id: data })));
    });
    return "widget";
  },
  reset() {},
  remove() {},
};
`;

const FRAME = `<!doctype html><html lang="en"><title>Widget</title><label><input type="checkbox"> I am a person</label>
<script>document.querySelector("input").onchange = () => parent.postMessage(String(Math.random()), "*")</script></html>`;

export async function startTurnstile() {
  const secret = "0x4AAAAAAAsecretOfAWidget";
  const verified: Token[] = [];
  const used = new Set<string>();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://turnstile.test");
    if (pathname === "/turnstile/v0/api.js") return response.writeHead(200, { "Content-Type": "text/javascript" }).end(SCRIPT);
    if (pathname === "/frame") return response.writeHead(200, { "Content-Type": "text/html" }).end(FRAME);
    let text = "";
    for await (const chunk of request) text += chunk;
    const asked = JSON.parse(text) as { secret: string; response: string };
    const isFresh = asked.secret === secret && !used.has(asked.response);
    used.add(asked.response);
    const token = JSON.parse(atob(asked.response)) as Token;
    if (isFresh) verified.push(token);
    const reply = isFresh ? { success: true, ...token } : { success: false, "error-codes": ["timeout-or-duplicate"] };
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
