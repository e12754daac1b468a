/** Numbers, times and states as an operator reads them. Pure: no clock, no DOM. */

import type { Delivery, WebhookState } from "../../src/core/news";
import type { Preset } from "../../src/core/presets-schema";
import type { RoomStats } from "../../src/core/stats";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export function count(value: number): string {
  return whole.format(value);
}

/** With a digit after the point where there is one. */
export function amount(value: number): string {
  return fine.format(value);
}

/** A wait; null = nobody is let in. */
export function wait(minutes: number | null): string {
  if (minutes === null) return "not moving";
  if (minutes === 0) return "none";
  if (minutes < 1) return "< 1 min";
  const rounded = Math.ceil(minutes);
  if (rounded < 90) return `${rounded} min`;
  if (rounded < 2_880) return `${Math.floor(rounded / 60)} h ${rounded % 60} min`;
  return `${fine.format(rounded / 1_440)} days`;
}

export function span(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 5_400) return `${Math.floor(s / 60)} min${s < 600 && s % 60 > 0 ? ` ${s % 60} s` : ""}`;
  if (s < 172_800) return `${Math.floor(s / 3_600)} h ${Math.floor((s % 3_600) / 60)} min`;
  return `${Math.floor(s / 86_400)} days`;
}

/** How old the numbers are: beyond ten seconds they are not to be trusted. */
const STALE_S = 10;

export function age(seconds: number): { readonly text: string; readonly isStale: boolean } {
  return { text: seconds < 2 ? "live" : `${span(seconds)} old`, isStale: seconds > STALE_S };
}

export type Tone = "good" | "warn" | "bad" | "quiet";
export interface Badge {
  readonly word: string;
  readonly tone: Tone;
}

const PHASES: Readonly<Record<string, Badge>> = {
  open: { word: "Open", tone: "good" },
  paused: { word: "Paused", tone: "bad" },
  ended: { word: "Sold out", tone: "quiet" },
  off: { word: "Off", tone: "quiet" },
  closed: { word: "Closed", tone: "quiet" },
  lobby: { word: "Lobby", tone: "warn" },
  drawing: { word: "Drawing", tone: "warn" },
};

export function badge(stats: Pick<RoomStats, "phase" | "slowed_down">): Badge {
  if (stats.phase === "open" && stats.slowed_down !== null) return { word: "Slowed down", tone: "warn" };
  return PHASES[stats.phase] ?? { word: stats.phase, tone: "quiet" };
}

/** The capacity in force. A Room of the version before tells only what is set. */
export function capacityOf({ capacity, total_active_users: set }: Partial<RoomStats>): number {
  return capacity ?? set ?? 0;
}

/** People who would lose their places: who has entered a draw has none yet, and loses as much. */
export function inLine({ waiting, draw }: Pick<RoomStats, "waiting" | "draw">): number {
  return waiting + (draw?.state === "collecting" ? draw.entries : 0);
}

/** Rate or capacity on its way, with where it is; "" = nothing is, or the Room is of the version before. */
export function rampLine({ ramp, now, rate_per_minute: rate, capacity }: RoomStats): string {
  if (!ramp) return "";
  const { new_users_per_minute: rates, total_active_users: places, until } = ramp;
  const way = (name: string, of: typeof rates, is: number) =>
    of === null ? [] : [`${name} ${amount(of.from)} → ${amount(of.to)}, now ${amount(is)}`];
  const left = span((Date.parse(until) - Date.parse(now)) / 1_000);
  return `In steps: ${[...way("rate", rates, rate), ...way("capacity", places, capacity)].join("; ")}; ${left} to go.`;
}

/** What a preset sets. */
export function presetLine({ new_users_per_minute: rate, total_active_users: places }: Omit<Preset, "name">): string {
  const parts = [rate === undefined ? [] : [`rate ${amount(rate)}`], places === undefined ? [] : [`capacity ${count(places)}`]];
  return parts.flat().join(", ");
}

const DELIVERIES: Readonly<Record<Delivery["as"], string>> = {
  delivered: "it arrived",
  refused: "it was refused",
  silent: "no answer in time",
  unreachable: "no connection",
  forbidden: "its address may not be called",
};

/** What became of a webhook's message. */
export function delivery({ result, status }: Pick<NonNullable<WebhookState["last"]>, "result" | "status">): string {
  return `${DELIVERIES[result]}${status === null ? "" : ` (${status})`}`;
}

/** Time of day by this computer's clock, with the date where it is another day than `now`. */
export function when(iso: string, now: number): string {
  const at = new Date(iso);
  const time = at.toLocaleTimeString("en-GB");
  return at.toDateString() === new Date(now).toDateString() ? time : `${at.toLocaleDateString("en-GB")} ${time}`;
}

/** A setting's value in a sentence. */
export function value(given: unknown): string {
  if (typeof given === "number") return amount(given);
  if (given === null || given === undefined) return "none";
  if (given === "") return "nothing";
  if (typeof given === "boolean") return given ? "on" : "off";
  const text = typeof given === "string" ? `“${given}”` : JSON.stringify(given);
  return text.length > 90 ? `${text.slice(0, 88)}…` : text;
}
