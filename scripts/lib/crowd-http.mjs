/**
 * A browser without the browser: one cookie jar, and requests to one address. Knows nothing of waiting rooms, nor which address may be asked.
 */
import http from "node:http";
import https from "node:https";

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;
/** More of a page than this is not read: a crowd has no use for it. */
const MAX_BODY_BYTES = 262_144;

const NAVIGATION = { Accept: "text/html", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none" };
const SAME_ORIGIN = { Accept: "application/json", "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin" };

/** The address that a crowd may be sent to. Throws an Error that names any other: a crowd against somebody's site is an attack. */
export function readTarget(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isThisComputer(url))
    throw new Error(`--target must be this computer (http://127.0.0.1:PORT, http://localhost:PORT or http://[::1]:PORT), not "${text}"`);
  if (url.protocol !== "http:") throw new Error(`--target must be http://, not "${text}"`);
  return bareAddress(url, text);
}

export function bareAddress(url, text) {
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password)
    throw new Error(`--target must be an address with nothing after it, like http://127.0.0.1:8787, not "${text}"`);
  return url;
}

export function isThisComputer({ hostname }) {
  return /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === "[::1]" || isLocalhost(hostname);
}

function isLocalhost(hostname) {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}

/** Milliseconds since the Unix epoch, in fractions, and never backwards. */
export function now() {
  return performance.timeOrigin + performance.now();
}

/** What a request waits for where nothing holds it back. */
export async function atOnce() {}

/** Connections to `target` that a whole crowd shares. `close()` them at the end. */
export function openConnections(target, most) {
  const { Agent } = target.protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: most });
  return { agent, close: () => agent.destroy() };
}

/** One visitor's jar and requests. `onReply` sees every reply, redirects included. */
export class Browser {
  cookies = new Map();
  requests = 0;
  #options;

  /** `{ target: URL, agent, signal, onReply(reply, cookies it was sent with), onFailure({ path, from }), mostRequests, pace?(signal) }` */
  constructor(options) {
    this.#options = options;
  }

  /** A page load; redirects within the site are followed. Resolves with the last reply. */
  async navigate(path) {
    return this.#follow(await this.#send("GET", path, NAVIGATION), null);
  }

  /** A form of a page is sent; redirects within the site are followed. Resolves with the last reply. */
  async submit(path, fields) {
    const body = new URLSearchParams(fields).toString();
    return this.#follow(await this.#post(path, body), body);
  }

  /** A call by a script of the page. */
  call(method, path) {
    return this.#send(method, path, method === "GET" ? SAME_ORIGIN : { ...SAME_ORIGIN, Origin: this.#options.target.origin });
  }

  #post(path, body) {
    const headers = { ...NAVIGATION, "Sec-Fetch-Site": "same-origin", Origin: this.#options.target.origin };
    return this.#send("POST", path, { ...headers, "Content-Type": "application/x-www-form-urlencoded" }, body);
  }

  /** 307 and 308 repeat the form, the others load a page. */
  async #follow(first, body) {
    const { target } = this.#options;
    let reply = first;
    for (let i = 0; i < MAX_REDIRECTS && reply.status >= 300 && reply.status < 400; i++) {
      const location = reply.headers.location;
      const next = location === undefined ? null : new URL(location, new URL(reply.path, target));
      if (next === null || next.origin !== target.origin) return reply;
      const path = next.pathname + next.search;
      const again = body !== null && (reply.status === 307 || reply.status === 308);
      reply = await (again ? this.#post(path, body) : this.#send("GET", path, NAVIGATION));
    }
    return reply;
  }

  async #send(method, path, headers, body) {
    const { mostRequests, onReply, onFailure, pace = atOnce, signal } = this.#options;
    if (this.requests >= mostRequests) throw new Error(`more than ${mostRequests} requests`);
    this.requests += 1;
    await pace(signal);
    const from = now();
    const sent = new Map(this.cookies);
    const cookie = [...sent].map(([name, value]) => `${name}=${value}`).join("; ");
    try {
      const reply = await send(this.#options, method, path, cookie ? { ...headers, Cookie: cookie } : headers, body);
      this.#keep(reply.headers["set-cookie"] ?? []);
      const seen = { ...reply, path, from, to: now() };
      onReply(seen, sent);
      return seen;
    } catch (error) {
      onFailure({ path, from });
      throw error;
    }
  }

  #keep(lines) {
    for (const line of lines) {
      const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined) continue;
      const maxAge = /;\s*max-age=(-?\d+)/i.exec(line)?.[1];
      if (maxAge !== undefined && Number(maxAge) <= 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** One request, `{ target, agent, signal }` as for a Browser. Resolves with `{ status, headers, text }`; follows no redirect. */
export function send({ target, agent, signal }, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const outgoing = (target.protocol === "https:" ? https : http).request(
      {
        // The name is not looked up: whatever it might lead to, this is this computer.
        host: isLocalhost(target.hostname) ? "127.0.0.1" : target.hostname.replace(/^\[|\]$/g, ""),
        port: target.port || undefined,
        method,
        path,
        agent,
        headers: { Host: target.host, ...headers, ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }) },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      },
      async (incoming) => {
        try {
          resolve({ status: incoming.statusCode, headers: incoming.headers, text: await bodyOf(incoming) });
        } catch (error) {
          reject(error);
        }
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function bodyOf(incoming) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
