/**
 * An app written against Cloudflare Waiting Room's public API text and nothing else: it keeps cookies, asks for JSON, waits as
 * `cfWaitingRoom` tells it, and is in when that is absent. Node only; knows nothing of Vestibule, and must not learn of it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "./jar";

interface Told {
  readonly inWaitingRoom: boolean;
  readonly lastUpdated: string;
  readonly refreshIntervalSeconds: number;
  readonly isRejectQueue: boolean;
  readonly waitTimeKnown: boolean;
  readonly waitTimeFormatted: string;
}

export class CfApp {
  /** What its user read while waiting. */
  readonly shown: string[] = [];
  readonly #cookies = new Map<string, string>();
  readonly #transport: Transport;
  readonly #base: string;

  constructor(base: string, transport: Transport) {
    this.#base = base;
    this.#transport = transport;
  }

  /** One request. */
  async once(path: string, method = "GET"): Promise<{ readonly text: string } | { readonly waits: Told }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Accept: "application/json", ...(cookie === "" ? {} : { Cookie: cookie }) };
    const reply = await this.#transport(new URL(path, this.#base), { method, headers });
    for (const line of reply.headers.getSetCookie()) this.#keep(line);
    if (reply.status >= 300) throw new Error(`the app cannot deal with ${reply.status}`);
    const text = await reply.text();
    const waits = waitingRoomIn(text);
    return waits === null ? { text } : { waits };
  }

  /** Asks, waits and asks again until the site answers. */
  async get(path: string, method = "GET"): Promise<string> {
    for (;;) {
      const answer = await this.once(path, method);
      if ("text" in answer) return answer.text;
      const { waits } = answer;
      if (waits.isRejectQueue) throw new Error("rejected");
      this.shown.push(waits.waitTimeKnown ? `about ${waits.waitTimeFormatted}` : "please wait");
      const againAt = Date.parse(waits.lastUpdated) + waits.refreshIntervalSeconds * 1_000;
      await sleep(Math.max(0, againAt - Date.now()));
    }
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf("="));
    if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(name.length + 1));
  }
}

function waitingRoomIn(text: string): Told | null {
  try {
    return (JSON.parse(text) as { cfWaitingRoom?: Told }).cfWaitingRoom ?? null;
  } catch {
    return null;
  }
}
