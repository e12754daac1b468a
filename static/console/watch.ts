/** One room, looked at once a second by one route; everything else is asked for only when that says something has changed. No DOM. */
import type { RoomDescription } from "../../src/core/admin";
import type { AuditEntry } from "../../src/core/audit";
import type { RoomStats } from "../../src/core/stats";
import { since } from "./acts-words";
import { type Api, roomPath } from "./api";

export interface View {
  readonly stats: RoomStats;
  /** Settings as they hold; null = not here yet. */
  readonly room: RoomDescription | null;
  /** Of the numbers, by the Room's own clock. */
  readonly ageS: number;
  /** Why there are no newer ones; null = there are. */
  readonly trouble: string | null;
}

export interface Watcher {
  show(view: View): void;
  /** No number has come yet. */
  fail(detail: string): void;
  /** Acts that came in since, oldest first. */
  news(entries: readonly AuditEntry[]): void;
}

const EVERY_MS = 1_000;

export class Watch {
  readonly #api: Api;
  readonly #name: string;
  readonly #watcher: Watcher;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #isAsking = false;
  #again = false;
  #stats: (RoomStats & { readonly age_seconds: number }) | null = null;
  #gotAt = 0;
  #room: RoomDescription | null = null;
  #seenAct: number | null = null;

  constructor(api: Api, name: string, watcher: Watcher) {
    this.#api = api;
    this.#name = name;
    this.#watcher = watcher;
  }

  start(): void {
    void this.#look();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** At once: something was done here. */
  now(): void {
    if (this.#isAsking) this.#again = true;
    else void this.#look();
  }

  get room(): RoomDescription | null {
    return this.#room;
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#isAsking = true;
    // While an answer is missing the age of the last one grows on the screen.
    const grows = setInterval(() => this.#show(null), EVERY_MS);
    const trouble = await this.#ask();
    clearInterval(grows);
    this.#isAsking = false;
    if (this.#isOver) return;
    this.#show(trouble);
    if (trouble !== null && this.#stats === null) this.#watcher.fail(trouble);
    this.#timer = setTimeout(() => void this.#look(), this.#again ? 0 : EVERY_MS);
    this.#again = false;
  }

  /** Null, or what is wrong. */
  async #ask(): Promise<string | null> {
    const stats = await this.#api.get<RoomStats & { age_seconds: number }>(roomPath(this.#name, "/stats"));
    if (stats.as === "refused") return stats.detail;
    this.#stats = stats.value;
    this.#gotAt = performance.now();
    const acts = stats.value.recent.audit;
    const head = acts[0]?.id ?? 0;
    const isNew = this.#seenAct !== head;
    if (this.#room === null || isNew || this.#room.revision !== stats.value.revision) {
      const room = await this.#api.get<RoomDescription>(roomPath(this.#name));
      if (room.as === "refused") return room.detail;
      this.#room = room.value;
    }
    if (isNew && this.#seenAct !== null && !this.#isOver) this.#watcher.news(since(acts, this.#seenAct));
    this.#seenAct = head;
    return null;
  }

  #show(trouble: string | null): void {
    if (this.#stats === null || this.#isOver) return;
    const ageS = this.#stats.age_seconds + (performance.now() - this.#gotAt) / 1_000;
    this.#watcher.show({ stats: this.#stats, room: this.#room, ageS, trouble });
  }
}
