/**
 * What a site may say about the visit that a reply belongs to, by a response header. Pure: header text in, command out.
 * `Cf-Waiting-Room-Command` is Cloudflare Waiting Room's, whose only command is `revoke`; `Vestibule-Command` is ours.
 */
import type { OriginCommand } from "./settings-types";

/** The words of `enabled_origin_commands`; `revoke` is Cloudflare's. */
export const ORIGIN_COMMANDS = ["revoke", "release", "extend", "done"] as const satisfies readonly OriginCommand[];

/** What is to be done. `release`: the place is given up, and the visitor is a newcomer. `done`: the visit is over, and told to be. */
export type Obeyed = "done" | "release" | "extend";

export const CF_COMMAND_HEADER = "cf-waiting-room-command";
const COMMAND_HEADER = "vestibule-command";

const NONE: readonly OriginCommand[] = [];

/** Commands of a header, in any case; what is not known says nothing. */
function wordsOf(text: string | null): string[] {
  return (text ?? "").split(",").map((word) => word.trim().toLowerCase());
}

/** Told by Cloudflare of a reply that the site did not make for this request. */
const FROM_CACHE = /^(?:hit|stale|updating|revalidated)$/i;

/**
 * Every command that a reply of the site carries, whether or not it is enabled. A reply out of a cache was made for somebody else, and would
 * end the visits of everybody who gets it.
 */
export function commandsIn(headers: Headers): readonly OriginCommand[] {
  if (!headers.has(CF_COMMAND_HEADER) && !headers.has(COMMAND_HEADER)) return NONE;
  if (FROM_CACHE.test(headers.get("CF-Cache-Status") ?? "") || Number(headers.get("Age") ?? 0) !== 0) return [];
  const [cf, own] = [CF_COMMAND_HEADER, COMMAND_HEADER].map((name) => wordsOf(headers.get(name)));
  return ORIGIN_COMMANDS.filter((command) => (command === "revoke" ? cf : own)?.includes(command));
}

/** What to do of several: what ends most. null = nothing. */
export function toObey(said: readonly OriginCommand[], enabled: readonly OriginCommand[]): Obeyed | null {
  const obeyed = said.filter((command) => enabled.includes(command));
  if (obeyed.includes("done")) return "done";
  if (obeyed.includes("release") || obeyed.includes("revoke")) return "release";
  return obeyed.includes("extend") ? "extend" : null;
}
