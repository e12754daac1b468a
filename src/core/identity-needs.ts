/** Where a room asks for a log-in whose key only IDENTITY_KEYS can hold. Pure; knows nothing of the keys themselves. */
import type { RoomSettings } from "./settings-types";

/** Names of the settings that need a key of the room in IDENTITY_KEYS; events that were called off need none. */
export function needSharedKey(settings: RoomSettings): string[] {
  const changing = settings.events.filter(({ cancelled, overrides }) => cancelled === null && (overrides.entry ?? overrides.identity));
  const events = changing.map(({ name, overrides }) => ({ name: `events.${name}.entry`, at: { ...settings, ...overrides } }));
  const needy = [{ name: "entry", at: settings }, ...events].filter(({ at }) => at.entry === "identified" && at.identity.jwksUrl === null);
  return needy.map(({ name }) => name);
}
