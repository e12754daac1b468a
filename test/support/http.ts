/**
 * One HTTP request as given, over node:http: nothing added but Host, Connection and the body's length; no redirects followed.
 * (`fetch` would add Accept, Sec-Fetch-Mode and User-Agent of its own, and refuses some headers.)
 * Node only; knows nothing of Vestibule.
 */
import { Agent, type IncomingMessage, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { Readable } from "node:stream";

export interface SendInit {
  readonly method?: string;
  /** `Host` may be set. A list of values sends the header that many times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | Readable;
  readonly signal?: AbortSignal;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
/** Test servers sign their certificates themselves. */
const tlsAgent = new TlsAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, rejectUnauthorized: false });

const NO_BODY = new Set([204, 205, 304]);

/**
 * Sends the request and resolves with the head; the body streams and stays compressed if it is.
 * Rejects on a connection error or an abort.
 */
export function send(url: URL | string, init: SendInit = {}): Promise<Response> {
  const target = new URL(url);
  const secure = target.protocol === "https:";
  const method = init.method ?? "GET";
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? tlsRequest : plainRequest)({
      host: target.hostname,
      port: target.port,
      path: target.pathname + target.search,
      method,
      agent: secure ? tlsAgent : agent,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    for (const [name, value] of Object.entries(init.headers ?? {})) {
      outgoing.setHeader(name, typeof value === "string" ? value : [...value]);
    }
    outgoing.on("response", (incoming) => resolve(toResponse(incoming, method)));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed the kept connection at the very moment it was used again, as browsers meet it too: once more, on another one.
      const isStale = outgoing.reusedSocket && error.code === "ECONNRESET" && !(init.body instanceof Readable);
      if (isStale && init.signal?.aborted !== true) send(url, init).then(resolve, reject);
      else reject(error);
    });
    if (init.body instanceof Readable) init.body.pipe(outgoing);
    else outgoing.end(init.body);
  });
}

function toResponse(incoming: IncomingMessage, method: string): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? "");
  }
  const init = { status, statusText: incoming.statusMessage ?? "", headers };
  if (method === "HEAD" || NO_BODY.has(status)) {
    incoming.resume();
    return new Response(null, init);
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, init);
}
