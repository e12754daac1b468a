/**
 * What is allowed but should not be overlooked by whoever runs the room. Pure.
 */
import type { OperatorSettings, Warning } from "./admin";
import { lintBypassRules } from "./bypass-lint";
import { EVENT_OVERRIDES } from "./event-schema";
import { planWarnings } from "./plan-needs";
import { opensAtMs, stageAt } from "./schedule";
import type { RoomSettings } from "./settings-types";

/** The same settings in both spellings. */
interface Settings {
  readonly settings: RoomSettings;
  readonly operator: OperatorSettings;
}

/** @param now ms since the Unix epoch */
export function warningsOf({ settings, operator }: Settings, now: number): Warning[] {
  const draws = settings.events.filter(({ shuffle, cancelled, endMs }) => shuffle && cancelled === null && now < endMs);
  const open = draws.filter(({ overrides }) => (overrides.entry ?? settings.entry) === "open");
  const buyable = open.map(({ name }) => openDraw(name));
  const passable = settings.closedOutsideEvents ? [] : draws.filter((event) => now < opensAtMs(event));
  const passed = passable.map(({ name }) => ({
    setting: "closed_outside_events",
    warning: `is false: whoever is in line before the lobby of ${name} opens stands in front of its draw`,
  }));
  const shadow = settings.mode === "shadow" ? [{ setting: "mode", warning: "is shadow: nobody is held, whatever the numbers say" }] : [];
  return [
    ...shadow,
    ...lintBypassRules(settings),
    ...buyable,
    ...passed,
    ...planWarnings(settings, now),
    ...coveredSettings(settings, operator, now),
  ];
}

/** A draw that anybody may enter. */
export function openDraw(event: string): Warning {
  return {
    setting: `events.${event}.shuffle_at_event_start`,
    warning:
      "deals places to whoever enters, and anybody may: each entry is a chance, so somebody with many addresses or browsers can buy this draw",
  };
}

/** An operator in a hurry changes the room's numbers, and the event that is on has its own. */
function coveredSettings(settings: RoomSettings, operator: OperatorSettings, now: number): Warning[] {
  const stage = stageAt(settings, now);
  if (stage.in !== "lobby" && stage.in !== "event") return [];
  const { name } = stage.event;
  const event = (operator["events"] as OperatorSettings[]).find((each) => each["name"] === name) ?? {};
  const own = EVENT_OVERRIDES.filter((setting) => Object.hasOwn(event, setting));
  const warning = `is on and sets its own ${own.join(", ")}: to change these now, change the event`;
  return own.length === 0 ? [] : [{ setting: `events.${name}`, warning }];
}
