/**
 * What this isolate knows of a room: the newest manifest, how old it is, and the settings of its revision. One per room and isolate.
 * Plain data only, so that any request may read it. Never goes back to an older state (P8).
 */
import type { ColoSize, Share } from "../core/exchange";
import { isNewer, MANIFEST_VERSION, type Manifest, readManifest } from "../core/manifest";
import type { RoomConfig } from "../core/room-rpc";
import type { RoomSettings } from "../core/settings-types";
import { isNeighbour } from "../core/versions";
import type { ColoStore } from "./colo-store";
import { CLOCK_BACK_MS, type Signal, signal, within } from "./wait";

export interface Seen {
  readonly manifest: Manifest;
  /** ms by this machine's clock since the manifest was asked for. */
  readonly ageMs: number;
  /** What the Room granted with it … */
  readonly share: Share;
  /** … and to which colo; null = to one isolate. */
  readonly colo: ColoSize | null;
}

/** A colo cache slower than this is no help, ms. */
const COLO_WAIT_MS = 250;
/** Requests look into the colo cache at most this often, ms. */
const COLO_READ_GAP_MS = 500;
/** Newer manifests go to the colo cache at most this often, ms. */
const COLO_PUT_GAP_MS = 500;
/** Of a manifest of which nobody knows how old it is. */
const UNKNOWN = Number.NEGATIVE_INFINITY;

export class ManifestCache {
  #manifest: Manifest | null = null;
  /** When the manifest was asked for: it may be older than its arrival tells, never older than this. */
  #asOf = UNKNOWN;
  #share: Share = { paceMs: 0, isolates: 1 };
  #colo: ColoSize | null = null;
  readonly #waiting = new Set<Signal<void>>();
  #config: RoomConfig;
  #putAt = 0;
  #reading: { readonly startedAt: number; readonly done: Signal<void> } | null = null;
  readonly #room: string;
  readonly #file: RoomSettings;
  readonly #store: ColoStore;

  /** @param file the settings of wrangler.toml, used until the Room's are known */
  constructor(room: string, file: RoomSettings, colo: ColoStore) {
    this.#room = room;
    this.#config = { revision: -1, settings: file };
    this.#file = file;
    this.#store = colo;
  }

  get newest(): Manifest | null {
    return this.#manifest;
  }

  seen(now: number): Seen | null {
    if (this.#manifest === null) return null;
    // This machine's clock was put back: how old it is nobody knows, and by this time it would stay young for as long (P8).
    if (this.#asOf - now > CLOCK_BACK_MS) this.#asOf = UNKNOWN;
    return { manifest: this.#manifest, ageMs: Math.max(0, now - this.#asOf), share: this.#share, colo: this.#colo };
  }

  /** Waits for `answer`, or for a manifest whoever brings it, at most `waitMs`. */
  async news(answer: Promise<unknown>, waitMs: number): Promise<void> {
    // Of this request: the runtime wants no promise settled whose request is over.
    const news = signal<void>();
    this.#waiting.add(news);
    await within(Promise.race([answer, news.promise]), waitMs, undefined);
    this.#waiting.delete(news);
  }

  /** The newest settings known: the room's own, whatever event is on. */
  get settings(): RoomSettings {
    return this.#config.settings;
  }

  /** The revision to fetch, or null if the settings belong to the manifest. */
  get missingRevision(): number | null {
    return this.#manifest === null || this.#manifest.config <= this.#config.revision ? null : this.#manifest.config;
  }

  /** Take over a manifest asked for at `asOf` (this machine's clock, ms). An older state is ignored. */
  adopt(manifest: Manifest, asOf: number, share: Share | null, colo: ColoSize | null): void {
    if (this.#manifest !== null && isNewer(this.#manifest, manifest)) return;
    this.#manifest = manifest;
    this.#asOf = Math.max(this.#asOf, asOf);
    this.#share = share ?? { paceMs: manifest.flushAfterMs, isolates: 1 };
    this.#colo = colo;
  }

  /** What was adopted may be acted on. */
  announce(): void {
    for (const news of this.#waiting) news.resolve();
  }

  /** The revision of the settings known, −1 = the file's. */
  get revision(): number {
    return this.#config.revision;
  }

  adoptConfig(config: RoomConfig): void {
    if (config.revision <= this.#config.revision) return;
    // A Room one deploy behind does not know the newest settings: those keep the file's values.
    this.#config = { revision: config.revision, settings: { ...this.#file, ...config.settings } };
  }

  /**
   * Look into the colo's cache; whether it was newer shows in `seen`. Requests that come together share one look, each with a timer
   * of its own, and another is not taken for a while.
   */
  async readColo(now: number, gapMs = COLO_READ_GAP_MS): Promise<void> {
    const shared = this.#reading;
    if (shared !== null && now - shared.startedAt < gapMs && shared.startedAt - now <= CLOCK_BACK_MS) {
      await within(shared.done.promise, COLO_WAIT_MS, undefined);
      return;
    }
    const reading = { startedAt: now, done: signal<void>() };
    this.#reading = reading;
    const text = await within(this.#store.get(), COLO_WAIT_MS, null).catch(() => null);
    const kept = text === null ? null : readKept(text);
    if (kept !== null && kept.manifest.room === this.#room) {
      // Another machine's clock may be ahead of ours, as ours was before it was put back: by that the manifest must not look young.
      this.adopt(kept.manifest, kept.asOf - now > CLOCK_BACK_MS ? UNKNOWN : Math.min(now, kept.asOf), kept.share, kept.colo);
      if (kept.config !== null) this.adoptConfig(kept.config);
      this.announce();
    }
    reading.done.resolve();
  }

  /** Give the colo what this isolate knows. */
  async writeColo(now: number): Promise<void> {
    // Of an unknown age JSON makes null, which nobody reads: after a call that failed it would take the place of what others need.
    if (this.#manifest === null || this.#asOf === UNKNOWN || Math.abs(now - this.#putAt) < COLO_PUT_GAP_MS) return;
    this.#putAt = now;
    const config = this.#config.revision < 0 ? null : this.#config;
    const kept: Kept = { v: 1, asOf: this.#asOf, manifest: this.#manifest, share: this.#share, colo: this.#colo, config };
    await this.#store.put(JSON.stringify(kept));
  }
}

interface Kept {
  readonly v: 1;
  readonly asOf: number;
  readonly manifest: Manifest;
  readonly share: Share | null;
  readonly colo: ColoSize | null;
  readonly config: RoomConfig | null;
}

/** Only this Worker writes there; another version of it may have. */
function readKept(text: string): Kept | null {
  try {
    const kept = JSON.parse(text) as Partial<Kept> | null;
    if (kept?.v !== 1 || typeof kept.asOf !== "number" || !isNeighbour(kept.manifest?.v, MANIFEST_VERSION)) return null;
    const { asOf, manifest, share = null, colo = null, config = null } = kept as Kept;
    return { v: 1, asOf, manifest: readManifest(manifest), share, colo, config };
  } catch {
    return null;
  }
}
