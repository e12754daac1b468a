/** Where a room asks for Turnstile, which needs TURNSTILE_SECRET. Pure; knows nothing of the secret itself. */
import type { RoomSettings } from "./settings-types";

/** Names of the settings that need it; events that were called off need none. */
export function needTurnstileSecret(settings: Pick<RoomSettings, "challenge" | "events">): string[] {
  const changing = settings.events.filter(({ cancelled, overrides }) => cancelled === null && overrides.challenge !== undefined);
  const events = changing.map(({ name, overrides }) => ({ name: `events.${name}.challenge`, challenge: overrides.challenge }));
  return [{ name: "challenge", challenge: settings.challenge }, ...events]
    .filter(({ challenge }) => challenge === "turnstile")
    .map(({ name }) => name);
}
