/**
 * Visitors over HTTP who write a history: they join, ask, look at pages, leave, click twice, hang up, are copied, or never come back.
 * Every request goes to one of the edges at random. Judges nothing. Node only.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "../../scripts/lib/crowd-http.mjs";
import { decodeToken } from "../../src/core/token";
import type { Call, Kind, PassSeen, Told } from "./history";
import { History } from "./history";
import type { SendInit } from "./http";
import { Visitor } from "./jar";

/** The header by which the site behind the room marks its answers. */
export const SITE_MARK = "X-Site";

export interface CrowdOptions {
  readonly room: string;
  /** Addresses of the edges; asked anew for every request. While there is none, nobody sends anything. */
  readonly edges: () => readonly (URL | string)[];
  /** Visitors at any one time. */
  readonly size: number;
  /** Visitors in all; as many as come in the time, unless told. */
  readonly most?: number;
  /** A visitor does something every so many ms, on average. */
  readonly paceMs: number;
  /** Share of requests that the visitor hangs up on. */
  readonly hangUps: number;
  /** Share of visitors whose cookies somebody else copies once they are inside. */
  readonly copies: number;
  /** 0 ≤ number < 1. */
  readonly random: () => number;
}

const SAME_ORIGIN = { "Sec-Fetch-Site": "same-origin" };
const NAVIGATION = { Accept: "text/html", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none" };
const MOST_HANG_UP_MS = 60;
const WITHOUT_EDGE_MS = 20;
/** Share of visitors who ask for a place once, and never come back. */
const GHOSTS = 0.04;
/** Share who leave the line again after a while, so that there are always people who join. */
const IMPATIENT = 0.6;
const MOST_PATIENCE = 6;
const SILENT = 0.1;
const DOUBLE_CLICKS = 0.15;
const TAKES_OVER = 0.3;
/** Pages that somebody whose cookies are copied looks at, and the other as well. */
const COPIED_VIEWS = 24;

export class HistoryCrowd {
  readonly history = new History(now);
  /** Browsers that had a place and did not leave when the crowd was stopped. */
  readonly staying: Browser[] = [];
  /** Faults of the tests' own making. */
  readonly errors: unknown[] = [];
  readonly options: CrowdOptions;
  #next = 0;
  #answered = 0;
  #stopped = false;
  #over: Promise<unknown> = Promise.resolve();

  constructor(options: CrowdOptions) {
    this.options = options;
  }

  /** Resolves after so many more answers, or after `mostMs`. */
  async answers(count: number, mostMs: number): Promise<void> {
    const until = this.#answered + count;
    const endsAt = now() + mostMs;
    while (this.#answered < until && now() < endsAt && !this.#stopped) await sleep(2);
  }

  answered(): void {
    this.#answered += 1;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** How many visitors came. */
  get visitors(): number {
    return this.#next;
  }

  start(): void {
    const { size, most = Number.POSITIVE_INFINITY } = this.options;
    const lane = async () => {
      while (!this.#stopped && this.#next < most) {
        const browser = new Browser(this, this.#next++, 0);
        await browser.live().catch((error: unknown) => {
          this.errors.push(error);
          this.#stopped = true;
        });
      }
    };
    this.#over = Promise.all(Array.from({ length: size }, lane));
  }

  /** Resolves when all of `most` visitors are through. */
  async over(): Promise<void> {
    await this.#over;
  }

  /** Lets everybody finish the request that they are in. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#over;
  }
}

export class Browser {
  readonly id: number;
  readonly #crowd: HistoryCrowd;
  readonly #holder: number;
  readonly #jar: Visitor;
  readonly #api: string;
  /** The cookies as they were before the place was known: an answer that was lost leaves a browser with these. */
  #before: Visitor | null = null;
  #copy: Promise<void> | null = null;

  constructor(crowd: HistoryCrowd, id: number, holder: number, jar?: Visitor) {
    this.#crowd = crowd;
    this.id = id;
    this.#holder = holder;
    // Requests name their edge themselves.
    this.#jar = jar ?? new Visitor("http://127.0.0.1", { headers: { "User-Agent": `browser ${id}` } });
    this.#api = `/__vestibule/rooms/${crowd.options.room}`;
  }

  /** The whole visit, or as much of it as there is time for. */
  async live(): Promise<void> {
    const { random } = this.#crowd.options;
    const isGhost = random() < GHOSTS;
    while (!this.#crowd.stopped && !(this.#before !== null && isGhost) && this.#slot === null) {
      if (this.#jar.cookies.size === 0) await this.#quietly("/join");
      else await this.#join();
      await this.#pause();
    }
    if (isGhost || this.#slot === null) return;
    let patience = random() < IMPATIENT ? Math.floor(random() * MOST_PATIENCE) : Number.POSITIVE_INFINITY;
    for (; !this.#crowd.stopped && this.#pass === null && patience > 0; patience--) {
      await this.#ask();
      await this.#pause();
    }
    const isSilent = this.#pass !== null && random() < SILENT;
    const isCopied = this.#pass !== null && random() < this.#crowd.options.copies;
    if (isCopied) this.#copy = this.#copied();
    // A copy is found out once the other has renewed twice: both stay for that long.
    const most = isCopied ? COPIED_VIEWS : 2 + Math.floor(random() * 5);
    for (let views = most; views > 0 && this.#pass !== null && !this.#crowd.stopped; views--) {
      if ((await this.#views()) === "void") break;
      await this.#pause();
    }
    await this.#copy;
    if (this.#crowd.stopped) this.#crowd.staying.push(this);
    else if (!isSilent) await this.#leave();
  }

  /** Where do I stand? Resolves with what was told, or null without an answer. */
  async look(): Promise<Told | null> {
    return this.#do("look", `${this.#api}/status`, {}, 0);
  }

  /** The visitor's place, by the ticket that the browser keeps. */
  get #slot(): number | null {
    return ticketIn(this.#jar.cookies.get(`vestibule.${this.#crowd.options.room}`)?.value);
  }

  get #pass(): PassSeen | null {
    return passIn(this.#jar.cookies.get(`vestibule-pass.${this.#crowd.options.room}`)?.value)?.pass ?? null;
  }

  async #join(): Promise<void> {
    this.#before = this.#jar.copy();
    const clicks = this.#crowd.options.random() < DOUBLE_CLICKS ? 2 : 1;
    await Promise.all(
      Array.from({ length: clicks }, () =>
        this.#crowd.options.random() < 0.5
          ? this.#do("join", "/shop", { headers: NAVIGATION })
          : this.#do("join", `${this.#api}/join`, { method: "POST", headers: SAME_ORIGIN }),
      ),
    );
  }

  /** The same join once more, as by a browser that never heard of its place. */
  async #joinAgain(jar: Visitor): Promise<void> {
    const other = new Browser(this.#crowd, this.id, this.#holder, jar.copy());
    await other.#do("join", `${this.#api}/join`, { method: "POST", headers: SAME_ORIGIN });
  }

  async #ask(): Promise<void> {
    const which = this.#crowd.options.random();
    if (which < 0.15 && this.#before !== null) await this.#joinAgain(this.#before);
    else if (which < 0.35) await this.#do("look", `${this.#api}/status`, {});
    // Lets nobody in, and nobody lose anything.
    else if (which < 0.4) await this.#do("look", `${this.#api}/extend`, { method: "POST", headers: SAME_ORIGIN });
    else if (which < 0.7) await this.#do("ask", `${this.#api}/claim`, { method: "POST", headers: SAME_ORIGIN });
    else await this.#do("ask", "/shop", { headers: NAVIGATION });
  }

  /** A page, now and then with pictures. */
  async #views(): Promise<"void" | null> {
    const requests = this.#crowd.options.random() < DOUBLE_CLICKS ? 3 : 1;
    const told = await Promise.all(Array.from({ length: requests }, () => this.#do("view", "/basket", { headers: SAME_ORIGIN })));
    return told.some((each) => each?.state === "void") ? "void" : null;
  }

  /** Somebody else goes on with a copy of the cookies, until refused; some then take the session over. */
  async #copied(): Promise<void> {
    const other = new Browser(this.#crowd, this.id, 1, this.#jar.copy({ "User-Agent": `copy of browser ${this.id}` }));
    let mayTakeOver = this.#crowd.options.random() < TAKES_OVER;
    for (let views = 0; views < COPIED_VIEWS && !this.#crowd.stopped; views++) {
      await other.#pause();
      if ((await other.#views()) !== "void") continue;
      if (mayTakeOver) await other.#do("continue", `${this.#api}/continue`, { method: "POST", headers: SAME_ORIGIN });
      mayTakeOver = false;
    }
  }

  async #leave(): Promise<void> {
    for (let tries = 0; tries < 5 && !this.#crowd.stopped; tries++) {
      const told = await this.#do("leave", `${this.#api}/leave`, { method: "POST", headers: SAME_ORIGIN });
      if (told !== null) return;
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    await sleep(this.#crowd.options.paceMs * (0.2 + this.#crowd.options.random() * 1.6));
  }

  /** A request that no history needs to know. */
  async #quietly(path: string): Promise<void> {
    const edge = await this.#edge();
    if (edge === null) return;
    await this.#jar.fetch(new URL(`${this.#api}${path}`, edge), { method: "POST", headers: SAME_ORIGIN }).then(
      (response) => response.body?.cancel(),
      () => undefined,
    );
  }

  /** One request and its line in the history; null = no answer that says anything. */
  async #do(kind: Kind, path: string, init: SendInit, hangUps = this.#crowd.options.hangUps): Promise<Told | null> {
    const { random } = this.#crowd.options;
    const edge = await this.#edge();
    if (edge === null) return null;
    const call: Call = { visitor: this.id, holder: this.#holder, kind, presented: this.#pass };
    const operation = this.#crowd.history.invoke(call);
    const hangsUp = random() < hangUps ? { signal: AbortSignal.timeout(Math.ceil(random() * MOST_HANG_UP_MS)) } : {};
    try {
      const response = await this.#jar.fetch(new URL(path, edge), { ...init, ...hangsUp });
      // Hung up in the middle of the body: the browser has the cookies of the head all the same.
      const text = await response.text().catch(() => null);
      if (response.status >= 500) return null;
      const told = read(response, text ?? "", this.#crowd.options.room);
      if (text === null && told.slot === null && told.pass === null) return null;
      // Asked too often: that says nothing.
      if (kind === "look" && told.state === null) return null;
      this.#crowd.answered();
      if (kind === "join" && REFUSED.has(told.state ?? "")) operation.fail();
      // A join that is on its way still has no end.
      else if (kind !== "join" || told.slot !== null) operation.ok(told);
      return told;
    } catch {
      return null;
    }
  }

  /** One of the edges, as soon as there is one; null when the crowd is stopped before. */
  async #edge(): Promise<URL | string | null> {
    const { edges, random } = this.#crowd.options;
    for (;;) {
      const up = edges();
      const edge = up[Math.floor(random() * up.length)];
      if (edge !== undefined) return edge;
      if (this.#crowd.stopped) return null;
      await sleep(WITHOUT_EDGE_MS);
    }
  }
}

const REFUSED = new Set(["full", "refused", "closed"]);

function read(response: Response, text: string, room: string): Told {
  const lines = response.headers.getSetCookie();
  const cookie = (name: string) =>
    lines
      .map((line) => line.split(";")[0] ?? "")
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  const ticket = ticketIn(cookie(`vestibule.${room}`));
  const granted = passIn(cookie(`vestibule-pass.${room}`));
  const forwarded = response.headers.has(SITE_MARK);
  const status = forwarded ? null : statusIn(response, text);
  return {
    slot: ticket ?? granted?.slot ?? status?.slot ?? null,
    state: status?.state ?? null,
    ahead: status?.ahead ?? null,
    reason: status?.reason ?? null,
    forwarded,
    pass: granted?.pass ?? null,
  };
}

type StatusSeen = { readonly state: string; readonly slot: number | null; readonly ahead: number | null; readonly reason: string | null };

function statusIn(response: Response, text: string): StatusSeen | null {
  if (text === "") return null;
  if (response.headers.get("Content-Type")?.includes("json")) return JSON.parse(text) as StatusSeen;
  const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)?.[1];
  return data === undefined ? null : (JSON.parse(data) as { status: StatusSeen }).status;
}

function ticketIn(token: string | undefined): number | null {
  const claims = token === undefined ? undefined : decodeToken(token)?.claims;
  return claims?.kind === "ticket" ? claims.slot : null;
}

function passIn(token: string | undefined): { readonly slot: number; readonly pass: PassSeen } | null {
  const claims = token === undefined ? undefined : decodeToken(token)?.claims;
  if (claims?.kind !== "pass") return null;
  const { slot, serial, iat, exp, end } = claims;
  return { slot, pass: { serial, issuedAtS: iat, expiresAtS: exp, endsAtS: end } };
}
