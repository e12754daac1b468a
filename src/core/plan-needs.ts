/**
 * Is the account's plan enough for the visitors whom an operator expects? Arithmetic with what Cloudflare's Free plan includes and what the
 * model of docs/cost.md counts; the plan itself is known only as far as somebody has said it. Pure.
 */
import type { Warning } from "./admin";
import type { RoomSettings } from "./settings-types";

/** Requests to Workers of an account on Workers Free, in a day that begins at midnight UTC. */
export const FREE_REQUESTS_A_DAY = 100_000;
/** Of somebody who waits an hour, from the first page to the one that goes in, and one for a connection that is cut; nothing that is done inside. */
export const REQUESTS_A_VISITOR = 7;

/** Rooms and events whose visitors are more than the plan carries, or than it would if it is the free one. */
export function planWarnings(settings: RoomSettings, now: number): Warning[] {
  if (settings.workersPlan === "paid") return [];
  const coming = settings.events.filter(({ cancelled, endMs }) => cancelled === null && now < endMs);
  const expected = [
    { setting: "expected_visitors", visitors: settings.expectedVisitors },
    ...coming.map(({ name, overrides }) => ({
      setting: `events.${name}.expected_visitors`,
      visitors: overrides.expectedVisitors ?? 0,
    })),
  ];
  const tooMany = expected.filter(({ visitors }) => visitors * REQUESTS_A_VISITOR > FREE_REQUESTS_A_DAY);
  return tooMany.map(({ setting, visitors }) => ({ setting, warning: words(visitors, settings.workersPlan === "free") }));
}

function words(visitors: number, isFree: boolean): string {
  const needs = `is ${count(visitors)}: some ${count(visitors * REQUESTS_A_VISITOR)} requests before anybody is inside, and Workers Free ends at ${count(FREE_REQUESTS_A_DAY)} a day`;
  return isFree
    ? `${needs}: on this plan the line will be gone in the middle of the sale; take Workers Paid`
    : `${needs}: this needs Workers Paid; if the account is on it, say so with workers_plan = "paid"`;
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}
