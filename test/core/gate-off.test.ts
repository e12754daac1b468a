/** A room that is off until a sale, whose Room cannot be reached when it opens: the gate with a client on a clock of its own. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { canonicalUrl } from "../../src/core/canonical-url";
import type { RoomRpc } from "../../src/core/room-rpc";
import { parseRoom } from "../../src/core/settings";
import type { Config } from "../../src/env";
import { answerVisit } from "../../src/gate/carry-out";
import { visitOf } from "../../src/gate/visit";
import { importKeyRing } from "../../src/keys";
import { RoomClient } from "../../src/room-client";
import { manifestWith } from "../support/manifest";
import { TEST_KEYS } from "../support/worker";

const NOW = 1_790_000_000_000;
const iso = (at: number) => new Date(at).toISOString().replace(".000", "");
const parsed = parseRoom("r", {
  ...{ host: "shop.test", total_active_users: 100, new_users_per_minute: 60, queueing_method: "passthrough" },
  events: [
    {
      ...{ name: "sale", prequeue_start_time: iso(NOW + 60_000), event_start_time: iso(NOW + 120_000), event_end_time: iso(NOW + 600_000) },
      queueing_method: "fifo",
    },
  ],
});
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const { settings } = parsed;

const off = manifestWith({ at: NOW, phase: "off", admittedEpoch: 0, tail: 0, horizon: 0, admittedPerMinute: 0, epochPerMinute: 0 });

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("[GATE-19][P8] a warm isolate forwards everybody while its schedule says off, and nobody once the lobby has opened", async () => {
  let isReachable = true;
  const room = {
    exchange: async () => {
      if (!isReachable) throw Object.assign(new Error("told to fail"), { remote: true });
      return { v: 1, manifest: { ...off, at: Date.now() }, joins: [], claims: [], renewals: [], leaves: [], lease: null };
    },
    config: async () => ({ revision: 1, settings }),
  } as unknown as RoomRpc;
  const colo = { get: async () => null, put: async () => undefined };
  const client = new RoomClient({ room: "r", file: settings, stubOf: () => room, colo, turns: colo, lists: () => colo, random: () => 0.5 });
  const ring = await importKeyRing(TEST_KEYS);
  if (!ring.ok) throw new Error(ring.problem);
  const config = { keys: ring.ring, origin: null, identityKeys: new Map() } as unknown as Config;
  const site = vi.fn(async () => new Response("the site"));
  vi.stubGlobal("fetch", site);
  const visit = async (at: number, headers: Record<string, string> = {}) => {
    vi.setSystemTime(NOW + at);
    const request = new Request("https://shop.test/", { headers: { Accept: "text/html", "Sec-Fetch-Dest": "document", ...headers } });
    const url = canonicalUrl(request.url);
    if (url === null) throw new Error(request.url);
    const reply = answerVisit(visitOf({ request, url, config, room: "r", client, life: { waitUntil: () => undefined } }));
    await vi.advanceTimersByTimeAsync(5_000);
    return { status: (await reply).status, text: await (await reply).text() };
  };

  expect(await visit(0)).toEqual({ status: 200, text: "the site" });
  isReachable = false;
  expect(await visit(30_000)).toEqual({ status: 200, text: "the site" });
  expect(site).toHaveBeenCalledTimes(2);
  const met = await visit(60_000);
  expect(met.status).toBe(503);
  expect(met.text).toContain("We can’t reach the line right now");
  expect(site).toHaveBeenCalledTimes(2);
});
