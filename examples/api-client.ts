/**
 * A program that waits in a room without a browser, as docs/api-clients.md describes it: joins, asks as told, goes in, and asks the site for
 * a page. Its place is in a file, so that it goes on where it was. No dependencies but `altcha-lib`, if the room asks for work. Node 22.18:
 *
 *     node examples/api-client.ts http://127.0.0.1:8787/__vestibule/rooms/demo / place.json
 */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The members of a reply that this client reads; all of them are in docs/api.md. */
type Texts = Partial<Record<"room" | "state" | "code" | "detail" | "reason", string | null>>;
interface Told extends Texts, Partial<Record<"slot" | "pollAfterMs" | "takeoversLeft", number | null>> {
  readonly pollExactly?: boolean;
  readonly challenge?: { readonly kind: string; readonly altcha?: object };
}
const TOKENS = ["visitor", "entry", "ticket", "pass", "proof"] as const;
type Tokens = { [name in (typeof TOKENS)[number]]?: string | undefined };
type Action = "join" | "status" | "claim" | "continue";
/** What is asked next of a place in this state; else where it stands. */
const AFTER: Readonly<Record<string, Action>> = { joining: "join", called: "claim", inside: "claim", void: "continue" };

export class Place {
  readonly #room: URL;
  readonly #file: string;
  readonly #say: (line: string) => void;
  readonly #name: string;
  #tokens: Tokens;

  /** `room`: its address under `/__vestibule/rooms/`. `file`: where the place is kept, for this program alone. */
  constructor(room: URL, file: string, say: (line: string) => void = () => {}) {
    [this.#room, this.#file, this.#say] = [room, file, say];
    this.#name = room.pathname.split("/").at(-1) ?? "";
    this.#tokens = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Tokens) : {};
  }

  /** Something of the site, as often as it takes to get it: waits and goes in first where that is needed. */
  async get(path: string): Promise<Response> {
    for (let refusals = 0; ; refusals++) {
      const reply = await this.#send(new URL(path, this.#room), { headers: { Accept: "*/*", Cookie: this.#cookies() } });
      this.#keep(this.#cookiesOf(reply));
      // The room's own refusals are problems that name it; everything else is the site's.
      if (reply.headers.get("Content-Type") !== "application/problem+json") return reply;
      const told = (await reply.clone().json()) as Told;
      if (told.room !== this.#name) return reply;
      if (refusals > 0) await pause(waitMs(reply, told));
      await this.enter(this.#next(told));
    }
  }

  /** Waits until inside. Throws where waiting does not help. */
  async enter(action: Action = this.#next({})): Promise<void> {
    for (let proof = ""; ; ) {
      const reply = await this.#ask(action, proof);
      const told = (await reply.json().catch(() => ({}))) as Told & Tokens;
      // A pass is of one place. A token that does not count any more is not shown again.
      if (action === "join") this.#tokens.pass = undefined;
      if (told.code === "bad-token") this.#tokens = {};
      this.#keep(told);
      this.#say(JSON.stringify([action, reply.status, told.code ?? told.state, told.reason ?? null, told.slot ?? null]));
      if (told.state === "inside" && this.#tokens.pass !== undefined) return;
      proof = told.challenge === undefined ? "" : await answerTo(told.challenge);
      const isRefused = reply.status >= 400 && reply.status < 500 && ![401, 428, 429].includes(reply.status);
      if (proof === "" && (isRefused || told.reason === "sold-out" || told.takeoversLeft === 0))
        throw new Error(`${told.code ?? told.reason}: ${told.detail ?? "waiting does not help"}`);
      const next = this.#next(told);
      const isAnswer = proof !== "" || told.code === "bad-token" || told.code === "cookies-needed";
      if (!isAnswer && (next === action || next === "status")) await pause(waitMs(reply, told));
      action = next;
    }
  }

  /** What to ask next of a place that was told this. */
  #next({ state }: Told): Action {
    return this.#place === undefined || state === "ended" ? "join" : (AFTER[state ?? ""] ?? "status");
  }

  #ask(action: Action, proof: string): Promise<Response> {
    // The pass, also one that has ended, knows more of the visit than the ticket does.
    const token = this.#tokens.pass ?? this.#place ?? this.#tokens.visitor;
    const kept = this.#tokens.proof === undefined ? "" : `kept ${this.#tokens.proof}`;
    const headers: Record<string, string> = { Accept: "application/json" };
    if (token === undefined) headers["Idempotency-Key"] = randomUUID();
    else headers["Authorization"] = `Bearer ${token}`;
    if (action === "join" && (proof || kept)) headers["Vestibule-Proof"] = proof || kept;
    const method = action === "status" ? "GET" : "POST";
    return this.#send(new URL(`${this.#room.pathname}/${action}`, this.#room), { method, headers });
  }

  /** Every request here may be repeated; after failures less and less often, once a minute at last. */
  async #send(url: URL, init: RequestInit): Promise<Response> {
    for (let failures = 0; ; failures++) {
      try {
        return await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(30_000) });
      } catch (error) {
        this.#say(`no answer: ${String(error)}`);
        await pause(Math.min(60_000, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2));
      }
    }
  }

  get #place(): string | undefined {
    return this.#tokens.ticket ?? this.#tokens.entry;
  }

  #cookies(): string {
    const prefixes = this.#room.protocol === "https:" ? ["__Host-", "__Secure-"] : [""];
    const shown = Object.entries({ vestibule: this.#place, "vestibule-pass": this.#tokens.pass }).filter(([, token]) => token);
    return prefixes.flatMap((prefix) => shown.map(([name, token]) => `${prefix}${name}.${this.#name}=${token}`)).join("; ");
  }

  /** The site's replies bring a ticket that is renewed and each new pass as cookies; one without a value is taken away. */
  #cookiesOf(reply: Response): Tokens {
    const pairs = reply.headers.getSetCookie().map((line) => /^(?:__Host-|__Secure-)?vestibule(-pass)?\.([a-z0-9-]+)=([^;]*)/.exec(line));
    const own = pairs.filter((pair) => pair?.[2] === this.#name).map((pair) => [pair?.[1] ? "pass" : "ticket", pair?.[3] ?? ""]);
    return this.#place === undefined ? {} : Object.fromEntries(own);
  }

  /** Writes down what is new, whole or not at all; "" takes a token away, and a place takes the place of the one before. */
  #keep(news: Tokens): void {
    for (const name of TOKENS) if (news[name] !== undefined) this.#tokens[name] = news[name] || undefined;
    const { visitor, entry, ticket, proof } = news;
    if (visitor || entry || ticket) this.#tokens = { ...this.#tokens, entry, ticket, proof };
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#tokens), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** As told and never sooner, by a little chance later, lest a crowd ask at once; not where the server has spread it itself. */
function waitMs(reply: Response, told: Told): number {
  if (told.pollExactly && told.pollAfterMs) return told.pollAfterMs;
  return Math.max(1_000, Number(reply.headers.get("Retry-After") ?? 3) * 1_000) * (1 + Math.random() / 4);
}

/** What `Vestibule-Proof` says in answer to a challenge of work; anything else needs a browser. */
async function answerTo({ kind, altcha }: NonNullable<Told["challenge"]>): Promise<string> {
  if (kind !== "pow" || altcha === undefined) throw new Error(`challenge: this room asks for ${kind}, which this client cannot show`);
  const { solveChallenge } = await import("altcha-lib");
  const { deriveKey } = await import("altcha-lib/algorithms/web/pbkdf2");
  const solution = await solveChallenge({ challenge: altcha as never, deriveKey });
  return `pow ${btoa(JSON.stringify({ challenge: altcha, solution }))}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [room, path = "/", file = "place.json"] = process.argv.slice(2);
  if (room === undefined) throw new Error("usage: node examples/api-client.ts <room> [path] [file]");
  const reply = await new Place(new URL(room), file, (line) => console.error(line)).get(path);
  console.log(reply.status, await reply.text());
}
