/**
 * Bytes on a socket, for requests that no HTTP client would send (odd paths, two Cookie lines, no Host, …).
 * Node only; knows nothing of Vestibule.
 */
import { connect } from "node:net";

export interface RawReply {
  readonly status: number;
  readonly head: string;
  /** In order of arrival, names as sent. */
  readonly headers: readonly (readonly [string, string])[];
  /** After removing chunked framing, if any. */
  readonly body: Buffer;
}

/**
 * Writes `text` (CRLF line ends are the caller's) and reads until the server closes: send `Connection: close`.
 * Rejects on a connection error or when nothing has ended after `timeoutMs`.
 */
export function rawRequest(url: URL | string, text: string | Uint8Array, timeoutMs = 20_000): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no end of the reply after ${timeoutMs} ms`)));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", (failed) => {
      if (!failed) resolve(parseReply(Buffer.concat(chunks)));
    });
  });
}

/** `GET path` with the given header lines, path and lines untouched. */
export function rawGet(url: URL | string, path: string, lines: readonly string[] = []): Promise<RawReply> {
  const named = lines.some((line) => /^host:/i.test(line));
  const host = named ? [] : [`Host: ${new URL(url).host}`];
  return rawRequest(url, [`GET ${path} HTTP/1.1`, ...host, ...lines, "Connection: close", "", ""].join("\r\n"));
}

function parseReply(bytes: Buffer): RawReply {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, end < 0 ? bytes.length : end).toString("latin1");
  const rest = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const chunked = headers.some(([name, value]) => name.toLowerCase() === "transfer-encoding" && /chunked/i.test(value));
  return { status: Number(first.split(" ")[1] ?? 0), head, headers, body: chunked ? unchunk(rest) : rest };
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) break;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
