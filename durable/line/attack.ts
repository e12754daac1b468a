/**
 * "Under attack": every newcomer is asked for proof, and everybody for one step more. Switched by the operator, or by the number of attempts
 * to join. Pure. Kept through resets: it is about the world outside, not about the line.
 */
import type { RoomSettings } from "../../src/core/settings-types";
import { lastMinute } from "./advance";
import type { LineState } from "./state";

/** It comes down by itself once attempts have been below half of the threshold for this long, ms. */
export const QUIET_FOR_MS = 5 * 60_000;
/** How long the operator's word holds against the threshold, ms. */
export const CALM_HOLDS_MS = 15 * 60_000;

export function isUnderAttack({ counters }: LineState): boolean {
  return counters.attack.by !== null;
}

/** After each batch of joins: raise it if there were too many attempts. */
export function watchAttempts(line: LineState, settings: RoomSettings): void {
  const { counters } = line;
  const { now, attack } = counters;
  const threshold = settings.underAttackJoinsPerMinute;
  if (threshold === 0 || settings.challenge === "off") return;
  const { attempts } = lastMinute(line);
  if (2 * attempts < threshold) return;
  const isRaised = attempts > threshold && attack.by === null && now >= attack.calmUntilMs;
  counters.attack = { ...attack, busyAtMs: now, ...(isRaised ? { by: "threshold", sinceMs: now } : {}) };
}

/** With time: what the threshold has raised comes down again, at the same time however late the Room looks. */
export function calmDown(line: LineState, settings: RoomSettings): void {
  const { counters } = line;
  const { attack, now } = counters;
  if (attack.by !== "threshold") return;
  const isOff = settings.underAttackJoinsPerMinute === 0 || settings.challenge === "off";
  if (isOff || now - attack.busyAtMs >= QUIET_FOR_MS) {
    counters.attack = { ...attack, by: null, sinceMs: isOff ? now : attack.busyAtMs + QUIET_FOR_MS };
  }
}

/** The operator's switch; it holds until the operator says `calm`. Returns whether it changes anything. */
export function setUnderAttack({ counters }: LineState): boolean {
  const { attack, now } = counters;
  if (attack.by === "operator") return false;
  counters.attack = { ...attack, by: "operator", sinceMs: attack.by === null ? now : attack.sinceMs, calmUntilMs: 0 };
  return true;
}

/** Calm again, and for `CALM_HOLDS_MS` whatever comes. Returns whether it changes anything. */
export function setCalm({ counters }: LineState): boolean {
  const { attack, now } = counters;
  counters.attack = { ...attack, by: null, sinceMs: attack.by === null ? attack.sinceMs : now, calmUntilMs: now + CALM_HOLDS_MS };
  return attack.by !== null;
}
