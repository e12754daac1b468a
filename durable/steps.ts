/**
 * Steps of a Room: load → bring to now → decide → store, all of it in one transaction, or nothing; and what a full storage leaves of them.
 * What is decided is the caller's. Synchronous between reading and writing: no other call can come in between.
 */
import type { AdminResult, Caller } from "../src/core/admin";
import { settingsAt } from "../src/core/schedule";
import { isStorageFull } from "../src/core/storage-full";
import type { BeaconAnswer } from "./beacon";
import { type Clock, loadedClock, tick } from "./clock";
import { describeProblems, type FileSettings, type ReadyFile } from "./config";
import { FullStore, type Tried } from "./full-store";
import { noteSilence, supplySalts, takeRound } from "./line/draws";
import { proceed } from "./line/schedule";
import { takeChanges } from "./line/stored";
import { closeMinute, logStep } from "./log";
import { alarmWanted, loadMemory, logNews, type Memory, type Watched } from "./memory";
import { once } from "./once";
import type { Acted, Operated } from "./operate";
import type { PostOffice } from "./post-office";
import { RoundSeeker } from "./round-seeker";
import type { Store } from "./store";
import { Watchdog } from "./watchdog";

/** Where a Room's time, chance and draws come from. */
export interface Sources {
  readonly wall: () => number;
  readonly salt: () => Uint8Array;
  readonly beacon: (round: number) => Promise<BeaconAnswer>;
  readonly waitUntil: (promise: Promise<unknown>) => void;
}

export class Steps {
  readonly #name: string;
  readonly #file: FileSettings;
  readonly #store: Store;
  readonly #from: Sources;
  readonly #office: PostOffice;
  readonly #watchdog: Watchdog;
  /** A cache of what is stored, made by the first call; null = load again. */
  #memory: Memory | null = null;
  #clock: Clock = loadedClock(0);
  readonly #seeker = new RoundSeeker();
  readonly #full = new FullStore();

  constructor(
    room: { readonly name: string; readonly file: FileSettings },
    store: Store,
    storage: DurableObjectStorage,
    from: Sources,
    office: PostOffice,
  ) {
    this.#name = room.name;
    this.#file = room.file;
    this.#store = store;
    this.#from = from;
    this.#office = office;
    this.#watchdog = new Watchdog(storage);
  }

  /**
   * How much of a batch is tried while the storage is, or was just, full. Where nothing could be stored, a row alone is tried first: a step
   * that fails costs loading everything again, and what may be read has a limit too.
   */
  tries(): Tried {
    const now = this.#from.wall();
    if (!this.#full.mayTakeAgain(now)) return this.#full.at(now);
    try {
      this.#store.touch();
      this.#full.takesAgain();
      return "all";
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      return this.lessStored("no-joins", error);
    }
  }

  /** Does what any call does first. May come twice, late or never. */
  async alarm(): Promise<void> {
    try {
      if (this.#file.as !== "ok") return;
      const wasWatched = this.#watchdog.armed;
      // Re-armed before anything can fail: a throw would leave the platform's few retries, and then none.
      await this.#watchdog.arm(this.#from.wall());
      if (this.tries() === "nothing") return;
      const decide = (memory: Memory, now: number) => {
        proceed(memory.line, memory.config.settings, now);
        return alarmWanted(memory, now);
      };
      const wanted = this.#step(this.#file, decide, wasWatched);
      this.#beside(this.#file);
      const next = this.#earlier(wanted);
      if (next !== "soon") await this.#watchdog.rest(next === null ? null : this.#wallOf(next));
    } catch (error) {
      if (isStorageFull(error)) this.lessStored("all", error);
      else console.error(JSON.stringify({ event: "alarm-failed", room: this.#name, error: String(error) }));
    }
  }

  configured(): ReadyFile {
    if (this.#file.as === "ok") return this.#file;
    if (this.#file.as === "unknown-room") throw new Error(`room ${this.#name} is not in ROOMS`);
    throw new Error(`the settings of room ${this.#name} are not valid: ${describeProblems(this.#file.problems)}`);
  }

  /** With its record in the audit log; where the storage takes no more rows, without, if it needs none itself. */
  async operate<T>(by: Caller, decide: (on: Acted) => AdminResult<T>): Promise<AdminResult<T>> {
    const file = this.#file;
    if (file.as !== "ok") return file;
    for (const audits of [true, false]) {
      try {
        return await this.call(file, (memory, now) => {
          proceed(memory.line, memory.config.settings, now);
          const on = { room: this.#name, file, memory, store: this.#store, role: by.role ?? "admin", audits };
          return once(this.#store.acts, by, now, () => decide(on), audits);
        });
      } catch (error) {
        if (!isStorageFull(error)) throw error;
        this.lessStored("all", error);
      }
    }
    return { as: "storage-full" };
  }

  async show<T>(look: (on: Operated) => T): Promise<AdminResult<T>> {
    const file = this.#file;
    if (file.as !== "ok") return file;
    const value = await this.look(file, (memory) => look({ room: this.#name, file, memory, store: this.#store }));
    return { as: "ok", value };
  }

  /** A step that changes nothing but what time does; with a full storage what was stored last is told. */
  async look<T>(file: ReadyFile, look: (memory: Memory) => T): Promise<T> {
    if (this.tries() === "nothing") return this.unwritten(file, look);
    try {
      return await this.call(file, (memory, now) => {
        proceed(memory.line, memory.config.settings, now);
        return look(memory);
      });
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      this.lessStored("all", error);
      return this.unwritten(file, look);
    }
  }

  /**
   * Without storing anything: `look` must leave the line as it is, and nothing that it tells may be news that has to last.
   * Storage is read all the same, which an instance that has been replaced cannot.
   */
  unwritten<T>(file: ReadyFile, look: (memory: Memory) => T): T {
    const memory = this.#memory ?? this.#store.transaction(() => this.#load(file));
    this.#store.lastRevision();
    return look(memory);
  }

  /** Storage is full: said once a minute, and less is tried. */
  lessStored(failed: Exclude<Tried, "nothing">, error: unknown): Tried {
    const { tried, isNews } = this.#full.less(failed, this.#from.wall());
    if (isNews) console.error(JSON.stringify({ event: "storage-full", alert: true, room: this.#name, error: String(error) }));
    return tried;
  }

  /** A step, and a look at the alarm afterwards. */
  async call<T>(file: ReadyFile, decide: (memory: Memory, now: number) => T): Promise<T> {
    const { answer, done } = this.begin(file, decide);
    await done;
    return answer;
  }

  /**
   * The same, told at once. What was decided is stored by then: a failing alarm must not hide it.
   * @throws if nothing was decided; `done`, which never rejects, is the look at the alarm
   */
  begin<T>(file: ReadyFile, decide: (memory: Memory, now: number) => T): { readonly answer: T; readonly done: Promise<void> } {
    let wanted: "soon" | number | null = null;
    const answer = this.#step(file, (memory, now) => {
      const decided = decide(memory, now);
      wanted = alarmWanted(memory, now);
      return decided;
    });
    this.#beside(file);
    return { answer, done: this.#seeToAlarm(this.#earlier(wanted)) };
  }

  async #seeToAlarm(next: "soon" | number | null): Promise<void> {
    if (next === null) return;
    const due = next === "soon" ? this.#watchdog.repair(this.#from.wall()) : this.#watchdog.wake(this.#from.wall(), this.#wallOf(next));
    await due.catch((error: unknown) => {
      console.error(JSON.stringify({ event: "alarm-not-set", room: this.#name, error: String(error) }));
    });
  }

  /** Isolates heard of lately, as far as this memory knows. */
  get isolates(): number {
    return this.#memory?.line.pacing.isolates ?? 0;
  }

  /** What the line wants of the alarm, or what is to be told if that is earlier. */
  #earlier(wanted: "soon" | number | null): "soon" | number | null {
    const news = this.#memory === null ? null : this.#office.nextMs(this.#memory);
    if (wanted === "soon" || news === null) return wanted;
    return wanted === null ? news : Math.min(wanted, news);
  }

  /** What a step leaves to be asked and told outside, beside everything else. */
  #beside(file: ReadyFile): void {
    this.#seekRound();
    const sent = this.#office.deliver(this.#clock.now, (decide) => this.call(file, decide));
    if (sent !== null) this.#from.waitUntil(sent);
  }

  /** Room time as the host's clock will show it, ms. */
  #wallOf(roomTime: number): number {
    return this.#from.wall() + roomTime - this.#clock.now;
  }

  /** Ask for the round that a draw waits for, beside everything else; the answer comes in as a step of its own. */
  #seekRound(): void {
    const file = this.#file;
    const drawing = this.#memory?.line.counters.drawing ?? null;
    if (drawing === null || file.as !== "ok") return;
    const asked = this.#seeker.seek(drawing.round, this.#clock.now, this.#from.beacon);
    if (asked === null) return;
    const applied = asked.then(async (round) => {
      await this.call(file, ({ line, config }, now) => {
        // Before time passes: a round in hand is not too late.
        if (round === null) noteSilence(line, drawing.round);
        else takeRound(line, settingsAt(config.settings, now), round, now);
        proceed(line, config.settings, now);
      });
    });
    this.#from.waitUntil(
      applied.catch((error: unknown) => {
        console.error(JSON.stringify({ event: "round-not-taken", room: this.#name, error: String(error) }));
      }),
    );
  }

  /** Load if need be, bring the line to now, decide, persist: all of it in one transaction, or nothing. */
  #step<T>(file: ReadyFile, decide: (memory: Memory, now: number) => T, wasWatched = this.#watchdog.armed): T {
    let before: Watched | null = null;
    try {
      const answer = this.#store.transaction(() => {
        const memory = this.#memory ?? this.#load(file);
        const { attack, slowed } = memory.line.counters;
        before = { attack, slowed };
        this.#clock = tick(this.#clock, this.#from.wall(), wasWatched);
        const { now } = this.#clock;
        supplySalts(memory.line, this.#from.salt);
        // What it writes down needs new rows; with a full storage it is written down later.
        const writes = this.tries() === "all";
        if (writes) {
          closeMinute(memory, this.#store, now);
          // What is asked for now may be the log itself.
          logStep(memory, this.#store, now);
        }
        const decided = decide(memory, now);
        if (writes) logStep(memory, this.#store, now);
        this.#office.collect(memory, writes);
        this.#store.saveLine(takeChanges(memory.line, writes ? this.#full.newRows : "none"), now);
        return decided;
      });
      if (this.#memory !== null && before !== null) logNews(this.#name, before, this.#memory);
      return answer;
    } catch (error) {
      // Memory may be ahead of storage now.
      this.#office.forget();
      this.#memory = null;
      throw error;
    }
  }

  #load(file: ReadyFile): Memory {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] as number;
    const memory = loadMemory(this.#name, file, this.#store, Math.max(this.#from.wall(), this.#clock.now), seed);
    this.#clock = loadedClock(memory.lastExchangeAt);
    this.#memory = memory;
    return memory;
  }
}
