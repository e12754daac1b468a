/**
 * class Room: one room's Durable Object. A thin shell: load → decide (durable/line, pure) → persist → reply.
 * Each call is one synchronous step in one transaction, an exchange alone or with others that came in the same moment; there is no `await`
 * between reading and writing, so no other call can come in between. An error that reaches the caller is indeterminate: every call is safe to repeat.
 */
import { DurableObject } from "cloudflare:workers";
import type {
  AdminResult,
  Caller,
  Change,
  Changed,
  EventChange,
  FileUpload,
  Forecast,
  Foreseen,
  KeyRevocation,
  KeyRevoked,
  OperatorSettings,
  Restore,
  Revision,
  RoomDescription,
  SwitchName,
  SwitchResult,
} from "../src/core/admin";
import { type AdminToken, TOKENS_OBJECT, type TokenGrant, type TokenOrder } from "../src/core/admin-tokens";
import type { AuditEntry, LogEntry, Minute, Page } from "../src/core/audit";
import { readDrandUrl } from "../src/core/drand";
import type { DrawRecord, DroppedDraw, ListedBatch, PendingDraw } from "../src/core/draw";
import { type Batch, type Reply, readBatch } from "../src/core/exchange";
import type { Delivery, Letter, WebhookReport, WebhookTested } from "../src/core/news";
import type { Ban, PlaceAct, PlaceId, PlaceShown } from "../src/core/places";
import type { RoomConfig, RoomRpc } from "../src/core/room-rpc";
import { settingsAt } from "../src/core/schedule";
import type { StaffLink, StaffLinks, StaffOrder, StaffVerdict } from "../src/core/staff";
import type { RoomStats } from "../src/core/stats";
import { readWebhookUrls } from "../src/core/webhook-schema";
import { type BeaconAnswer, fetchRound } from "./beacon";

import { fileSettings } from "./config";
import { Exchanges } from "./exchanges";
import { putFile } from "./files";
import { foresee } from "./foresee";
import { pendingDraw } from "./line/planned";
import { proceed } from "./line/schedule";
import { blocked } from "./line/view";
import { logEntries, minutesOf } from "./log";
import { statsWithDraw } from "./memory";
import { audit, authorOf, describeRoom, grant, wishOfChange, wishOfEvent, wishOfRestore } from "./operate";
import { actOnPlace, showPlace } from "./places";
import { PostOffice } from "./post-office";
import { enterByStaffLink, listStaffLinks, makeStaffLink, revokeStaffLink } from "./staff";
import { type Sources, Steps } from "./steps";
import { Store } from "./store";
import { Tokens } from "./tokens";
import { revokeKeyIn, turnSwitch } from "./turn";
import { postLetter } from "./webhook-post";

/** The part of the Worker's environment that a Room reads. */
export interface RoomEnv {
  readonly ROOMS: unknown;
  /** Another drand API than the public ones. */
  readonly DRAND_URL?: unknown;
  readonly VESTIBULE_KEYS?: unknown;
  /** Addresses of webhooks that are secrets. */
  readonly WEBHOOK_URLS?: unknown;
  /** "allow": webhooks may be on this computer. */
  readonly LOCAL_WEBHOOKS?: unknown;
}

export class Room extends DurableObject<RoomEnv> implements RoomRpc {
  /** The host's clock, ms, and a random number in [0, 1). Replaced by tests. */
  protected wall = (): number => Date.now();
  protected random = (): number => Math.random();
  /** 32 secret random bytes for the next draw, and the public beacon. Replaced by tests. */
  protected salt = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));
  protected beacon = (round: number): Promise<BeaconAnswer> => fetchRound(round, readDrandUrl(this.env.DRAND_URL) ?? []);
  protected post = (letter: Letter, atS: number): Promise<Delivery> =>
    postLetter(letter, atS, { keys: this.env.VESTIBULE_KEYS, local: this.env.LOCAL_WEBHOOKS === "allow" });

  readonly #name: string;
  readonly #store: Store;
  readonly #steps: Steps;
  readonly #exchanges: Exchanges;
  protected readonly office: PostOffice;

  constructor(ctx: DurableObjectState, env: RoomEnv) {
    super(ctx, env);
    if (ctx.id.name === undefined) throw new Error("a Room is reached by its name");
    this.#name = ctx.id.name;
    this.#store = new Store(ctx.storage.sql, (work) => ctx.storage.transactionSync(work));
    const room = { name: this.#name, file: fileSettings(env.ROOMS, this.#name) };
    this.office = new PostOffice(this.#name, this.#store, {
      send: (letter, atS) => this.post(letter, atS),
      urls: readWebhookUrls(env.WEBHOOK_URLS),
    });
    // Asked anew each time: tests replace them.
    const sources: Sources = {
      wall: () => this.wall(),
      salt: () => this.salt(),
      beacon: (round) => this.beacon(round),
      waitUntil: (promise) => ctx.waitUntil(promise),
    };
    this.#steps = new Steps(room, this.#store, ctx.storage, sources, this.office);
    const { wall } = sources;
    this.#exchanges = new Exchanges({ room: this.#name, store: this.#store, steps: this.#steps, wall, random: () => this.random() });
  }

  /**
   * Decide one batch of an edge isolate. Answers in the older of the two versions.
   * @throws if the room is not configured, or the version is not known
   */
  async exchange(said: Batch): Promise<Reply> {
    return this.#exchanges.answer(this.#steps.configured(), readBatch(said));
  }

  /** The settings in force: at least as new as any manifest this Room has sent. */
  async config(_revision: number): Promise<RoomConfig> {
    return this.#steps.look(this.#steps.configured(), ({ config }) => ({ revision: config.revision, settings: config.settings }));
  }

  async file(name: string): Promise<string | null> {
    return this.#steps.look(this.#steps.configured(), () => this.#store.files.read(name));
  }

  async draw(id: number | "latest"): Promise<DrawRecord | PendingDraw | DroppedDraw | null> {
    return this.#steps.look(this.#steps.configured(), ({ line, config }) => {
      // What was drawn in this step is not stored before its end.
      const drawn = (wanted: number) => line.draws.records.find((record) => record.id === wanted) ?? this.#store.draws.record(wanted);
      const last = line.counters.drawn[0]?.id ?? this.#store.draws.lastId();
      if (id === "latest") return last === null ? null : drawn(last);
      const dropped = line.draws.dropped.find((draw) => draw.id === id) ?? this.#store.draws.dropped(id);
      return dropped ?? pendingDraw(line, settingsAt(config.settings, line.counters.now), id) ?? drawn(id);
    });
  }

  async drawBatches(id: number, from: number): Promise<readonly ListedBatch[]> {
    return this.#steps.look(this.#steps.configured(), ({ line }) => {
      return line.counters.collecting?.id === id ? [] : this.#store.draws.batches(id, from);
    });
  }

  async describe(): Promise<AdminResult<RoomDescription>> {
    return this.#steps.show(describeRoom);
  }

  async change(change: Change): Promise<AdminResult<Changed>> {
    return this.#steps.operate(change.actor, (on) => grant(on, wishOfChange(change)));
  }

  async changeEvent(change: EventChange): Promise<AdminResult<Changed>> {
    return this.#steps.operate(change.actor, (on) => grant(on, wishOfEvent(on, change)));
  }

  async restore(restore: Restore): Promise<AdminResult<Changed>> {
    return this.#steps.operate(restore.actor, (on) => grant(on, wishOfRestore(on, restore)));
  }

  async putFile(file: FileUpload): Promise<AdminResult<Changed>> {
    return this.#steps.operate(file.actor, (on) => putFile(on, file));
  }

  async foresee(what: Foreseen): Promise<AdminResult<Forecast>> {
    const shown = await this.#steps.show((on) => foresee(on, what));
    return shown.as === "ok" ? shown.value : shown;
  }

  async turn(name: SwitchName, actor: Caller, confirm: string | null): Promise<AdminResult<SwitchResult>> {
    return this.#steps.operate(actor, (on) => turnSwitch(on, name, actor, confirm));
  }

  async revokeKey(revocation: KeyRevocation): Promise<AdminResult<KeyRevoked>> {
    return this.#steps.operate(revocation.actor, (on) => revokeKeyIn(on, revocation));
  }

  async audit(page: Page): Promise<AdminResult<readonly AuditEntry[]>> {
    return this.#steps.show(({ store }) => store.acts.audited(page));
  }

  async log(page: Page): Promise<AdminResult<readonly LogEntry[]>> {
    return this.#steps.show(({ store }) => logEntries(store, page));
  }

  async series(minutes: number): Promise<AdminResult<readonly Minute[]>> {
    return this.#steps.show(({ memory, store }) => minutesOf(memory, store, minutes));
  }

  async place(place: PlaceId): Promise<AdminResult<PlaceShown>> {
    return this.#steps.show((on) => showPlace(on, place));
  }

  async actOnPlace(act: PlaceAct, actor: Caller): Promise<AdminResult<PlaceShown>> {
    return this.#steps.operate(actor, (on) => actOnPlace(on, act, actor));
  }

  async bans(): Promise<AdminResult<readonly Ban[]>> {
    return this.#steps.show(({ memory }) => memory.line.bans.all());
  }

  async noteAct(action: string, after: OperatorSettings, actor: Caller): Promise<AdminResult<number>> {
    return this.#steps.operate(actor, (on) => {
      audit(on, action, authorOf(actor), { before: {}, after });
      return { as: "ok", value: on.memory.line.counters.now };
    });
  }

  async stats(): Promise<AdminResult<RoomStats>> {
    return this.#steps.show(({ room, memory, store }) => {
      const recent = { audit: store.acts.audited({ before: null, limit: 5 }), log: logEntries(store, { before: null, limit: 5 }) };
      const stats = { ...statsWithDraw(room, memory), recent };
      return this.#steps.tries() === "all" ? stats : { ...stats, blocked_by: blocked("storage-full") };
    });
  }

  async makeStaffLink(order: StaffOrder, actor: Caller): Promise<AdminResult<StaffLink>> {
    return this.#steps.operate(actor, (on) => makeStaffLink(on, order, actor));
  }

  async staffLinks(): Promise<AdminResult<StaffLinks>> {
    const shown = await this.#steps.show((on) => listStaffLinks(on));
    return shown.as === "ok" ? shown.value : shown;
  }

  async revokeStaffLink(id: number, actor: Caller): Promise<AdminResult<StaffLink>> {
    return this.#steps.operate(actor, (on) => revokeStaffLink(on, id, actor));
  }

  async webhooks(): Promise<AdminResult<readonly WebhookReport[]>> {
    return this.#steps.show(({ memory }) => this.office.report(memory));
  }

  /** An edge of an earlier version does not say who asks. */
  async testWebhook(name: string, actor: Pick<Caller, "name" | "once"> = { name: "", once: null }): Promise<AdminResult<WebhookTested>> {
    const file = this.#steps.configured();
    return this.office.test(name, actor, (decide) => this.#steps.call(file, decide));
  }

  async useStaffLink(id: number, key: string): Promise<StaffVerdict> {
    return this.#steps.call(this.#steps.configured(), (memory, now) => {
      proceed(memory.line, memory.config.settings, now);
      return enterByStaffLink(this.#name, memory, this.#store, id, key);
    });
  }

  /** Newest first. An edge of an earlier version names no page. */
  async revisions(page: Page = { before: null, limit: 500 }): Promise<AdminResult<readonly Revision[]>> {
    return this.#steps.show(({ store }) => store.listRevisions(page).map(({ at, ...row }) => ({ ...row, at: new Date(at).toISOString() })));
  }

  async makeToken(order: TokenOrder, hash: string, actor: Caller): Promise<AdminResult<AdminToken>> {
    return this.#keep((tokens, now) => tokens.make(order, hash, actor, now));
  }

  async tokens(): Promise<readonly AdminToken[]> {
    return this.#keep((tokens, now) => tokens.list(now));
  }

  async revokeToken(id: number, actor: Caller): Promise<AdminResult<AdminToken>> {
    return this.#keep((tokens, now) => tokens.revoke(id, actor, now));
  }

  async checkToken(id: number, hash: string): Promise<TokenGrant | null> {
    return this.#keep((tokens, now) => tokens.check(id, hash, now));
  }

  async tokenAudit(page: Page): Promise<readonly AuditEntry[]> {
    return this.#keep((tokens) => tokens.acts.audited(page));
  }

  /** In the object that keeps the admin API's tokens: it has no line. */
  #keep<T>(decide: (tokens: Tokens, now: number) => T): T {
    if (this.#name !== TOKENS_OBJECT) throw new Error(`room ${this.#name} keeps no tokens`);
    return this.#store.transaction(() => {
      this.#store.migrate();
      return decide(new Tokens(this.ctx.storage.sql), this.wall());
    });
  }

  /** May come twice, late or never. */
  override async alarm(): Promise<void> {
    await this.#steps.alarm();
  }
}
