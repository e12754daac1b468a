/** The room's numbers under Cloudflare's names. */
import { expect, test } from "vitest";
import { cfStatus } from "../../src/core/cf-status";
import type { Stats } from "../../src/core/stats";

const QUIET = {
  phase: "open",
  waiting: 0,
  called: 0,
  returning: 0,
  inside: 7,
  entered_last_minute: 0,
  new_users_per_minute: 60,
  event: null,
  draw: null,
};
const of = (over: Record<string, unknown> = {}, suspended = false) => cfStatus({ ...QUIET, ...over } as unknown as Stats, suspended);
const event = { name: "drop", stage: "lobby", starts_at: "", ends_at: "" };

test("[CF-4] has Cloudflare's five fields, of their types, from what the Room counts", () => {
  expect(of({ waiting: 100, called: 3, returning: 2, entered_last_minute: 20 })).toEqual({
    status: "queueing",
    event_id: "",
    estimated_queued_users: 105,
    estimated_total_active_users: 7,
    max_estimated_time_minutes: 6,
  });
  expect(of()).toMatchObject({ status: "not_queueing", estimated_queued_users: 0, max_estimated_time_minutes: 0 });
});

test("[CF-4] the pace is the last minute's, else the set rate; where nobody goes in there is no estimate", () => {
  expect(of({ waiting: 61 }).max_estimated_time_minutes).toBe(2);
  expect(of({ waiting: 61, new_users_per_minute: 0, phase: "paused" })).toMatchObject({
    max_estimated_time_minutes: 0,
    status: "queueing",
  });
});

test("[CF-4] tells a lobby with its entries, an event, one called off, and a room that is off", () => {
  const draw = { state: "collecting", entries: 900 };
  expect(of({ phase: "lobby", event, draw })).toMatchObject({ status: "event_prequeueing", event_id: "drop", estimated_queued_users: 900 });
  expect(of({ phase: "drawing", event, draw: { ...draw, state: "drawing" }, waiting: 900 })).toMatchObject({
    status: "queueing",
    estimated_queued_users: 900,
  });
  expect(of({ event: { ...event, stage: "event" } })).toMatchObject({ status: "not_queueing", event_id: "drop" });
  expect(of({ event: { ...event, stage: "cancelled" } }).event_id).toBe("");
  expect([of({ phase: "off" }, true).status, of({ phase: "off" }).status]).toEqual(["suspended", "not_queueing"]);
  for (const phase of ["paused", "closed", "ended"]) expect(of({ phase }).status).toBe("queueing");
});
