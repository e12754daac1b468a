/**
 * A walk through a site: one request after the other over node:http with a cookie jar, every reply kept exactly as it came.
 * Node only; knows nothing of Vestibule.
 */
import { Agent, type IncomingMessage, request } from "node:http";

export interface Reply {
  /** What was asked, for people. */
  readonly label: string;
  readonly status: number;
  readonly reason: string;
  /** In order of arrival, names as sent. */
  readonly headers: readonly (readonly [string, string])[];
  /** As on the wire but for chunking; compressed if it was. For a WebSocket: its messages. */
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** What to call it, instead of method and path. */
  readonly label?: string;
}

export const WEBSOCKET_KEY = "dGhlIHNhbXBsZSBub25jZQ==";

export class Walk {
  readonly replies: Reply[] = [];
  readonly cookies = new Map<string, string>();
  readonly #base: URL;
  readonly #host: string;
  readonly #agent = new Agent({ keepAlive: true });

  /** `host`: the site's public name, whatever address is asked. */
  constructor(base: string | URL, host: string) {
    this.#base = new URL(base);
    this.#host = host;
  }

  /** Like a browser's: the site's own cookies, and whatever stands before the site may add. */
  get #cookieHeader(): Record<string, string> {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? {} : { Cookie: pairs.join("; ") };
  }

  /** The path goes out as it stands. */
  async ask(path: string, { method = "GET", headers = {}, body, label = `${method} ${path}` }: Ask = {}, note = ""): Promise<Reply> {
    const incoming = await this.#send(path, method, headers, body);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return this.#keep(note === "" ? label : `${label}, ${note}`, incoming, Buffer.concat(chunks));
  }

  /** Asks for the last octet of a file, which sites store in their own time, until it is there; not part of the walk. */
  async untilStored(path: string, size: number): Promise<void> {
    for (let tries = 0; tries < 600; tries++) {
      const incoming = await this.#send(path, "GET", { Range: `bytes=${size - 1}-` });
      incoming.resume();
      if (incoming.statusCode === 206) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${path} never had ${size} bytes`);
  }

  #send(path: string, method: string, headers: Readonly<Record<string, string>>, body?: string | Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#base;
      const outgoing = request({ hostname, port, path, method, agent: this.#agent });
      outgoing.setHeader("Host", this.#host);
      for (const [name, value] of Object.entries({ ...this.#cookieHeader, ...headers })) outgoing.setHeader(name, value);
      outgoing.on("response", resolve);
      outgoing.on("upgrade", (incoming, socket) => {
        socket.destroy();
        resolve(incoming);
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  /** The opening handshake alone. */
  async handshake(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const upgrade = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": WEBSOCKET_KEY,
    };
    const incoming = await this.#send(path, "GET", { ...upgrade, ...headers });
    return this.#keep(`WebSocket ${path}, handshake`, incoming, Buffer.alloc(0));
  }

  /** Sends each text once the one before was answered; the answers are the body. */
  async talk(path: string, texts: readonly string[]): Promise<string[]> {
    const answers = await this.#converse(path, texts);
    const body = Buffer.from(answers.join("\n"));
    this.replies.push({ label: `WebSocket ${path}, ${texts.length} messages`, status: 101, reason: "", headers: [], body });
    return answers;
  }

  /** Asks until the answer says so, for sites that notice their own files late. Not part of the walk. */
  async untilTold(path: string, text: string, isTold: (answer: string) => boolean): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!isTold((await this.#converse(path, [text])).join())) {
      if (Date.now() > deadline) throw new Error(`${path} never told what was waited for`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** One answer to each text, of a type of its own: what a site sends unasked, of a type that was answered before, is left out. */
  async #converse(path: string, texts: readonly string[]): Promise<string[]> {
    const url = new URL(path, this.#base);
    url.protocol = "ws:";
    const answers: string[] = [];
    const types = new Set<unknown>();
    // Headers are an addition of Node to the constructor; Host cannot be set.
    const socket = new WebSocket(url.href, { headers: this.#cookieHeader } as never);
    await new Promise<void>((resolve, reject) => {
      const next = () => (answers.length < texts.length ? socket.send(texts[answers.length] ?? "") : socket.close());
      socket.addEventListener("open", next);
      socket.addEventListener("message", (event) => {
        const type = (JSON.parse(String(event.data)) as { type?: unknown }).type;
        if (types.has(type)) return;
        types.add(type);
        answers.push(String(event.data));
        next();
      });
      socket.addEventListener("error", (event) =>
        reject(new Error(`the WebSocket failed after ${answers.length} answers: ${(event as ErrorEvent).message}`)),
      );
      socket.addEventListener("close", () => resolve());
    });
    return answers;
  }

  end(): void {
    this.#agent.destroy();
  }

  #keep(label: string, incoming: IncomingMessage, body: Buffer): Reply {
    const headers: [string, string][] = [];
    for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2)
      headers.push([incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? ""]);
    for (const [name, line] of headers) if (name.toLowerCase() === "set-cookie") this.#keepCookie(line);
    const reply = { label, status: incoming.statusCode ?? 0, reason: incoming.statusMessage ?? "", headers, body };
    this.replies.push(reply);
    return reply;
  }

  #keepCookie(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    const isGone = attributes.some((attribute) => /^\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
    if (isGone) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(at + 1).trim());
  }
}

export function headerOf(reply: Reply, name: string): string | null {
  return reply.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? null;
}

/** A multipart body with one file. */
export function upload(field: string, filename: string, type: string, content: Buffer): Ask {
  const boundary = "----walk-boundary";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return {
    method: "POST",
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}`, "Content-Length": String(body.length) },
    body,
  };
}
