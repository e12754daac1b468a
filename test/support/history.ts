/**
 * A history: what every visitor asked and was told, with times, as history-check.ts judges it. A request is *invoked*, and ends
 * *ok*, *failed* (it surely changed nothing) or *unknown* (no answer, or one that does not tell whether the Room acted).
 * Nothing but bookkeeping: no requests, no judgement. Times are ms since the Unix epoch.
 */

/** `join` and `ask` may take a place or a turn; `look` changes nothing; `view` uses a pass; `continue` takes a session over. */
export type Kind = "join" | "ask" | "look" | "view" | "leave" | "continue";

/** A pass as its token says; seconds since the Unix epoch. */
export interface PassSeen {
  readonly serial: number;
  readonly issuedAtS: number;
  readonly expiresAtS: number;
  /** Absolute end of the session. */
  readonly endsAtS: number;
}

/** What an answer said. */
export interface Told {
  /** By the cookies of the answer, or in words; null = no place mentioned. */
  readonly slot: number | null;
  readonly state: string | null;
  readonly ahead: number | null;
  readonly reason: string | null;
  /** The site itself answered. */
  readonly forwarded: boolean;
  /** A new pass came with it. */
  readonly pass: PassSeen | null;
}

export interface Call {
  /** One key: every join of it is the same join. */
  readonly visitor: number;
  /** 0 = the browser itself; others hold a copy of its cookies. */
  readonly holder: number;
  readonly kind: Kind;
  /** The pass that went with the request. */
  readonly presented: PassSeen | null;
}

export interface Operation extends Call {
  readonly from: number;
  /** Infinity while unknown: it may take effect at any later time. */
  readonly to: number;
  readonly outcome: "ok" | "fail" | "unknown";
  readonly told: Told | null;
}

export interface Invoked {
  ok(told: Told): void;
  fail(): void;
}

export class History {
  readonly #operations: Operation[] = [];
  readonly #clock: () => number;

  /** @param clock ms, never backwards */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** In order of invocation. */
  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /** Begins an operation; it stays unknown unless its end is told. */
  invoke(call: Call): Invoked {
    const at = this.#operations.length;
    const begun: Operation = { ...call, from: this.#clock(), to: Number.POSITIVE_INFINITY, outcome: "unknown", told: null };
    this.#operations.push(begun);
    const end = (outcome: "ok" | "fail", told: Told | null) => {
      this.#operations[at] = { ...begun, to: this.#clock(), outcome, told };
    };
    return { ok: (told) => end("ok", told), fail: () => end("fail", null) };
  }
}
