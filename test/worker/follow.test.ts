/** A status that goes on, over HTTP: who gets one, what it tells and when it ends, and what it costs the Room. */
import { afterAll, beforeAll, describe, type ExpectStatic, test } from "vitest";
import { decodeSightings } from "../../src/core/exchange";
import type { Status } from "../../src/core/status";
import { Follower } from "../support/events";
import { type Rig, type RigRoom, startRig } from "../support/gate-rig";

const EVENTS = { Accept: "text/event-stream, application/json" };

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    settings: { poll_near_seconds: 1, poll_far_seconds: 1, cors_origins: ["https://app.test"] },
  });
});
afterAll(() => rig.stop());

const ask = (room: RigRoom, cookies: { place?: string; pass?: string }, headers = {}) =>
  room.fetch(`${room.api}/status`, { cookies, headers: { ...EVENTS, ...headers } });

async function follow(expect: ExpectStatic, room: RigRoom, slot: number): Promise<Follower> {
  const response = await ask(room, { place: await room.ticket({ slot }) });
  expect(response.headers.get("Content-Type")).toBe("text/event-stream");
  const follower = new Follower(response);
  await expect.poll(() => follower.events.length).toBeGreaterThan(0);
  return follower;
}

/** Each with a room of its own; what they do is wait. */
describe.concurrent("a status that goes on", () => {
  describe("who gets one", () => {
    test("[STREAM-1] [P10] whoever waits and asks for events: the status at once, in a reply that nothing keeps", async ({ expect }) => {
      const room = rig.room();
      const place = await room.ticket({
        slot: 700,
        iat: Math.floor(Date.now() / 1_000) - 50_000,
        exp: Math.floor(Date.now() / 1_000) + 30_000,
      });
      const plain = await room.fetch(`${room.api}/status`, { cookies: { place } });
      expect(plain.headers.get("Content-Type")).toBe("application/json");
      const json = (await plain.json()) as Status;
      const response = await ask(room, { place }, { Origin: "https://app.test" });
      expect(response.headers.get("Content-Type")).toBe("text/event-stream");
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe("https://app.test");
      expect(response.headers.getSetCookie().join()).toContain(`vestibule.${room.name}=`);
      const follower = new Follower(response);
      await expect.poll(() => follower.events.length).toBeGreaterThan(0);
      expect(follower.events[0]).toEqual({ name: "status", status: { ...json, now: expect.any(Number) } });
      await follower.stop();
    });

    test("[STREAM-1] an app with a token of its own hears of the new one in the first event", async ({ expect }) => {
      const room = rig.room();
      const nowS = Math.floor(Date.now() / 1_000);
      const token = await room.ticket({ slot: 700, iat: nowS - 50_000, exp: nowS + 30_000 });
      const response = await room.fetch(`${room.api}/status`, { headers: { ...EVENTS, Authorization: `Bearer ${token}` } });
      expect(response.headers.getSetCookie()).toEqual([]);
      const follower = new Follower(response);
      await expect.poll(() => follower.events.length).toBeGreaterThan(0);
      expect(follower.events[0]?.status).toMatchObject({ state: "waiting", ticket: expect.stringMatching(/^ey/) });
      await follower.stop();
    });

    test("[STREAM-1] [GATE-44] [GATE-60] everybody else gets the answer there is without it", async ({ expect }) => {
      const room = rig.room();
      await room.script({ claim: { as: "called", holdForMs: 9_000, validForMs: 90_000 } });
      const json = async (response: Promise<Response>) => {
        const { status, headers } = await response;
        return [status, headers.get("Content-Type")];
      };
      expect(await json(ask(room, { place: await room.ticket({ slot: 50 }) }))).toEqual([200, "application/json"]);
      expect(await json(ask(room, { pass: await room.pass() }))).toEqual([200, "application/json"]);
      expect(await json(ask(room, { place: await room.visitor() }))).toEqual([200, "application/json"]);
      expect(await json(ask(room, {}))).toEqual([200, "application/json"]);
      expect(await json(ask(room, {}, { Authorization: "Bearer nonsense" }))).toEqual([401, "application/problem+json"]);
      expect(await json(room.fetch("/__vestibule/rooms/nowhere/status", { headers: EVENTS }))).toEqual([404, "application/problem+json"]);
      const place = await room.ticket({ slot: 800 });
      const many = await Promise.all(Array.from({ length: 12 }, () => ask(room, { place })));
      expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200, 429]));
      for (const { body } of many) await body?.cancel();
    });
  });

  describe("what it tells", () => {
    test("[STREAM-2] [STREAM-3] a raised rate, a pause with its message, and that the turn has come", async ({ expect }) => {
      const room = rig.room();
      const follower = await follow(expect, room, 700);
      expect(follower.last?.status).toMatchObject({ state: "waiting", ahead: 600, eta: { minSeconds: 600 } });
      await room.script({ manifest: { epochPerMinute: 600, ratePerMinute: 600 } });
      await expect.poll(() => follower.last?.status.eta?.minSeconds).toBe(60);
      await room.script({ manifest: { phase: "paused", message: "Back at noon." } });
      await expect.poll(() => follower.last?.status).toMatchObject({ state: "paused", message: "Back at noon." });
      await room.script({ manifest: { phase: "open", message: "", admittedEpoch: 701 } });
      await expect.poll(() => follower.ended).toBe(true);
      expect(follower.last).toMatchObject({ name: "last", status: { pollAfterMs: 1_000 } });
      expect(follower.events.slice(0, -1).every(({ name }) => name === "status")).toBe(true);
    });

    test("[STREAM-3] [P10] its last word is what the Room says of the turn, without another question; nobody goes in by it", async ({
      expect,
    }) => {
      const room = rig.room();
      const follower = await follow(expect, room, 700);
      await room.script({ claim: { as: "called", holdForMs: 9_000, validForMs: 90_000 }, manifest: { admittedEpoch: 701 } });
      await expect.poll(() => follower.ended).toBe(true);
      expect(follower.last).toMatchObject({ name: "last", status: { state: "called", slot: 700, holdForMs: 9_000, validForMs: 90_000 } });
      const claims = (await room.seen()).batches.flatMap((batch) => batch.claims);
      expect(claims).toMatchObject([{ slot: 700, intent: "look" }]);
      // Whatever else it is: who is there asks, and hears it with its cookies.
      const other = await follow(expect, room, 750);
      await room.script({ claim: { as: "returning", untilMs: Date.now() + 600_000, ahead: 1 }, manifest: { admittedEpoch: 751 } });
      await expect.poll(() => other.ended).toBe(true);
      expect(other.last).toMatchObject({ name: "last", status: { state: "waiting", pollAfterMs: 1_000 } });
    });

    test("[STREAM-3] a reset ends it, and tells each a time of their own to ask", async ({ expect }) => {
      const room = rig.room();
      const follower = await follow(expect, room, 700);
      await room.script({ manifest: { generation: 2, admittedEpoch: 0 } });
      await expect.poll(() => follower.ended).toBe(true);
      expect(follower.last).toMatchObject({ name: "last", status: { pollExactly: true } });
    });

    test("[STREAM-1] [STREAM-4] an entry is followed until its draw, and counts as seen by what it is told", async ({ expect }) => {
      const room = rig.room();
      const startsAt = Date.now() + 3_600_000;
      const lobby = {
        event: "Drop",
        draw: 7,
        entries: 9,
        opensAt: 0,
        startsAt,
        plannedAt: startsAt,
        endsAt: startsAt + 1,
        utcOffsetMinutes: 0,
      };
      const collecting = { phase: "lobby", lobby: { ...lobby, commitment: null, beacon: "none" } } as const;
      await room.script({ manifest: collecting });
      const response = await ask(room, { place: await room.entry() });
      const follower = new Follower(response);
      await expect.poll(() => follower.last?.status.state).toBe("lobby");
      await room.script({ manifest: { ...collecting, lobby: { ...collecting.lobby, startsAt: startsAt + 60_000 } } });
      await expect.poll(() => follower.last?.status.reason).toBe("delayed");
      // A Room that was restarted meanwhile has forgotten that it was asked.
      const sightings = async () => (await room.seen()).batches.filter(({ entriesSeen }) => entriesSeen !== null).length;
      await expect.poll(sightings).toBeGreaterThan(1);
      await room.script({ manifest: { phase: "open", lobby: null } });
      await expect.poll(() => follower.ended).toBe(true);
      expect(follower.last?.name).toBe("last");
    });
  });

  test("[STREAM-6] a place has one stream in an isolate: an older one ends, to ask again at its usual time", async ({ expect }) => {
    const room = rig.room();
    const first = await follow(expect, room, 700);
    const second = await follow(expect, room, 700);
    await expect.poll(() => first.ended).toBe(true);
    expect(first.last).toMatchObject({ name: "last", status: { state: "waiting", ahead: 600 } });
    expect(second.ended).toBe(false);
    await second.stop();
  });

  describe("what it costs", () => {
    test("[STREAM-5] [GATE-36] 200 streams ask the Room for one manifest per lifetime, are seen once each, and end with their visitors", async ({
      expect,
    }) => {
      const room = rig.room();
      await room.script({ manifest: { horizon: 300, epochPerMinute: 600, ratePerMinute: 600 } });
      const begunAt = Date.now();
      const followers = await Promise.all(Array.from({ length: 200 }, (_, i) => follow(expect, room, 200 + i)));
      // Everybody hears, and nobody has asked.
      await room.script({ manifest: { horizon: 300, epochPerMinute: 600, ratePerMinute: 600, message: "Soon." } });
      await expect.poll(() => followers.every(({ last }) => last?.status.message === "Soon.")).toBe(true);
      const { batches } = await room.seen();
      const lifetimes = Math.ceil((Date.now() - begunAt) / 1_000);
      expect(batches.length).toBeLessThanOrEqual(lifetimes + 3);
      const seen = batches.flatMap(({ sightings }) => decodeSightings(sightings));
      expect([...new Set(seen)].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => 200 + i));
      // What a call that took too long had carried is carried again; nothing else is told twice.
      expect(seen.length).toBeLessThan(200);
      expect(batches.every(({ claims }) => claims.length === 0)).toBe(true);

      await Promise.all(followers.map((follower) => follower.stop()));
      // Each finds out by what it tells next, and then asks no more.
      let messages = 0;
      const silent = async () => {
        await room.script({ manifest: { horizon: 300, message: `${messages++}` } });
        const { batches: before } = await room.seen();
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        return (await room.seen()).batches.length === before.length;
      };
      await expect.poll(silent).toBe(true);
    });

    test("[STREAM-5] [P11] with the Room unreachable it says so and goes on, and hears when the Room is back", async ({ expect }) => {
      const room = rig.room();
      const followers = await Promise.all(Array.from({ length: 20 }, (_, i) => follow(expect, room, 700 + i)));
      await room.fail(...Array.from({ length: 400 }, () => "plain" as const));
      await expect.poll(() => followers.every(({ last }) => last?.status.reason === "room-unreachable")).toBe(true);
      expect(followers.some(({ ended }) => ended)).toBe(false);
      expect(followers[0]?.last?.status).toMatchObject({ state: "waiting", slot: 700, ahead: 600 });
      await room.fail();
      await expect.poll(() => followers.some(({ last }) => last?.status.reason === null)).toBe(true);
      await Promise.all(followers.map((follower) => follower.stop()));
    });
  });
});
