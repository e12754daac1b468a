/**
 * What this isolate knows of a room's draws. A draw that is drawn never changes, so it is asked for once, and the pages of its list are kept
 * in the colo; everything else is asked for at most once a second. All of it within budgets: records are public, and calls to the Room must
 * not grow with requests (P12).
 */
import type { DrawRecord, DroppedDraw, PendingDraw } from "../core/draw";
import { keepNewest as keep } from "../core/keep-newest";
import type { RoomRpc } from "../core/room-rpc";
import { Budget } from "./budget";
import type { ColoStore } from "./colo-store";
import { type Lifetime, within } from "./wait";

/** null = the Room has no such draw. "unknown" = the Room was not asked, or did not answer. */
export type FoundDraw = DrawRecord | PendingDraw | DroppedDraw | null | "unknown";
export type AskRoom = <T>(run: (room: RoomRpc) => Promise<T>) => Promise<T>;

const DRAWN_MAX = 64;
const NEWS_MAX = 64;
const NEWS_MS = 1_000;
/** Pages are up to 600 KB. */
const PAGES_MAX = 4;
/** A colo cache slower than this is no help, ms. */
const COLO_WAIT_MS = 500;
/** Calls a second, and at once; for signed entries, for anybody and for lists apart, so that nobody can use up the others'. */
const CALLS_PER_S = 5;
const CALLS_MAX = 10;
/** A page of a list costs the Room several times what a record does. */
const LIST_CALLS_PER_S = 1;
const LIST_CALLS_MAX = 5;

interface News {
  readonly at: number;
  readonly found: DrawRecord | PendingDraw | DroppedDraw | null;
}

/** Who asks: somebody with a token of ours, or anybody. */
export type AskedBy = "token" | "public";

export function isDrawn(found: FoundDraw): found is DrawRecord {
  return found !== null && found !== "unknown" && !("pending" in found) && !("dropped" in found);
}

export class DrawBook {
  readonly #ask: AskRoom;
  readonly #drawn = new Map<number, DrawRecord>();
  /** Apart: that there is no such draw ends an entry only if it was asked for by one, and so after the draw had been opened. */
  readonly #news = { token: new Map<number | "latest", News>(), public: new Map<number | "latest", News>() };
  readonly #pages = new Map<string, string>();
  readonly #lists: (page: string) => ColoStore;
  readonly #budgets = {
    token: new Budget(CALLS_MAX, CALLS_PER_S),
    public: new Budget(CALLS_MAX, CALLS_PER_S),
    list: new Budget(LIST_CALLS_MAX, LIST_CALLS_PER_S),
  };

  /** @param lists where the colo keeps a page of a finished draw's list */
  constructor(ask: AskRoom, lists: (page: string) => ColoStore) {
    this.#ask = ask;
    this.#lists = lists;
  }

  /** Never rejects. @param now ms since the Unix epoch */
  async find(id: number | "latest", now: number, by: AskedBy): Promise<FoundDraw> {
    const drawn = id === "latest" ? undefined : this.#drawn.get(id);
    if (drawn !== undefined) return drawn;
    const news = this.#news[by].get(id);
    if (news !== undefined && now - news.at < NEWS_MS) return news.found;
    const found = await this.#call(now, by, (room) => room.draw(id));
    if (found === "unknown") return found;
    if (isDrawn(found)) keep(this.#drawn, found.id, found, DRAWN_MAX);
    keep(this.#news[by], id, { at: now, found }, NEWS_MAX);
    return found;
  }

  /**
   * A page of a draw's public list, lines `first digest` from the entry `from` on; empty = no more, null = not now. Never rejects.
   * @param now ms since the Unix epoch
   */
  async list(draw: DrawRecord | PendingDraw | DroppedDraw, from: number, now: number, life: Lifetime): Promise<string | null> {
    if (!isDrawn(draw)) return this.#askList(draw.id, from, now);
    if (from >= draw.count) return "";
    // The hash tells draws apart even where a room has been set up anew under the same name.
    const name = `${draw.entriesHash}/${from}`;
    const store = this.#lists(name);
    const kept = this.#pages.get(name) ?? (await within(store.get(), COLO_WAIT_MS, null).catch(() => null));
    const page = kept ?? (await this.#askList(draw.id, from, now));
    if (page === null) return null;
    keep(this.#pages, name, page, PAGES_MAX);
    if (kept === null) life.waitUntil(store.put(page).catch(() => undefined));
    return page;
  }

  async #askList(id: number, from: number, now: number): Promise<string | null> {
    const batches = await this.#call(now, "list", (room) => room.drawBatches(id, from));
    return batches === "unknown" ? null : batches.map(({ first, digest }) => `${first} ${digest}\n`).join("");
  }

  async #call<T>(now: number, by: AskedBy | "list", run: (room: RoomRpc) => Promise<T>): Promise<T | "unknown"> {
    if (!this.#budgets[by].take(now)) return "unknown";
    try {
      return await this.#ask(run);
    } catch {
      return "unknown";
    }
  }
}
