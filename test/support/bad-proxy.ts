/**
 * What stands in front of a site and should not: a proxy on 127.0.0.1 with one fault at a time. Node only; knows nothing of Vestibule but the
 * prefix of its paths.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SendInit } from "./http";

export type Fault =
  | "none"
  | "caches-everything"
  | "rewrites-cache-control"
  | "strips-set-cookie"
  | "strips-cookie"
  | "adds-domain"
  | "redirects-to-www"
  | "date-behind"
  | "limits-rate"
  | "challenges"
  | "injects-script"
  | "strips-policy"
  | "passes-by-every-second"
  | "passes-by-other-case"
  | "passes-by";

export interface BadProxy {
  readonly url: URL;
  /** What is asked of it, method and target, oldest first. */
  readonly asked: string[];
  fault: Fault;
  stop(): Promise<void>;
}

type Upstream = (url: string, init: SendInit) => Promise<Response>;
/** How far behind the clock of `date-behind` is, ms. */
const BEHIND_MS = 90_000;

/** @param upstream where requests go, as https requests to the host that was asked for */
export async function startBadProxy(upstream: Upstream): Promise<BadProxy> {
  const asked: string[] = [];
  const kept = new Map<string, readonly [number, readonly (readonly [string, string])[], Buffer]>();
  let fault: Fault = "none";

  async function answer(request: IncomingMessage, out: ServerResponse): Promise<void> {
    const [host = "", target = ""] = [request.headers.host, request.url];
    if (fault === "date-behind") out.setHeader("Date", new Date(Date.now() - BEHIND_MS).toUTCString());
    asked.push(`${request.method} ${target}`);
    const own = target.startsWith("/__vestibule/");
    const wrongCase = target !== target.toLowerCase() && !own;
    const passesBy =
      fault === "passes-by" ||
      (fault === "passes-by-every-second" && asked.length % 2 === 0) ||
      (fault === "passes-by-other-case" && wrongCase);
    if (passesBy) return void out.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>the site itself</title>");
    if (fault === "redirects-to-www") return void out.writeHead(301, { Location: `https://www.${host}${target}` }).end();
    if (fault === "limits-rate" && own) return void out.writeHead(429, { Server: "limiter" }).end("slow down");
    if (fault === "challenges") return void out.writeHead(403, { "Cf-Mitigated": "challenge" }).end("Just a moment...");
    const stored = fault === "caches-everything" ? kept.get(target) : undefined;
    if (stored) return void out.writeHead(stored[0], [...stored[1], ["Age", "7"]].flat()).end(stored[2]);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value ?? ""]));
    delete headers["host"];
    if (fault === "strips-cookie") delete headers["cookie"];
    const reply = await upstream(`https://${host}${target}`, { method: request.method ?? "GET", headers });
    const lines = [...reply.headers].filter(([name]) => !/^(connection|keep-alive|transfer-encoding|content-length)$/i.test(name));
    const body = Buffer.from(await reply.arrayBuffer());
    const seen = lines.flatMap(([name, value]) => changed(name, value));
    const isHtml = /html/.test(reply.headers.get("Content-Type") ?? "");
    const text = fault === "injects-script" && isHtml ? Buffer.from(`${body}<script src="https://ads.test/a.js"></script>`) : body;
    kept.set(target, [reply.status, seen, text]);
    out.writeHead(reply.status, seen.flat()).end(text);
  }

  function changed(name: string, value: string): (readonly [string, string])[] {
    const is = (other: string) => name.toLowerCase() === other;
    if (fault === "rewrites-cache-control" && is("cache-control")) return [[name, "public, max-age=14400"]];
    if (fault === "strips-set-cookie" && is("set-cookie")) return [];
    if (fault === "adds-domain" && is("set-cookie")) return [[name, `${value}; Domain=shop.test`]];
    if (fault === "strips-policy" && is("content-security-policy")) return [];
    return [[name, value]];
  }

  const server = createServer((request, out) => {
    answer(request, out).catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    asked,
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
      asked.length = 0;
      kept.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
