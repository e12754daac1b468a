/**
 * A strict shared cache (RFC 9111, 9213) as a proxy on 127.0.0.1: it keeps whatever it may, answers from that whenever it may, and guesses
 * where nothing is said. What it must not keep it does not. Its clock can be moved on. Node only; knows nothing of Vestibule.
 */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Stored {
  readonly status: number;
  headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Of the request that it answered, for `Vary`. */
  readonly asked: IncomingHttpHeaders;
  since: number;
}

export interface SharedCache {
  readonly url: URL;
  /** `host target` of everything kept. */
  kept(): string[];
  /** Replies that came out of it, fresh, validated or stale. */
  readonly hits: number;
  /** Let this many seconds pass for it. */
  pass(seconds: number): void;
  forget(): void;
  stop(): Promise<void>;
}

/** Statuses that may be kept without a word (RFC 9110 §15.1); 206 is kept by nobody who reads no ranges. */
const GUESSABLE = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
const GUESS_S = 3_600;
const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

/** @param upstream where everything goes that it cannot answer; `Host` is passed on */
export async function startSharedCache(upstream: URL | string): Promise<SharedCache> {
  const kept = new Map<string, Stored[]>();
  let hits = 0;
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;

  async function handle(asked: IncomingMessage, out: ServerResponse): Promise<void> {
    const key = `${asked.headers.host} ${asked.url}`;
    const wants = directives(asked.headers["cache-control"]);
    const isRead = asked.method === "GET" || asked.method === "HEAD";
    const found = isRead && !wants.has("no-store") ? kept.get(key)?.find((each) => fits(each, asked.headers)) : undefined;
    if (found === undefined) return out.destroyed ? undefined : passOn(key, asked, out);
    const cc = orders(found.headers);
    const mustAsk = cc.has("no-cache") || wants.has("no-cache") || wants.get("max-age") === "0";
    if (!mustAsk && (now() - found.since) / 1_000 < lifetimeS(found)) return serve(found, asked, out);
    const etag = lineOf(found.headers, "etag");
    const since = lineOf(found.headers, "last-modified");
    const conditions = { ...(etag && { "if-none-match": etag }), ...(since && { "if-modified-since": since }) };
    const reply = await ask(asked, Object.keys(conditions).length > 0 ? conditions : {}).catch(() => null);
    if (reply === null) {
      const mayBeStale = !["must-revalidate", "proxy-revalidate", "no-cache", "s-maxage"].some((name) => cc.has(name));
      if (mayBeStale) return serve(found, asked, out);
      out.writeHead(504).end();
      return;
    }
    if (reply.status !== 304) return store(key, asked, out, reply);
    const named = new Set(reply.headers.map(([name]) => name.toLowerCase()));
    found.headers = [...found.headers.filter(([name]) => !named.has(name.toLowerCase())), ...reply.headers];
    found.since = now();
    serve(found, asked, out);
  }

  async function passOn(key: string, asked: IncomingMessage, out: ServerResponse): Promise<void> {
    const reply = await ask(asked, {}).catch(() => null);
    if (reply !== null) return store(key, asked, out, reply);
    out.writeHead(504).end();
  }

  function store(key: string, asked: IncomingMessage, out: ServerResponse, reply: Stored): void {
    if (!SAFE.has(asked.method ?? "") && reply.status < 400) kept.delete(key);
    if (asked.method === "GET" && mayKeep(asked.headers, reply)) {
      const others = (kept.get(key) ?? []).filter((each) => !fits(each, asked.headers));
      kept.set(key, [...others, reply]);
    }
    write(out, reply.status, reply.headers, reply.body);
  }

  function serve(found: Stored, asked: IncomingMessage, out: ServerResponse): void {
    hits++;
    const age: [string, string] = ["Age", String(Math.floor((now() - found.since) / 1_000))];
    const etag = lineOf(found.headers, "etag");
    const isSame = etag !== null && (asked.headers["if-none-match"] ?? "").includes(etag);
    write(out, isSame ? 304 : found.status, [...found.headers, age], isSame || asked.method === "HEAD" ? null : found.body);
  }

  function ask(asked: IncomingMessage, conditions: Readonly<Record<string, string>>): Promise<Stored> {
    const headers = { ...asked.headers, ...conditions };
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(upstream);
      const outgoing = request({ hostname, port, method: asked.method, path: asked.url, headers, agent: false }, (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const { statusCode: status = 0, rawHeaders: raw } = incoming;
          const lines = raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ""] as const] : []));
          const kept = lines.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
          resolve({ status, headers: kept, body: Buffer.concat(parts), asked: asked.headers, since: now() });
        });
      });
      outgoing.on("error", reject);
      asked.pipe(outgoing);
    });
  }

  const server = createServer((asked, out) => {
    handle(asked, out).catch(() => out.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    kept: () => [...kept.keys()],
    get hits() {
      return hits;
    },
    pass(seconds) {
      aheadMs += seconds * 1_000;
    },
    forget: () => kept.clear(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Lines = Stored["headers"];
const lineOf = (lines: Lines, name: string) => lines.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;

function directives(text: string | null | undefined): Map<string, string> {
  const parts = (text ?? "").match(/[^\s,;="]+(?:="[^"]*"|=[^\s,;]*)?/g) ?? [];
  return new Map(parts.map((part) => [part.split("=", 1)[0]?.toLowerCase() ?? "", part.split("=").slice(1).join("=")]));
}

/** A cache in front of a site goes by what is meant for it alone, where there is that. */
const orders = (lines: Lines) => directives(lineOf(lines, "cdn-cache-control") ?? lineOf(lines, "cache-control"));

function mayKeep(asked: IncomingHttpHeaders, { status, headers }: Stored): boolean {
  const cc = orders(headers);
  if (status < 200 || status === 206 || status === 304 || directives(asked["cache-control"]).has("no-store")) return false;
  // `private="set-cookie"` forbids one line only; it is none of ours.
  if (cc.has("no-store") || cc.get("private") === "" || lineOf(headers, "vary") === "*") return false;
  if (asked.authorization !== undefined && !["public", "must-revalidate", "s-maxage"].some((name) => cc.has(name))) return false;
  const isTold = ["public", "max-age", "s-maxage"].some((name) => cc.has(name)) || lineOf(headers, "expires") !== null;
  return isTold || GUESSABLE.has(status);
}

function lifetimeS({ headers }: Stored): number {
  const cc = orders(headers);
  const told = cc.get("s-maxage") ?? cc.get("max-age");
  if (told !== undefined) return Number(told);
  const date = Date.parse(lineOf(headers, "date") ?? "");
  const expires = lineOf(headers, "expires");
  if (expires !== null) return (Date.parse(expires) - date) / 1_000 || 0;
  const changed = lineOf(headers, "last-modified");
  return changed === null ? GUESS_S : (date - Date.parse(changed)) / 10_000;
}

/** May what answered one request answer this one? */
function fits({ headers, asked }: Stored, other: IncomingHttpHeaders): boolean {
  const names = (lineOf(headers, "vary") ?? "").toLowerCase().split(/[\s,]+/);
  return names.every((name) => name === "" || asked[name] === other[name]);
}

function write(out: ServerResponse, status: number, lines: Lines, body: Buffer | null): void {
  for (const [name, value] of lines) out.appendHeader(name, value);
  out.writeHead(status).end(body ?? undefined);
}
