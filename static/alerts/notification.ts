/**
 * A notification of the desktop. Not on phones: their browsers want a service worker for it, and one of ours has no place on somebody
 * else's site. Asked for by a press only.
 */
import type { Way } from "../alerts";

export function notification(): Way | null {
  if (!("Notification" in globalThis) || matchMedia("(pointer: coarse)").matches) return null;
  let shown: Notification | null = null;
  const rest = () => {
    shown?.close();
    shown = null;
  };
  return {
    begin: async () => (await Notification.requestPermission()) === "granted",
    end: rest,
    call(text) {
      if (document.hasFocus()) return;
      rest();
      try {
        shown = new Notification(text, { body: location.host });
        shown.onclick = () => globalThis.focus();
      } catch {
        // Some browsers have the name and not the thing.
      }
    },
    rest,
  };
}
