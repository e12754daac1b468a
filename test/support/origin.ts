/**
 * A real HTTP server that plays the protected site, and logs what really arrived there.
 * Node only; knows nothing of Vestibule.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

export interface Received {
  readonly method: string;
  /** The request target, as on the wire. */
  readonly url: string;
  /** In order of arrival, names as sent. */
  readonly headers: readonly (readonly [string, string])[];
  /** First value of a header, whatever its case; null = not sent. */
  header(name: string): string | null;
  /** All of the body, once it has ended; rejects when the client went away in the middle. */
  body(): Promise<Buffer>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, received: Received) => unknown;

export interface Origin {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
  /** Oldest first. Empty it with `length = 0`. */
  readonly received: Received[];
  /** Replace the handler (default: 200, `text/html`, one line naming method and path). */
  handle(handler: Handler): void;
  /** Close every connection in the middle of whatever it is doing, and stop listening. */
  stop(): Promise<void>;
  /** Listen again on the same port after `stop`. */
  restart(): Promise<void>;
}

const defaultHandler: Handler = (request, response) => {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(`<!doctype html><title>origin</title><p>origin ${request.method} ${escapeHtml(request.url ?? "")}</p>`);
};

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Starts on 127.0.0.1 and a free port. WebSocket upgrades are accepted and echo text frames. Rejects when it cannot listen. */
export async function startOrigin(handler: Handler = defaultHandler): Promise<Origin> {
  const received: Received[] = [];
  let current = handler;
  const server = createServer((request, response) => {
    const seen = note(request);
    received.push(seen);
    Promise.resolve()
      .then(() => current(request, response, seen))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  server.on("upgrade", (request, socket) => {
    received.push(note(request));
    echoFrames(request, socket);
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    handle(next) {
      current = next;
    },
    stop: () => close(server),
    restart: () => listen(server, port),
  };
}

function note(request: IncomingMessage): Received {
  const chunks: Buffer[] = [];
  const body = new Promise<Buffer>((resolve, reject) => {
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
  body.catch(() => undefined); // A handler that does not ask for the body must not crash the run.
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) headers.push([request.rawHeaders[i] ?? "", request.rawHeaders[i + 1] ?? ""]);
  return {
    method: request.method ?? "",
    url: request.url ?? "",
    headers,
    header: (name) => headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? null,
    body: () => body,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** RFC 6455, as little as an echo needs: one masked text frame under 126 bytes in, the same unmasked out; a close frame ends it. */
function echoFrames(request: IncomingMessage, socket: Duplex): void {
  const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  socket.on("error", () => socket.destroy());
  socket.on("end", () => socket.end()); // Half-open, it would keep the server from closing.
  let pending = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const size = (pending[1] ?? 0) & 0x7f;
      if (pending.length < 6 || size > 125 || pending.length < 6 + size) return;
      const opcode = (pending[0] ?? 0) & 0x0f;
      const mask = pending.subarray(2, 6);
      const payload = Buffer.from(pending.subarray(6, 6 + size).map((byte: number, i: number) => byte ^ (mask[i % 4] ?? 0)));
      pending = pending.subarray(6 + size);
      socket.write(Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload]));
      if (opcode === 8) return void socket.end();
    }
  });
}
