/** Keeps the screen on. The browser lets go of that whenever the page is hidden: it is asked for again when the page is seen. */
import type { Way } from "../alerts";

export function screen(): Way | null {
  if (!("wakeLock" in navigator)) return null;
  let wanted = false;
  let lock: WakeLockSentinel | null = null;

  async function hold(): Promise<void> {
    const held = await navigator.wakeLock.request("screen");
    if (wanted) lock = held;
    else await held.release();
  }
  document.addEventListener("visibilitychange", () => {
    if (wanted && document.visibilityState === "visible") hold().catch(() => undefined);
  });

  return {
    async begin() {
      wanted = true;
      try {
        await hold();
        return true;
      } catch {
        wanted = false;
        return false;
      }
    },
    end() {
      wanted = false;
      void lock?.release();
      lock = null;
    },
    call() {},
    rest() {},
  };
}
