/**
 * The colo's cache as places that may each hold one text for a while. Any failure means "nothing there": `workerd serve`
 * has no cache, workers.dev ignores it (DESIGN §6).
 */
import { MANIFEST_KEEP_MS } from "../core/manifest";

export interface ColoStore {
  /** null = nothing there, or no cache. Never rejects. */
  get(): Promise<string | null>;
  /** Never rejects. */
  put(text: string): Promise<void>;
}

export const noColoStore: ColoStore = { get: async () => null, put: async () => undefined };

/** Longer than anybody is put down ahead, ms. */
const TURNS_KEEP_MS = 60_000;
/** A list and a file never change; what nobody asks for makes room for others, ms. */
const LIST_KEEP_MS = 86_400_000;

/** Where this colo keeps the room's manifest. */
export function coloStore(host: string, room: string): ColoStore {
  return storeAt(host, room, "manifest", MANIFEST_KEEP_MS);
}

/** Where its isolates put down who calls the Room when. */
export function coloTurns(host: string, room: string): ColoStore {
  return storeAt(host, room, "turns", TURNS_KEEP_MS);
}

/** Where it keeps a page of a finished draw's list of entries. @param page names draw and page for ever */
export function coloLists(host: string, room: string): (page: string) => ColoStore {
  return (page) => storeAt(host, room, `lists/${page}`, LIST_KEEP_MS);
}

/** Where it keeps a file of the waiting page. @param name says what is in it for ever */
export function coloFiles(host: string, room: string): (name: string) => ColoStore {
  return (name) => storeAt(host, room, `files/${name}`, LIST_KEEP_MS);
}

/**
 * A store under the site's own host, as the cache requires. The path is one of ours, which is never proxied, so no origin can write it;
 * it holds no visitor's data.
 */
function storeAt(host: string, room: string, name: string, keepMs: number): ColoStore {
  const key = `https://${host}/__vestibule/-/rooms/${encodeURIComponent(room)}/${name}`;
  return {
    async get() {
      try {
        const found = await caches.default.match(key);
        return found === undefined ? null : await found.text();
      } catch {
        return null;
      }
    },
    async put(text) {
      try {
        const headers = { "Cache-Control": `public, max-age=${keepMs / 1_000}`, "Content-Type": "text/plain; charset=utf-8" };
        await caches.default.put(key, new Response(text, { headers }));
      } catch {
        // No cache: every isolate asks for itself.
      }
    },
  };
}
