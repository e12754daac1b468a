/**
 * The edge's side of one room: everything that this isolate knows of it and asks of it. One per room and isolate.
 * Decides nothing about visitors. The parts are in src/room: queue of exchanges, manifest cache, lease, breaker, calls, damper.
 */
import { EdgeSettings } from "./core/edge-settings";
import {
  type Batch,
  type ClaimRequest,
  type ClaimVerdict,
  EXCHANGE_VERSION,
  type JoinRequest,
  type JoinVerdict,
  type LeaveRequest,
  type LeaveVerdict,
  type ReissueRequest,
  type ReissueVerdict,
  type RenewRequest,
  type RenewVerdict,
  type Reply,
  readReply,
} from "./core/exchange";
import { type Openness, opennessOf } from "./core/failure";
import type { Manifest } from "./core/manifest";
import { CompiledNetworks } from "./core/network";
import { namesFile } from "./core/page-files";
import type { RoomRpc } from "./core/room-rpc";
import type { RoomSettings } from "./core/settings-types";
import { eventsOf } from "./core/visitor-events";
import type { Ask, Outcome } from "./room/asks";
import { Breaker } from "./room/breaker";
import { type CallOptions, callRoom, RoomFailure } from "./room/call";
import { type ColoStore, noColoStore } from "./room/colo-store";
import { DrawBook } from "./room/draw-book";
import { type EventSinks, EventStream, NO_SINKS } from "./room/event-stream";
import { ExchangeQueue, type Exchanger } from "./room/exchange-queue";
import { FileBook } from "./room/file-book";
import type { FileShelf } from "./room/file-shelf";
import { LateVerdicts, stillOpens } from "./room/late-verdicts";
import { ManifestCache, type Seen } from "./room/manifest-cache";
import { ManifestRefresh } from "./room/manifest-refresh";
import { Outage } from "./room/outage";
import { type Granted, Pace } from "./room/pace";
import { PollDamper } from "./room/poll-damper";
import { Report } from "./room/report";
import { UnprovenLease } from "./room/unproven-lease";
import type { Lifetime } from "./room/wait";

export type { Outcome } from "./room/asks";
export type { Seen } from "./room/manifest-cache";
export type { Lifetime } from "./room/wait";

export interface RoomClientOptions {
  readonly room: string;
  /** The settings of wrangler.toml, until the Room's own are known. */
  readonly file: RoomSettings;
  /** A new stub for each attempt. */
  readonly stubOf: () => RoomRpc;
  /** Where the isolates of a colo share what they know, … */
  readonly colo: ColoStore;
  /** … and agree on who calls when. */
  readonly turns: ColoStore;
  /** Where the colo keeps pages of lists of entries. */
  readonly lists: (page: string) => ColoStore;
  /** Where the colo keeps files of the waiting page; left out = nowhere. */
  readonly files?: (name: string) => ColoStore;
  /** Where the isolate keeps them; left out = in a place of this room alone. */
  readonly shelf?: FileShelf;
  /** Where events of visitors go; left out = nowhere. */
  readonly events?: EventSinks;
  /** Numbers in [0, 1). */
  readonly random?: () => number;
  /** In simulations one question may stand for those of several people: for how many. */
  readonly sizeOf?: (ask: Ask) => number;
}

/** For all attempts of one exchange, ms; together with the settings' it stays below what makes a flight stale. */
const EXCHANGE_DEADLINE_MS = 2_000;
const CONFIG_DEADLINE_MS = 500;
const DRAW_DEADLINE_MS = 1_000;
const FILE_DEADLINE_MS = 2_000;
/** How long a request waits for a lease, ms, … */
const LEASE_WAIT_MS = 1_000;
/** … and sightings for company. */
const SIGHTINGS_PATIENCE_MS = 2_000;
/** A sightings' errand that started longer ago than this is lost with its request, ms. */
const ERRAND_MS = 30_000;
/** An isolate that waits for news of the pace looks into the colo's cache at most this often, ms. */
const LISTEN_GAP_MS = 150;

export class RoomClient {
  readonly room: string;
  readonly draws: DrawBook;
  readonly files: FileBook;
  /** Told with the next exchange. */
  readonly report = new Report();
  readonly polls = new PollDamper();
  readonly #options: RoomClientOptions;
  readonly #random: () => number;
  readonly #isolate: number;
  readonly #cache: ManifestCache;
  readonly #breaker = new Breaker();
  readonly #outage = new Outage();
  /** The outage that has been told of in the log, by its beginning. */
  #openSince = 0;
  readonly #lease = new UnprovenLease();
  readonly #late = new LateVerdicts();
  readonly #pace: Pace;
  readonly #inForce = new EdgeSettings();
  readonly #queue: ExchangeQueue;
  readonly #refresh: ManifestRefresh;
  readonly #events: EventStream;
  #errandSince = Number.NEGATIVE_INFINITY;
  readonly #networks = { trustedNetworks: new CompiledNetworks(), refusedNetworks: new CompiledNetworks() };

  constructor(options: RoomClientOptions) {
    this.room = options.room;
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#isolate = Math.floor(this.#random() * 2 ** 32);
    this.draws = new DrawBook((run) => this.call(run, { deadlineMs: DRAW_DEADLINE_MS, retry: true }), options.lists);
    this.#cache = new ManifestCache(options.room, options.file, options.colo);
    this.files = new FileBook({
      ask: (name) => this.call((room) => room.file(name), { deadlineMs: FILE_DEADLINE_MS, retry: true }),
      colo: options.files ?? (() => noColoStore),
      isNamed: (name) => namesFile(this.#cache.settings, name),
      ...(options.shelf && { shelf: options.shelf }),
    });
    this.#pace = new Pace({
      isolate: this.#isolate,
      turns: options.turns,
      random: this.#random,
      granted: () => this.#granted(),
      waiting: () => this.#queue.waiting,
      listen: (now) => this.#cache.readColo(now, LISTEN_GAP_MS),
    });
    this.#events = new EventStream(options.room, options.events ?? NO_SINKS);
    this.#queue = new ExchangeQueue(this.#exchanger(), this.#breaker, this.#pace, this.#random, options.sizeOf);
    this.#refresh = new ManifestRefresh(this.#cache, this.#queue, this.#random);
  }

  /** The settings in force now, an event's for its duration, as far as this isolate knows. */
  get settings(): RoomSettings {
    const own = this.#cache.settings;
    // Read by every request several times, and the clock is not for nothing.
    return own.events.length === 0 ? own : this.#inForce.at(own, Date.now());
  }

  /** The newest manifest known, without asking; null = none yet. */
  get newest(): Manifest | null {
    return this.#cache.newest;
  }

  /** The same, and how old it is. */
  known(): Seen | null {
    return this.#cache.seen(Date.now());
  }

  /** A manifest to decide by, not much older than `patientMs` if the Room can be reached (src/room/manifest-refresh.ts). */
  manifest(life: Lifetime, patientMs: number): Promise<Seen | null> | Seen {
    return this.#refresh.manifest(life, patientMs);
  }

  /** A manifest that the Room made after this call, if it answers within a second; else the newest known. */
  newManifest(life: Lifetime): Promise<Seen | null> {
    return this.#refresh.newManifest(life);
  }

  #granted(): Granted | null {
    const now = Date.now();
    const seen = this.#cache.seen(now);
    return seen === null ? null : { share: seen.share, colo: seen.colo, asOf: now - seen.ageMs };
  }

  /** About how long a join that is not answered yet will take, ms: the batches in front of it, each after the Room's gap. */
  get joinDelayMs(): number {
    const now = Date.now();
    return this.#queue.delayMs(now) + this.#queue.batchesAhead * (this.#cache.seen(now)?.manifest.flushAfterMs ?? 0);
  }

  join(
    request: JoinRequest,
    life: Lifetime,
    options: { readonly navigation: boolean; readonly waitMs: number },
  ): Promise<Outcome<JoinVerdict>> {
    const now = Date.now();
    const kept = this.#late.join(request.key, this.newest?.generation ?? null, now, request.guest !== undefined);
    if (kept !== null) return Promise.resolve(kept);
    return this.#queue.ask({ kind: "join", request, navigation: options.navigation }, life, options.waitMs);
  }

  claim(request: Omit<ClaimRequest, "ageMs">, generation: number, life: Lifetime, waitMs: number): Promise<Outcome<ClaimVerdict>> {
    const now = Date.now();
    const kept = this.#late.claim({ request, generation }, now, (pass) => stillOpens(pass, this.newest, this.settings.passRefreshMs, now));
    if (kept !== null) return Promise.resolve(kept);
    return this.#queue.ask({ kind: "claim", request, generation }, life, waitMs);
  }

  renew(request: Omit<RenewRequest, "ageMs">, generation: number, life: Lifetime, waitMs: number): Promise<Outcome<RenewVerdict>> {
    return this.#queue.ask({ kind: "renew", request, generation }, life, waitMs);
  }

  /** What the Room has said of this pass since an earlier request asked for its renewal; null = nothing. Asks nobody. */
  lateRenewal(request: Omit<RenewRequest, "ageMs">, generation: number): Outcome<RenewVerdict> | null {
    return this.#late.renewal({ request, generation }, Date.now());
  }

  /** The outcome of a renewal came after the reply that it was meant for. */
  renewedTooLate(request: Omit<RenewRequest, "ageMs">, generation: number, outcome: Outcome<RenewVerdict>): void {
    this.#late.keep({ kind: "renew", request, generation }, outcome, Date.now());
  }

  leave(request: LeaveRequest, generation: number, life: Lifetime, waitMs: number): Promise<Outcome<LeaveVerdict>> {
    return this.#queue.ask({ kind: "leave", request, generation }, life, waitMs);
  }

  reissue(request: ReissueRequest, generation: number, life: Lifetime, waitMs: number): Promise<Outcome<ReissueVerdict>> {
    return this.#queue.ask({ kind: "reissue", request, generation }, life, waitMs);
  }

  /** Someone who waits with this place was here. Reported with the next exchange, and soon, if the slot is within the horizon. */
  sight({ generation, slot }: { readonly generation: number; readonly slot: number }, life: Lifetime): void {
    const manifest = this.newest;
    if (manifest === null || manifest.generation !== generation) return;
    if (slot < manifest.admittedEpoch || slot >= manifest.horizon || !this.report.see(slot)) return;
    const now = Date.now();
    if (now - this.#errandSince < ERRAND_MS) return;
    this.#errandSince = now;
    const errand = this.#queue.ask({ kind: "look", patienceMs: SIGHTINGS_PATIENCE_MS }, life, ERRAND_MS);
    life.waitUntil(
      errand.then(() => {
        this.#errandSince = Number.NEGATIVE_INFINITY;
      }),
    );
  }

  /** Someone who waits for this draw was here. Reported with the next exchange, whatever it is for: no call is made for it. */
  sightEntry({ draw, entry }: { readonly draw: number; readonly entry: number }): void {
    if (this.newest?.lobby?.draw === draw) this.report.seeEntry(draw, entry);
  }

  /**
   * May one request without a cookie of this network go through? Only on a quiet room. Costs a call only when the lease is used up.
   * @param network its prefix; null = trusted or unknown
   * @param waitMs how long it may wait for that call at most
   */
  async unproven(network: string | null, life: Lifetime, waitMs = LEASE_WAIT_MS): Promise<boolean> {
    const taken = this.#lease.take(network, Date.now());
    if (taken !== "ask") return taken === "taken";
    this.report.leaseWanted = this.#lease.wanted;
    await this.#queue.ask({ kind: "look", patienceMs: 0 }, life, Math.min(waitMs, LEASE_WAIT_MS));
    return this.#lease.take(network, Date.now()) === "taken";
  }

  /** Is this address in one of the networks of this setting? */
  isIn(setting: "trustedNetworks" | "refusedNetworks", ip: string): boolean {
    return this.#networks[setting].contain(this.settings[setting], ip);
  }

  /** May people go in without the Room, which cannot be reached? */
  get openness(): Openness {
    if (this.#outage.silence === null) return "shut";
    const now = Date.now();
    const seen = this.#cache.seen(now);
    const isSettled = this.#cache.missingRevision === null;
    const last = seen === null ? null : { manifest: seen.manifest, heardAtMs: now - seen.ageMs, isSettled };
    return opennessOf(this.#cache.settings, this.#outage.silence, last, now);
  }

  /** One more person without the Room: `false` = that is enough for now. The caller has looked at `openness`. */
  letIn(): boolean {
    const now = Date.now();
    if (!this.report.openDoor.admit(this.settings.newUsersPerMinute, now)) return false;
    const sinceMs = this.#outage.silence?.sinceMs ?? now;
    if (sinceMs !== this.#openSince)
      console.error(JSON.stringify({ event: "failing-open", alert: true, room: this.room, since: new Date(sinceMs).toISOString() }));
    this.#openSince = sinceMs;
    return true;
  }

  /** One more request of somebody who was let in without the Room; `false` = too many at once. */
  passOpen(person: string): boolean {
    return this.report.openDoor.pass(person, Date.now());
  }

  /** One call; the admin API makes them beside the exchanges. @throws RoomFailure */
  async call<T>(run: (room: RoomRpc) => Promise<T>, options: Omit<CallOptions, "random">): Promise<T> {
    try {
      const answer = await callRoom(this.#options.stubOf, run, { ...options, random: this.#random });
      this.#outage.note("answered", Date.now());
      return answer;
    } catch (error) {
      this.#outage.note(error instanceof RoomFailure ? error.kind : "other", Date.now());
      throw error;
    }
  }

  #exchanger(): Exchanger {
    const cache = this.#cache;
    return {
      generation: () => cache.newest?.generation ?? null,
      collect: () => this.report.take(),
      giveBack: (carried) => this.report.giveBack(carried),
      send: (batch) => this.#send(batch),
      late: (ask, outcome) => this.#late.keep(ask, outcome, Date.now()),
      settled: async () => {
        await cache.writeColo(Date.now());
        await this.#pace.spread();
        await this.#events.flush(Date.now());
      },
    };
  }

  async #send(part: Omit<Batch, "v" | "isolate" | "colo" | "config">): Promise<Reply> {
    const sentAt = Date.now();
    const [colo, config] = [this.#pace.colo, this.#cache.revision];
    const batch: Batch = { v: EXCHANGE_VERSION, isolate: this.#isolate, colo, config, ...part };
    const reply = readable(await this.call((room) => room.exchange(batch), { deadlineMs: EXCHANGE_DEADLINE_MS, retry: true }));
    this.#cache.adopt(reply.manifest, sentAt, reply.share, colo);
    if (reply.config !== null) this.#cache.adoptConfig(reply.config);
    if (part.leaseWanted > 0) this.#lease.granted(reply.lease, sentAt, (reply.lease?.untilMs ?? 0) - reply.manifest.at, Date.now());
    this.#pace.heard();
    if (this.#events.isOn) this.#events.note(eventsOf(this.room, part, reply), Date.now());
    const revision = this.#cache.missingRevision;
    if (revision !== null) {
      try {
        this.#cache.adoptConfig(await this.call((room) => room.config(revision), { deadlineMs: CONFIG_DEADLINE_MS, retry: false }));
      } catch (error) {
        // The next exchange tries again; until then the settings known before hold.
        console.warn(JSON.stringify({ event: "room-config-failed", room: this.room, revision, error: String(error) }));
      }
    }
    this.#cache.announce();
    return reply;
  }
}

/** @throws RoomFailure if there is no sense in it */
function readable(reply: Reply): Reply {
  try {
    return readReply(reply);
  } catch (error) {
    throw new RoomFailure("remote", error);
  }
}
