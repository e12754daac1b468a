/**
 * The other tabs of a room in this browser: what one is told, the others need not ask. Whoever's time to ask comes first does it for all, so
 * nobody has to be elected, a tab that sleeps is stood in for, and one that dies is not missed. A page in another language asks for itself, since
 * the operator's message is another one there, and hears only that the place was given up: no answer that goes on would tell it.
 */
import type { Status } from "../../src/core/status";

export interface Tabs {
  tell(status: Status): void;
}

interface Told {
  readonly lang: string;
  readonly status: Status;
}

const ALONE: Tabs = { tell: () => undefined };

/** Where the browser has no such thing, or allows none, every tab is alone and asks for itself. */
export function otherTabs(room: string, lang: string, heard: (status: Status) => void): Tabs {
  try {
    const channel = new BroadcastChannel(`vestibule.${room}`);
    channel.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.lang === lang) heard(data.status);
      else if (data.status.reason === "left") heard({ ...data.status, message: "" });
    };
    return { tell: (status) => channel.postMessage({ lang, status } satisfies Told) };
  } catch {
    return ALONE;
  }
}

/**
 * Is `told`, which another tab was told, news for a tab that knows `known`? Of the same place alone, and never of before: a tab that slept
 * gets all at once what it missed. That the place was given up is news whenever it was. Whoever is called waits no more: an isolate that
 * says so does not know it yet, and if the line began anew, one's own question tells.
 */
export function isNews(told: Status, known: Status): boolean {
  if (told.reason === "left") return true;
  if (told.state === "waiting" && known.state === "called") return false;
  return told.now >= known.now && told.slot === known.slot && told.draw?.entry === known.draw?.entry;
}
