/**
 * class Room: one room's Durable Object. A thin shell: load → decide (durable/line, pure) → persist → reply.
 * Each call is one synchronous step in one transaction; there is no `await` between reading and writing, so no other call
 * can come in between. An error that reaches the caller is indeterminate: every call is safe to repeat.
 */
import { DurableObject } from "cloudflare:workers";
import type {
  Actor,
  AdminResult,
  Change,
  EventChange,
  KeyRevocation,
  KeyRevoked,
  Revision,
  RoomDescription,
  Stats,
  SwitchName,
  SwitchResult,
} from "../src/core/admin";
import { readDrandUrl } from "../src/core/drand";
import type { DrawRecord, DroppedDraw, ListedBatch, PendingDraw } from "../src/core/draw";
import { type Batch, NO_VERDICTS, type Reply, readBatch, replyVersion } from "../src/core/exchange";
import type { RoomConfig, RoomRpc } from "../src/core/room-rpc";
import { settingsAt } from "../src/core/schedule";
import type { StaffLink, StaffLinks, StaffOrder, StaffVerdict } from "../src/core/staff";
import { isStorageFull } from "../src/core/storage-full";
import { type BeaconAnswer, fetchRound } from "./beacon";
import { type Clock, loadedClock, tick } from "./clock";
import { describeProblems, type FileSettings, fileSettings, type ReadyFile } from "./config";
import { FullStore, partOf, type Tried } from "./full-store";
import { noteSilence, supplySalts, takeRound } from "./line/draws";
import { exchange } from "./line/exchange";
import { guestsIn } from "./line/guests";
import { pendingDraw } from "./line/planned";
import { reissuesIn } from "./line/reissues";
import { proceed } from "./line/schedule";
import { type Attack, CALM } from "./line/state";
import { takeChanges } from "./line/stored";
import { blocked, manifestOf } from "./line/view";
import { alarmWanted, loadMemory, logAttack, type Memory, noteReports, statsWithDraw } from "./memory";
import { changeEvent, changeSettings, describeRoom, type Operated, revokeKeyIn, turnSwitch } from "./operate";
import { RoundSeeker } from "./round-seeker";
import { enterByStaffLink, listStaffLinks, makeStaffLink, revokeStaffLink } from "./staff";
import { Store } from "./store";
import { Watchdog } from "./watchdog";

/** The part of the Worker's environment that a Room reads. */
export interface RoomEnv {
  readonly ROOMS: unknown;
  /** Another drand API than the public ones. */
  readonly DRAND_URL?: unknown;
}

export class Room extends DurableObject<RoomEnv> implements RoomRpc {
  /** The host's clock, ms, and a random number in [0, 1). Replaced by tests. */
  protected wall = (): number => Date.now();
  protected random = (): number => Math.random();
  /** 32 secret random bytes for the next draw, and the public beacon. Replaced by tests. */
  protected salt = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));
  protected beacon = (round: number): Promise<BeaconAnswer> => fetchRound(round, readDrandUrl(this.env.DRAND_URL) ?? []);

  readonly #name: string;
  readonly #file: FileSettings;
  readonly #store: Store;
  readonly #watchdog: Watchdog;
  /** A cache of what is stored, made by the first call; null = load again. */
  #memory: Memory | null = null;
  #clock: Clock = loadedClock(0);
  readonly #seeker = new RoundSeeker();
  readonly #full = new FullStore();

  constructor(ctx: DurableObjectState, env: RoomEnv) {
    super(ctx, env);
    if (ctx.id.name === undefined) throw new Error("a Room is reached by its name");
    this.#name = ctx.id.name;
    this.#file = fileSettings(env.ROOMS, this.#name);
    this.#store = new Store(ctx.storage.sql, (work) => ctx.storage.transactionSync(work));
    this.#watchdog = new Watchdog(ctx.storage);
  }

  /**
   * Decide one batch of an edge isolate. Answers in the older of the two versions.
   * @throws if the room is not configured, or the version is not known
   */
  async exchange(said: Batch): Promise<Reply> {
    const batch = readBatch(said);
    const file = this.#configured();
    for (let tried = this.#full.at(this.wall()); ; ) {
      if (tried === "nothing") return this.#unwritten(file, (memory) => this.#replyTo(memory, batch, { ...NO_VERDICTS, storage: "full" }));
      const part = partOf(batch, tried);
      try {
        return await this.#call(file, (memory, now) => {
          const { line, config } = memory;
          line.guests.load(this.#store.guests(guestsIn(part.joins)));
          line.reissues.load(this.#store.reissues(reissuesIn(part.reissues)));
          const verdicts = exchange(line, config.settings, part, now, this.random);
          memory.lastExchangeAt = now;
          return this.#replyTo(memory, batch, part === batch ? verdicts : { ...verdicts, storage: "full" });
        });
      } catch (error) {
        if (!isStorageFull(error)) throw error;
        tried = this.#lessStored(tried, error);
      }
    }
  }

  /** @throws whatever reading storage throws, of an instance that has been replaced too */
  #replyTo(memory: Memory, batch: Batch, verdicts: Omit<Reply, "v" | "manifest" | "config">): Reply {
    const { line, config } = memory;
    noteReports(memory, this.#name, batch);
    const { revision, settings } = config;
    return {
      v: replyVersion(batch),
      ...verdicts,
      manifest: manifestOf(line, settings, this.#name, revision),
      config: batch.config !== null && batch.config < revision ? { revision, settings } : null,
    };
  }

  /** The settings in force: at least as new as any manifest this Room has sent. */
  async config(_revision: number): Promise<RoomConfig> {
    return this.#look(this.#configured(), ({ config }) => ({ revision: config.revision, settings: config.settings }));
  }

  async draw(id: number | "latest"): Promise<DrawRecord | PendingDraw | DroppedDraw | null> {
    return this.#look(this.#configured(), ({ line, config }) => {
      // What was drawn in this step is not stored before its end.
      const drawn = (wanted: number) => line.draws.records.find((record) => record.id === wanted) ?? this.#store.draws.record(wanted);
      const last = line.counters.drawn[0]?.id ?? this.#store.draws.lastId();
      if (id === "latest") return last === null ? null : drawn(last);
      const dropped = line.draws.dropped.find((draw) => draw.id === id) ?? this.#store.draws.dropped(id);
      return dropped ?? pendingDraw(line, settingsAt(config.settings, line.counters.now), id) ?? drawn(id);
    });
  }

  async drawBatches(id: number, from: number): Promise<readonly ListedBatch[]> {
    return this.#look(this.#configured(), ({ line }) => {
      return line.counters.collecting?.id === id ? [] : this.#store.draws.batches(id, from);
    });
  }

  async describe(): Promise<AdminResult<RoomDescription>> {
    return this.#show(describeRoom);
  }

  async change(change: Change): Promise<AdminResult<RoomDescription>> {
    return this.#operate((on) => changeSettings(on, change));
  }

  async changeEvent(change: EventChange): Promise<AdminResult<RoomDescription>> {
    return this.#operate((on) => changeEvent(on, change));
  }

  async turn(name: SwitchName, actor: Actor, confirm: string | null): Promise<AdminResult<SwitchResult>> {
    return this.#operate((on) => turnSwitch(on, name, actor, confirm));
  }

  async revokeKey(revocation: KeyRevocation): Promise<AdminResult<KeyRevoked>> {
    return this.#operate((on) => revokeKeyIn(on, revocation));
  }

  async stats(): Promise<AdminResult<Stats>> {
    return this.#show(({ room, memory }) => {
      const stats = statsWithDraw(room, memory);
      return this.#full.at(this.wall()) === "all" ? stats : { ...stats, blocked_by: blocked("storage-full") };
    });
  }

  async makeStaffLink(order: StaffOrder, actor: Actor): Promise<AdminResult<StaffLink>> {
    return this.#operate((on) => makeStaffLink(on, order, actor));
  }

  async staffLinks(): Promise<AdminResult<StaffLinks>> {
    return this.#operate((on) => listStaffLinks(on));
  }

  async revokeStaffLink(id: number, actor: Actor): Promise<AdminResult<StaffLink>> {
    return this.#operate((on) => revokeStaffLink(on, id, actor));
  }

  async useStaffLink(id: number, key: string): Promise<StaffVerdict> {
    return this.#call(this.#configured(), (memory, now) => {
      proceed(memory.line, memory.config.settings, now);
      return enterByStaffLink(this.#name, memory, this.#store, id, key);
    });
  }

  /** Newest first. */
  async revisions(): Promise<AdminResult<readonly Revision[]>> {
    return this.#show(({ store }) =>
      store.listRevisions().map(({ revision, at, actor, reason, overrides }) => {
        return { revision, at: new Date(at).toISOString(), actor, reason, overrides };
      }),
    );
  }

  /** Does what any call does first. May come twice, late or never. */
  override async alarm(): Promise<void> {
    try {
      if (this.#file.as !== "ok") return;
      // Re-armed before anything can fail: a throw would leave the platform's few retries, and then none.
      await this.#watchdog.arm(this.wall());
      const wanted = this.#step(this.#file, (memory, now) => {
        proceed(memory.line, memory.config.settings, now);
        return alarmWanted(memory, now);
      });
      this.#seekRound();
      if (wanted !== "soon") await this.#watchdog.rest(wanted === null ? null : this.#wallOf(wanted));
    } catch (error) {
      if (isStorageFull(error)) this.#lessStored("all", error);
      else console.error(JSON.stringify({ event: "alarm-failed", room: this.#name, error: String(error) }));
    }
  }

  #configured(): ReadyFile {
    if (this.#file.as === "ok") return this.#file;
    if (this.#file.as === "unknown-room") throw new Error(`room ${this.#name} is not in ROOMS`);
    throw new Error(`the settings of room ${this.#name} are not valid: ${describeProblems(this.#file.problems)}`);
  }

  async #operate<T>(decide: (on: Operated) => AdminResult<T>): Promise<AdminResult<T>> {
    const file = this.#file;
    if (file.as !== "ok") return file;
    try {
      return await this.#call(file, (memory, now) => {
        proceed(memory.line, memory.config.settings, now);
        return decide({ room: this.#name, file, memory, store: this.#store });
      });
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      this.#lessStored("all", error);
      return { as: "storage-full" };
    }
  }

  async #show<T>(look: (on: Operated) => T): Promise<AdminResult<T>> {
    const file = this.#file;
    if (file.as !== "ok") return file;
    const value = await this.#look(file, (memory) => look({ room: this.#name, file, memory, store: this.#store }));
    return { as: "ok", value };
  }

  /** A step that changes nothing but what time does; with a full storage what was stored last is told. */
  async #look<T>(file: ReadyFile, look: (memory: Memory) => T): Promise<T> {
    try {
      return await this.#call(file, (memory, now) => {
        proceed(memory.line, memory.config.settings, now);
        return look(memory);
      });
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      this.#lessStored("all", error);
      return this.#unwritten(file, look);
    }
  }

  /**
   * Without storing anything: `look` must leave the line as it is, and nothing that it tells may be news that has to last.
   * Storage is read all the same, which an instance that has been replaced cannot.
   */
  #unwritten<T>(file: ReadyFile, look: (memory: Memory) => T): T {
    const memory = this.#memory ?? this.#store.transaction(() => this.#load(file));
    this.#store.lastRevision();
    return look(memory);
  }

  /** Storage is full: said once a minute, and less is tried. */
  #lessStored(failed: Exclude<Tried, "nothing">, error: unknown): Tried {
    const { tried, isNews } = this.#full.less(failed, this.wall());
    if (isNews) console.error(JSON.stringify({ event: "storage-full", alert: true, room: this.#name, error: String(error) }));
    return tried;
  }

  /** A step, and a look at the alarm afterwards. What was decided is stored by then: a failing alarm must not hide it. */
  async #call<T>(file: ReadyFile, decide: (memory: Memory, now: number) => T): Promise<T> {
    let wanted: "soon" | number | null = null;
    const answer = this.#step(file, (memory, now) => {
      const decided = decide(memory, now);
      wanted = alarmWanted(memory, now);
      return decided;
    });
    this.#seekRound();
    if (wanted !== null) {
      const due = wanted === "soon" ? this.#watchdog.repair(this.wall()) : this.#watchdog.wake(this.wall(), this.#wallOf(wanted));
      await due.catch((error: unknown) => {
        console.error(JSON.stringify({ event: "alarm-not-set", room: this.#name, error: String(error) }));
      });
    }
    return answer;
  }

  /** Room time as the host's clock will show it, ms. */
  #wallOf(roomTime: number): number {
    return this.wall() + roomTime - this.#clock.now;
  }

  /** Ask for the round that a draw waits for, beside everything else; the answer comes in as a step of its own. */
  #seekRound(): void {
    const file = this.#file;
    const drawing = this.#memory?.line.counters.drawing ?? null;
    if (drawing === null || file.as !== "ok") return;
    const asked = this.#seeker.seek(drawing.round, this.#clock.now, this.beacon);
    if (asked === null) return;
    const applied = asked.then(async (round) => {
      await this.#call(file, ({ line, config }, now) => {
        // Before time passes: a round in hand is not too late.
        if (round === null) noteSilence(line, drawing.round);
        else takeRound(line, settingsAt(config.settings, now), round, now);
        proceed(line, config.settings, now);
      });
    });
    this.ctx.waitUntil(
      applied.catch((error: unknown) => {
        console.error(JSON.stringify({ event: "round-not-taken", room: this.#name, error: String(error) }));
      }),
    );
  }

  /** Load if need be, bring the line to now, decide, persist: all of it in one transaction, or nothing. */
  #step<T>(file: ReadyFile, decide: (memory: Memory, now: number) => T): T {
    let before: Attack = CALM;
    try {
      const answer = this.#store.transaction(() => {
        const memory = this.#memory ?? this.#load(file);
        before = memory.line.counters.attack;
        this.#clock = tick(this.#clock, this.wall(), this.#watchdog.armed);
        const { now } = this.#clock;
        supplySalts(memory.line, this.salt);
        const decided = decide(memory, now);
        this.#store.saveLine(takeChanges(memory.line), now);
        return decided;
      });
      if (this.#memory !== null) logAttack(this.#name, before, this.#memory);
      return answer;
    } catch (error) {
      // Memory may be ahead of storage now.
      this.#memory = null;
      throw error;
    }
  }

  #load(file: ReadyFile): Memory {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] as number;
    const memory = loadMemory(this.#name, file, this.#store, Math.max(this.wall(), this.#clock.now), seed);
    this.#clock = loadedClock(memory.lastExchangeAt);
    this.#memory = memory;
    return memory;
  }
}
