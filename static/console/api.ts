/** Asks the admin API. Answers and refusals are values; nothing is remembered but the token. Knows no screen. */
import type { AdminRouteId } from "../../src/core/admin-routes";

export type Method = AdminRouteId extends `${infer Name} ${string}` ? Name : never;

export interface Refused {
  readonly as: "refused";
  /** 0 = nobody answered. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Of a conflict: what holds. */
  readonly revision: number | null;
}
export type Answer<T> = { readonly as: "ok"; readonly value: T } | Refused;

export interface Ask {
  readonly body?: unknown;
  readonly ifRevision?: number | null;
  readonly dryRun?: boolean;
  /** A refusal is told by whoever asks. */
  readonly tellsItself?: true;
}

const BASE = "/__vestibule/admin/api";
const DEADLINE_MS = 8_000;

export class Api {
  readonly #token: string | null;
  readonly #onSignedOut: () => void;

  /** @param token null = Cloudflare Access says who asks */
  constructor(token: string | null, onSignedOut: () => void) {
    this.#token = token;
    this.#onSignedOut = onSignedOut;
  }

  get<T>(path: string): Promise<Answer<T>> {
    return this.#ask<T>("GET", path, {}, (reply) => reply.json());
  }

  text(path: string): Promise<Answer<string>> {
    return this.#ask<string>("GET", path, {}, (reply) => reply.text());
  }

  /** A change may be sent twice where the first got no answer: its key makes it one. */
  async send<T>(method: Method, path: string, ask: Ask = {}): Promise<Answer<T>> {
    const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const once = () => this.#ask<T>(method, path, ask, (reply) => reply.json(), key);
    const first = await once();
    return first.as === "refused" && first.status === 0 ? once() : first;
  }

  async #ask<T>(method: Method, path: string, ask: Ask, read: (reply: Response) => Promise<unknown>, key?: string): Promise<Answer<T>> {
    const { body, ifRevision = null, dryRun = false } = ask;
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.#token !== null) headers["Authorization"] = `Bearer ${this.#token}`;
    if (key !== undefined && !dryRun) headers["Idempotency-Key"] = key;
    if (ifRevision !== null) headers["If-Match"] = `"${ifRevision}"`;
    if (method !== "GET") headers["Content-Type"] = "application/json";
    const init = {
      method,
      headers,
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
    };
    try {
      const reply = await fetch(`${BASE}${path}${dryRun ? "?dry_run=1" : ""}`, init);
      if (reply.ok) return { as: "ok", value: (await read(reply)) as T };
      const told = (await reply.json().catch(() => ({}))) as { code?: string; detail?: string; revision?: number };
      if (reply.status === 401) this.#onSignedOut();
      const detail = told.detail ?? `The answer was ${reply.status}.`;
      return { as: "refused", status: reply.status, code: told.code ?? "unknown", detail, revision: told.revision ?? null };
    } catch {
      const detail = "No answer: is this device online, and does the Worker run?";
      return { as: "refused", status: 0, code: "no-answer", detail, revision: null };
    }
  }
}

/** A path of the API's with a room's or an event's name in it. */
export function roomPath(room: string, rest = ""): string {
  return `/rooms/${encodeURIComponent(room)}${rest}`;
}
