/**
 * Work for a challenge, shared among a few workers, so that the page stays alive and a hidden tab goes on. Remembers over a reload of the
 * tab how far it was: blocked storage costs only that.
 */
import type { Altcha, Challenge } from "../../src/core/proof";
import type { Found, Search } from "../solver";

/** More would make a phone hot for little. */
const WORKERS_MAX = 4;
/** A challenge with less left than this is not taken up again, seconds. */
const LEFT_MIN_S = 120;
const REMEMBER_EVERY_MS = 1_000;

export interface Course {
  /** 0 … 1 of the longest that it may take. */
  readonly tried: (share: number) => void;
  /** Value of the header `Vestibule-Proof`. */
  readonly found: (header: string) => void;
  readonly failed: () => void;
}

interface Memory {
  readonly altcha: Altcha;
  /** All counters below it were tried. */
  readonly from: number;
}

export class Work {
  readonly #solver: string;
  readonly #key: string;
  #workers: Worker[] = [];
  #altcha: Altcha | null = null;

  /** @param solver path of the worker's script */
  constructor(solver: string, room: string) {
    this.#solver = solver;
    this.#key = `vestibule-proof.${room}`;
  }

  /** Is work under way that will do for this challenge too? What stands in for Turnstile does so when that can be asked again. */
  covers(challenge: Challenge): boolean {
    const own = this.#altcha?.parameters.data;
    const isPow = challenge.kind === "pow";
    const asked = isPow ? challenge.altcha.parameters.data : { holder: challenge.cdata, cost: challenge.cost, instead: true };
    return this.#workers.length > 0 && own?.holder === asked.holder && own.cost >= asked.cost && own.instead === asked.instead;
  }

  /** The challenge that this tab was at before a reload, if it will do; else the new one. `now`: of the server, ms. */
  recalled(altcha: Altcha, now: number): Altcha {
    const kept = this.#memory()?.altcha.parameters;
    const { data } = altcha.parameters;
    const fits = kept?.data.holder === data.holder && kept.data.cost >= data.cost && kept.data.instead === data.instead;
    return fits && kept.expiresAt - LEFT_MIN_S > now / 1_000 ? (this.#memory()?.altcha ?? altcha) : altcha;
  }

  start(altcha: Altcha, { tried, found, failed }: Course): void {
    this.stop();
    const memory = this.#memory();
    const from = memory?.altcha.signature === altcha.signature ? memory.from : 0;
    const { steps } = altcha.parameters.data;
    const count = Math.min(WORKERS_MAX, Math.max(1, (navigator.hardwareConcurrency || 2) - 1));
    const done = Array.from({ length: count }, () => 0);
    let rememberAt = 0;
    this.#altcha = altcha;
    const end = (how: () => void) => {
      this.stop();
      how();
    };
    try {
      // A worker needs what a page has over https only.
      if (!isSecureContext) throw new Error("not a secure context");
      for (let i = 0; i < count; i++) {
        const worker = new Worker(this.#solver);
        this.#workers.push(worker);
        worker.onerror = () => end(failed);
        worker.onmessage = ({ data }: MessageEvent<Found>) => {
          // News of one that was ended.
          if (!this.#workers.includes(worker)) return;
          if ("solution" in data) {
            this.#remember(null);
            end(() => found(`pow ${btoa(JSON.stringify({ challenge: altcha, solution: data.solution }))}`));
            return;
          }
          done[i] = data.tried;
          tried(Math.min(1, (from + done.reduce((sum, each) => sum + each)) / steps));
          if (performance.now() < rememberAt) return;
          rememberAt = performance.now() + REMEMBER_EVERY_MS;
          this.#remember({ altcha, from: from + Math.min(...done) * count });
        };
        worker.postMessage({ altcha, start: from + i, step: count } satisfies Search);
      }
    } catch {
      end(failed);
    }
  }

  stop(): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers = [];
  }

  #memory(): Memory | null {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key) ?? "null") as Memory | null;
    } catch {
      return null;
    }
  }

  #remember(memory: Memory | null): void {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(memory));
    } catch {
      // The next load begins anew.
    }
  }
}
