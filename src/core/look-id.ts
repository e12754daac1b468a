/**
 * A name for everything of the page that follows from the room's settings, so that an open page notices when it has changed. Pure; remembers
 * the name of settings that it has seen.
 */
import type { RoomSettings } from "./settings-types";

type Seen = Pick<RoomSettings, "title" | "words" | "positionDisplay" | "look">;

interface Id {
  readonly look?: string;
}

const known = new WeakMap<Seen, Id>();

/** Nothing where the page is ours in every way: most rooms have nothing to tell of it. */
export function lookId(settings: Seen): Id {
  const seen = known.get(settings);
  if (seen !== undefined) return seen;
  const id = idOf(settings);
  known.set(settings, id);
  return id;
}

function idOf({ title, words, positionDisplay, look }: Seen): Id {
  const isOurs =
    title === "" &&
    positionDisplay === "exact" &&
    Object.keys(words).length === 0 &&
    Object.values(look).every((value) => value === null || value === "auto" || value.length === 0);
  return isOurs ? {} : { look: fnv(JSON.stringify([title, words, positionDisplay, look])) };
}

/** FNV-1a, 32 bits, hex: names what differs, and has no one to keep out. */
function fnv(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
