/**
 * An origin on a bare socket: answers with exactly the bytes it is given and keeps exactly the bytes it got.
 * Node only; knows nothing of Vestibule.
 */

import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export interface RawOrigin {
  readonly url: string;
  readonly port: number;
  /** The head of each request, oldest first. */
  readonly heads: string[];
  /** What the next requests get: bytes, after which the connection is closed (or a function of the head that makes them); `reset`; or `silence`. */
  answer: Uint8Array | ((head: string) => Uint8Array) | "reset" | "silence";
  stop(): Promise<void>;
}

/** Joins header lines and a body into a reply. */
export function rawReply(lines: readonly string[], body: Uint8Array | string = ""): Buffer {
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body as string)]);
}

export async function startRawOrigin(): Promise<RawOrigin> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let head = "";
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      if (head.includes("\r\n\r\n")) return;
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      heads.push(head.slice(0, head.indexOf("\r\n\r\n")));
      const { answer } = origin;
      if (answer === "reset") socket.resetAndDestroy();
      else if (answer !== "silence") socket.end(typeof answer === "function" ? answer(head) : answer);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin: RawOrigin = {
    url: `http://127.0.0.1:${port}`,
    port,
    heads,
    answer: "silence",
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return origin;
}
