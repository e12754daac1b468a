/** Scheduled sales as an operator reads them, and times as the API wants them. Pure. */
import type { RoomStats } from "../../src/core/stats";
import { count, span } from "./words";

export interface Sale {
  readonly name: string;
  readonly prequeue_start_time: string | null;
  readonly event_start_time: string;
  readonly event_end_time: string;
  readonly shuffle_at_event_start: boolean;
  readonly cancelled: string | null;
  readonly suspended: boolean;
}

export type Stage = "planned" | "lobby" | "on" | "over" | "cancelled" | "suspended";

export function stageOf(sale: Sale, nowMs: number): Stage {
  if (sale.cancelled !== null) return "cancelled";
  if (sale.suspended) return "suspended";
  const at = (iso: string) => Date.parse(iso);
  if (at(sale.event_end_time) <= nowMs) return "over";
  if (at(sale.event_start_time) <= nowMs) return "on";
  return sale.prequeue_start_time !== null && at(sale.prequeue_start_time) <= nowMs ? "lobby" : "planned";
}

export function countdown(sale: Sale, nowMs: number): string {
  const left = (iso: string) => span((Date.parse(iso) - nowMs) / 1_000);
  switch (stageOf(sale, nowMs)) {
    case "planned":
      return sale.prequeue_start_time === null
        ? `starts in ${left(sale.event_start_time)}`
        : `lobby opens in ${left(sale.prequeue_start_time)}`;
    case "lobby":
      return `lobby is open; doors open in ${left(sale.event_start_time)}`;
    case "on":
      return `on; ends in ${left(sale.event_end_time)}`;
    case "over":
      return "over";
    case "cancelled":
      return "called off";
    case "suspended":
      return "off";
  }
}

/** An instant by the clock that is so far ahead of UTC, as the API wants it: `2026-12-04T10:00:00+01:00`. */
export function withOffset(at: number, offsetMinutes: number): string {
  const local = new Date(at + 60_000 * offsetMinutes).toISOString().slice(0, 19);
  const sign = offsetMinutes < 0 ? "-" : "+";
  const two = (n: number) => String(Math.trunc(Math.abs(n))).padStart(2, "0");
  return `${local}${sign}${two(offsetMinutes / 60)}:${two(offsetMinutes % 60)}`;
}

/** What the operator should know of a draw, by name. */
export function drawRows(draw: NonNullable<RoomStats["draw"]>): (readonly [string, string])[] {
  const share = draw.busiest_networks_share;
  return [
    ["Entries", count(draw.entries)],
    [
      "State",
      draw.state === "collecting" ? "collecting entries" : draw.round === null ? "being drawn" : `waits for round ${draw.round} of drand`,
    ],
    ["Commitment", draw.commitment],
    ["Networks", draw.networks === null ? "not known" : count(draw.networks)],
    ["From the busiest 1 % of networks", share === null ? "not known" : `${Math.round(100 * share)} % of the entries`],
    ["Not seen since they entered", draw.unseen_entries === null ? "not known yet" : count(draw.unseen_entries)],
    ...(draw.ladder === null
      ? []
      : ([["Entries due a price", draw.ladder.steps.map((n, cost) => `${cost}: ${count(n)}`).join(", ")]] as const)),
  ];
}
