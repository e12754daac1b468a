/**
 * What a page has of before: the own way, remembered over a reload of this tab, and whether it is itself an old one.
 * Blocked or full storage costs only the progress bar's memory.
 */
import type { Way } from "./own-way";

const key = (room: string) => `vestibule.${room}`;

/** What this tab knew before the reload; null when storage is blocked or empty. */
export function recall(room: string): Way | null {
  try {
    return JSON.parse(sessionStorage.getItem(key(room)) ?? "null") as Way | null;
  } catch {
    return null;
  }
}

export function remember(room: string, way: Way | null): void {
  try {
    sessionStorage.setItem(key(room), JSON.stringify(way));
  } catch {
    // Nothing depends on it.
  }
}

/** A page out of some cache shows an old state: ask at once (C65, T8). */
export function isFromStore(): boolean {
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return load?.type === "back_forward" || load?.transferSize === 0 || Boolean(navigator.serviceWorker?.controller);
}
