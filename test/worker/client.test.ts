/**
 * The edge's side of a room under real requests: many at once, aborted ones, a Room that fails or answers nonsense, a wrong configuration.
 * What needs no real requests is in test/core/room-client.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newVisitorKey } from "../../src/keys";
import { NAVIGATION, type Rig, type RigRoom, startRig, told } from "../support/gate-rig";
import type { SendInit } from "../support/http";
import { TEST_ADMIN_TOKEN } from "../support/worker";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const nowS = () => Math.floor(Date.now() / 1_000);

describe("many at once", () => {
  /** On a slow computer an answer may be that the place is on its way: asked again, it is there. */
  async function placed(room: RigRoom, place: string) {
    for (let late = 0; ; late++) {
      const status = await told(await room.navigate("/shop", { place }));
      if (status?.state !== "joining" || status.reason !== null || late === 20) return { status, late };
    }
  }

  test("[GATE-30] 200 first requests in parallel on a cold isolate: all answered, in a handful of calls, each with a place of its own", async () => {
    const room = rig.room();
    await room.fail({ slow: 100 });
    const tokens = await Promise.all(Array.from({ length: 200 }, () => room.visitor()));
    const all = await Promise.all(tokens.map((place) => placed(room, place)));
    const statuses = all.map(({ status }) => status);
    const late = all.reduce((sum, each) => sum + each.late, 0);
    expect(statuses.map((status) => status?.state)).toEqual(statuses.map(() => "waiting"));
    expect(new Set(statuses.map((status) => status?.slot)).size).toBe(200);
    const { batches, attempts } = await room.seen();
    const joins = batches.flatMap((batch) => batch.joins);
    expect(joins.length).toBeGreaterThanOrEqual(200);
    expect(joins.length).toBeLessThanOrEqual(200 + late);
    expect(attempts).toBeLessThan(30 + late);
  });

  test("[GATE-30][P10] C23 each reply carries its own visitor's cookie, however the requests interleave", async () => {
    const room = rig.room();
    await room.fail({ slow: 80 }, { slow: 10 }, { slow: 60 });
    const asked = Array.from({ length: 100 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, (i * 37) % 200));
      const place = await room.ticket({ slot: 1 + (i % 99), iat: nowS() - 50_000, exp: nowS() + 10_000 });
      const reply = await room.navigate("/shop", { place });
      return { slot: 1 + (i % 99), reply };
    });
    for (const { slot, reply } of await Promise.all(asked)) {
      const passes = reply.headers.getSetCookie().filter((line) => line.startsWith("vestibule-pass."));
      const payload = JSON.parse(Buffer.from(passes[0]?.split(".")[2] ?? "", "base64url").toString()) as { s: number };
      expect([reply.status, passes.length, payload.s]).toEqual([200, 1, slot]);
    }
  });

  test("[GATE-31] O3 C37 C38 clients that go away take nobody with them: 300 aborted cold starts, then 100 people", async () => {
    const room = rig.room();
    await room.fail({ slow: 400 });
    const aborted = Array.from({ length: 300 }, async () => {
      const place = await room.visitor();
      return room.fetch("/shop", { headers: NAVIGATION, cookies: { place }, signal: AbortSignal.timeout(50) }).catch(() => null);
    });
    await Promise.all(aborted);
    const all = await Promise.all(Array.from({ length: 100 }, async () => placed(room, await room.visitor())));
    expect(all.map(({ status }) => status?.state)).toEqual(all.map(() => "waiting"));
  });

  test("[GATE-14] S1 C11 O13 a flood without cookies makes no places, and calls that do not grow with it", async () => {
    const room = rig.room();
    const calls = async (requests: number) => {
      const before = (await room.seen()).attempts;
      const startedAt = Date.now();
      for (let i = 0; i < requests / 50; i++) await Promise.all(Array.from({ length: 50 }, () => room.navigate("/shop")));
      return { calls: (await room.seen()).attempts - before, seconds: (Date.now() - startedAt) / 1_000 };
    };
    const logged = rig.logs.length;
    for (const requests of [100, 1_000]) {
      const { calls: made, seconds } = await calls(requests);
      // At most one manifest a second.
      expect(made).toBeLessThanOrEqual(2 + seconds);
    }
    expect((await room.seen()).batches.flatMap((batch) => batch.joins)).toEqual([]);
    expect(room.hits()).toEqual([]);
    expect(rig.logs.slice(logged)).toEqual([]);
    // Whoever comes after it is served as if nothing had been.
    const after = await Promise.all(
      Array.from({ length: 10 }, async () => told(await room.navigate("/shop", { place: await room.visitor() }))),
    );
    expect(after.map((status) => status?.slot).toSorted()).toEqual(Array.from({ length: 10 }, (_, i) => 1_000 + i));
  });
});

describe("a Room that fails", () => {
  test.each([
    ["retryable", 2, "waiting"],
    ["overloaded", 1, "joining"],
    ["overloaded-retryable", 1, "joining"],
    ["remote", 1, "joining"],
    ["plain", 1, "joining"],
  ] as const)("[GATE-32] C51 %s: %i attempts on new stubs, then %s", async (fault, attempts, state) => {
    const room = rig.room();
    await room.navigate("/shop", { place: await room.ticket() });
    const before = await room.seen();
    await room.fail(fault);
    expect(await told(await room.navigate("/shop", { place: await room.visitor() }))).toMatchObject({ state });
    const after = await room.seen();
    expect([after.attempts - before.attempts, after.stubs - before.stubs]).toEqual([attempts, attempts]);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-4][GATE-22][GATE-32][FAIL-6][P11] G12 O5 every fault × everybody who needs the Room: told so, nobody is let in, the place is kept", async () => {
    const faults = ["retryable", "overloaded", "remote", "plain", "full", "hang"] as const;
    const whats = ["join", "claim", "form", "status", "leave", "expired"] as const;
    const asked = faults.flatMap((fault) =>
      whats.map(async (what) => {
        const room = rig.room();
        const [place, visitor] = [await room.ticket({ slot: 50 }), await room.visitor()];
        await room.navigate("/shop", { place: await room.ticket() });
        // More than are tried by anybody: the Room stays away.
        await room.fail(...Array.from({ length: 20 }, () => fault));
        const old = await room.pass({ iat: nowS() - 700, exp: nowS() - 9 });
        const startedAt = Date.now();
        const reply = await {
          join: () => room.navigate("/shop", { place: visitor }),
          claim: () => room.navigate("/shop", { place }),
          form: () => room.fetch("/shop", { method: "POST", cookies: { place }, headers: NAVIGATION }),
          status: () => room.fetch(`${room.api}/status`, { cookies: { place } }),
          leave: () => room.post(`${room.api}/leave`, { place }),
          expired: () => room.navigate("/shop", { place, pass: old }),
        }[what]();
        // On a slow computer the visitor's own patience may end first: then an answer may still be on its way.
        const mayBeLate = Date.now() - startedAt >= 2_000;
        const status = await told(reply);
        const why = fault === "full" ? "storage-full" : "room-unreachable";
        if (!(mayBeLate && status?.reason === null)) expect([fault, what, reply.status, status?.reason]).toEqual([fault, what, 503, why]);
        const kept = reply.headers.getSetCookie().every((line) => !line.includes("Max-Age=0"));
        expect([fault, what, status?.slot, kept]).toEqual([fault, what, what === "join" ? null : 50, true]);
        return room.hits().length;
      }),
    );
    expect(new Set(await Promise.all(asked))).toEqual(new Set([0]));
  });

  test("[FAIL-7] whatever fails, a request that a bypass rule lets through reaches the site", async () => {
    const faults = ["retryable", "overloaded", "remote", "plain", "full"] as const;
    const sent = faults.map(async (fault) => {
      const room = rig.room();
      await room.script({ settings: { bypass_rules: [{ path: "/hook", methods: ["POST"] }] }, manifest: { config: 3 } });
      await room.navigate("/shop", { place: await room.ticket() });
      await room.fail(...Array.from({ length: 20 }, () => fault));
      const { status } = await room.fetch("/hook", { method: "POST", body: "{}" });
      return [fault, status, room.hits().map((hit) => hit.header("Vestibule-Status"))];
    });
    expect(await Promise.all(sent)).toEqual(faults.map((fault) => [fault, 200, ["bypass"]]));
  });

  test("[FAIL-6][ADMIN-7] O5 a full storage is told to the operator as that", async () => {
    const room = rig.room();
    const admin = (path: string, method = "GET") => {
      const headers = { Authorization: `Bearer ${TEST_ADMIN_TOKEN}`, "Content-Type": "application/json" };
      return room.fetch(`/__vestibule/admin/api/rooms${path}`, { method, headers });
    };
    await room.script({ admin: { as: "storage-full" } });
    const answered = await admin(`/${room.name}/pause`, "POST");
    expect([answered.status, await answered.json()]).toMatchObject([503, { code: "storage-full" }]);
    await room.fail("full");
    const broken = await admin(`/${room.name}/stats`);
    expect([broken.status, await broken.json()]).toMatchObject([503, { code: "storage-full" }]);
    await room.fail("full");
    const listed = (await (await admin("")).json()) as { rooms: { room: string; error?: string }[] };
    expect(listed.rooms.find((each) => each.room === room.name)).toEqual({ room: room.name, error: "storage-full" });
  });

  test("[GATE-35] T8 C65 live settings reach the page and the table: status code, title, refresh time", async () => {
    const room = rig.room();
    await room.script({ settings: { queueing_status_code: 503, title: "Gala night", pass_refresh_seconds: 5 }, manifest: { config: 4 } });
    const reply = await room.navigate("/shop", { place: await room.ticket() });
    expect([reply.status, await reply.text()]).toMatchObject([503, expect.stringContaining("Gala night")]);
    await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - 11 }) });
    expect((await room.seen()).batches.flatMap((batch) => batch.renewals)).toHaveLength(1);
    expect((await room.seen()).configCalls).toBe(1);
  });
});

describe.concurrent("a Room that cannot be reached for long, where failure_policy = open", () => {
  const OPEN = { failure_policy: "open", open_after_seconds: 5, new_users_per_minute: 3_000 };
  /** Few enough to count what reached the site. */
  const POLL = { interval: 250 };
  const statusesOf = (room: RigRoom) => room.hits().map((hit) => hit.header("Vestibule-Status"));
  const openCookieOf = (reply: Response) =>
    /^vestibule-open\.r\d+=([^;]+)/.exec(reply.headers.getSetCookie().find((line) => line.startsWith("vestibule-open.")) ?? "")?.[1] ?? "";

  test("[FAIL-1] [FAIL-3] [FAIL-4] [FAIL-5] [P11] [PROXY-2] a few go in, with whole pages, by a cookie that is worth nothing once the Room answers", async ({
    expect,
  }) => {
    const room = rig.room();
    await room.script({ settings: OPEN, manifest: { config: 3 } });
    const place = await room.ticket();
    await room.navigate("/shop", { place });
    await room.fail(...Array.from({ length: 1_000 }, () => "retryable" as const));
    // Until then everybody waits.
    expect(await told(await room.navigate("/shop", { place: await room.visitor() }))).toMatchObject({ reason: "room-unreachable" });
    const withOpen = (path: string, open: string, init: SendInit = {}) =>
      room.fetch(path, { ...init, headers: { ...init.headers, Cookie: `vestibule-open.${room.name}=${open}` } });

    let letIn: Response | undefined;
    await expect
      .poll(async () => {
        letIn = await room.navigate("/shop", { place });
        return openCookieOf(letIn);
      }, POLL)
      .not.toBe("");
    const open = openCookieOf(letIn as Response);
    const line = (letIn as Response).headers.getSetCookie().join();
    expect([(letIn as Response).status, (letIn as Response).headers.get("Cache-Control")]).toEqual([200, "private"]);
    expect(line).toMatch(/; Max-Age=120; Path=\/; HttpOnly; SameSite=Lax$/);
    const [first] = room.hits();
    expect([first?.header("Vestibule-Status"), first?.header("Vestibule-Room"), first?.header("Vestibule-Session")]).toEqual([
      ...["failed-open", room.name, null],
    ]);
    expect(first?.header("Vestibule-Signature")).toMatch(/^t=\d+, kid=t1, mac=/);

    // A page is many requests, of any method; the site never sees the cookie.
    const assets = await Promise.all(Array.from({ length: 60 }, (_, i) => withOpen(`/asset/${i}`, open)));
    expect(new Set(assets.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await withOpen("/basket", open, { method: "POST", body: "one" })).status).toBe(200);
    expect(room.hits().filter((hit) => hit.header("Cookie") !== null)).toEqual([]);
    // Changed by a letter, or of another kind, it is nothing.
    for (const bad of [`${open.slice(0, -1)}${open.endsWith("A") ? "B" : "A"}`, place])
      expect((await withOpen("/shop", bad)).status).toBe(428);

    // The cookie check stays; so does everything that nobody enters by.
    expect((await room.navigate("/shop")).headers.get("Location")).toContain("/__vestibule/check?");
    expect((await room.fetch("/shop")).status).toBe(428);
    const hits = room.hits().length;
    for (const init of [{ method: "HEAD" }, { method: "POST", body: "x" }, { headers: { ...NAVIGATION, "Sec-Purpose": "prefetch" } }])
      expect((await room.fetch("/shop", { ...init, cookies: { place } })).status).toBeGreaterThanOrEqual(429);
    expect(room.hits()).toHaveLength(hits);

    // Sixty a minute is a fiftieth of the rate: of a crowd, nobody but one a second gets in, whatever they hold and however they ask.
    const startedAt = Date.now();
    const crowd = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const cookies = { place: i % 2 === 0 ? await room.visitor() : await room.ticket({ slot: 50 + i }) };
        return i % 3 === 0 ? room.fetch(`${room.api}/status`, { cookies }) : room.navigate("/shop", cookies);
      }),
    );
    const seconds = (Date.now() - startedAt) / 1_000;
    expect(crowd.filter((reply) => openCookieOf(reply) !== "").length).toBeLessThanOrEqual(1 + seconds);
    // The page that asks by itself is told to go in.
    await expect
      .poll(async () => {
        const reply = await room.post(`${room.api}/join`, { place: await room.visitor() });
        return [openCookieOf(reply) !== "", (await told(reply))?.state];
      }, POLL)
      .toEqual([true, "inside"]);
    // An app that keeps no cookies could not show it.
    const bearer = { Authorization: `Bearer ${place}` };
    expect(await told(await room.fetch(`${room.api}/status`, { headers: bearer }))).toMatchObject({ state: "waiting" });

    await room.fail();
    const before = room.hits().length;
    await expect.poll(async () => (await withOpen("/shop", open)).status, POLL).toBe(428);
    expect(statusesOf(room).every((status) => status === "failed-open")).toBe(true);
    const { batches } = await room.seen();
    const reported = batches.flatMap(({ failedOpen }) => failedOpen ?? []);
    expect(reported).toHaveLength(1);
    expect(reported[0]?.requests).toBe(room.hits().length);
    expect(room.hits().length - before).toBeLessThan(60);
    expect(rig.logs.filter((logged) => logged.includes('"failing-open"') && logged.includes(`"${room.name}"`))).toHaveLength(1);
  });

  test("[FAIL-1] [FAIL-4] [P11] nobody goes in with closed, where calls are turned away, nor without the proof that is asked for, however long it lasts", async ({
    expect,
  }) => {
    const challenge = { kind: "pow", everyone: false, cost: 1, difficulty: 1 } as const;
    const cases = [
      { failure_policy: "closed", fault: "retryable" },
      { failure_policy: "open", fault: "overloaded" },
      { failure_policy: "open", fault: "plain" },
      { failure_policy: "open", fault: "retryable", manifest: { challenge }, newcomersOnly: true },
    ] as const;
    const rooms = await Promise.all(
      cases.map(async ({ failure_policy, fault, ...more }) => {
        const room = rig.room();
        const manifest = { config: 3, ...("manifest" in more ? more.manifest : {}) };
        await room.script({ settings: { ...OPEN, failure_policy }, manifest, claim: { as: "waiting" } });
        const place = await room.ticket({ slot: 50 });
        await room.navigate("/shop", { place });
        await room.fail(...Array.from({ length: 1_000 }, () => fault));
        const until = Date.now() + 9_000;
        while (Date.now() < until) {
          if (!("newcomersOnly" in more)) await room.navigate("/shop", { place });
          await room.navigate("/shop", { place: await room.visitor() });
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
        return room;
      }),
    );
    for (const room of rooms) {
      expect(room.hits()).toEqual([]);
      expect((await room.seen()).attempts).toBeGreaterThanOrEqual(3);
    }
    // Whoever has a place is asked for no proof.
    const [, , , asked] = rooms;
    const place = await asked?.ticket();
    await expect
      .poll(async () => {
        await asked?.navigate("/shop", { place: place ?? "" });
        return asked?.hits().length;
      }, POLL)
      .toBeGreaterThan(0);
    // The door is open by now, to one a second; newcomers without it go in by none of these.
    const soFar = asked?.hits().length;
    for (const until = Date.now() + 2_500; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 100)))
      await asked?.navigate("/shop", { place: await asked.visitor() });
    expect(asked?.hits().length).toBe(soFar);
    // Newcomers are asked for it, and whoever shows it may be let in.
    const key = newVisitorKey();
    const newcomer = (await asked?.visitor({ key })) ?? "";
    expect(await told((await asked?.navigate("/shop", { place: newcomer })) as Response)).toMatchObject({ reason: "challenge" });
    const proof = (await asked?.proof({ key })) ?? "";
    const before = asked?.hits().length ?? 0;
    await expect
      .poll(async () => {
        await asked?.navigate("/shop", { place: newcomer, proof });
        return asked?.hits().length;
      }, POLL)
      .toBeGreaterThan(before);
  });
});

describe("an exception of ours", () => {
  const nonsense: [string, object][] = [
    ["no reply at all", { reply: { joins: null, claims: null, renewals: null, leaves: null, manifest: null, v: null } }],
    ["a version of the future", { reply: { v: 7 } }],
    ["a manifest of null", { reply: { manifest: null } }],
    ["no verdicts", { reply: { joins: [], claims: [], renewals: [] } }],
    ["verdicts of null", { reply: { joins: [null], claims: [null], renewals: [null] } }],
    ["an unknown claim", { claim: { as: "welcome" } }],
    ["a claim without a pass", { claim: { as: "entered" } }],
    ["a pass of slot -1", { claim: { as: "entered", pass: { slot: -1, serial: 1, issuedAtS: 1, expiresAtS: 2, endsAtS: 3 } } }],
    [
      "a pass that ends before it begins",
      { claim: { as: "entered", pass: { slot: 99, serial: 1, issuedAtS: 9, expiresAtS: 2, endsAtS: 3 } } },
    ],
    ["a pass of serial 0", { claim: { as: "entered", pass: { slot: 99, serial: 0, issuedAtS: 1, expiresAtS: 2, endsAtS: 3 } } }],
    ["an unknown renewal", { renew: { as: "fine" } }],
    ["an unknown join", { join: { as: "welcome" } }],
    ["a join without a slot", { join: { as: "placed", joinedAtS: 1 } }],
    ["a join of no time", { join: { as: "placed", slot: 1_000, joinedAtS: Number.NaN } }],
    ["an entry without a pass", { join: { as: "entered", joinedAtS: 1 } }],
    ["an unknown phase", { manifest: { phase: "on", quiet: true } }],
    ["an epoch that is no number", { manifest: { admittedEpoch: Number.NaN } }],
    ["a lease of no number", { manifest: { quiet: true }, reply: { lease: { units: "many", untilMs: null } } }],
  ];
  test.each(nonsense)("[GATE-4] G12 lets nobody in who has no good pass: %s", async (_, script) => {
    const room = rig.room();
    await room.script({ claim: { as: "waiting" }, ...script });
    const all = [
      {},
      { place: await room.visitor() },
      { place: await room.ticket() },
      { place: await room.ticket({ slot: 99 }) },
      { pass: await room.pass({ iat: nowS() - 700, exp: nowS() - 9 }) },
    ];
    for (const cookies of all) {
      for (const headers of [NAVIGATION, {}]) {
        const reply = await room.fetch("/shop", { cookies, headers });
        expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
        await reply.arrayBuffer();
      }
    }
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-4] a list of revoked slots that cannot be read lets no pass through either", async () => {
    const room = rig.room();
    await room.script({ manifest: { revoked: 7 as never } });
    expect((await room.navigate("/shop", { pass: await room.pass() })).status).toBe(503);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-4] W13 is told as 503, as a page to people and JSON to programs, with nothing of the fault in it", async () => {
    const room = rig.room();
    await room.script({ claim: { as: "entered" } as never });
    const place = await room.ticket({ slot: 99 });
    const page = await room.navigate("/shop", { place });
    expect([page.status, page.headers.get("Retry-After"), page.headers.get("Content-Type")]).toEqual([
      503,
      "5",
      "text/html; charset=utf-8",
    ]);
    expect(await page.text()).not.toMatch(/undefined|TypeError|at /);
    const data = await room.fetch("/shop", { cookies: { place } });
    expect([data.status, await data.json()]).toMatchObject([503, { code: "unavailable" }]);
    expect(rig.logs.some((line) => line.includes("gate-failed"))).toBe(true);
    // Nothing that opens a door is logged, nor who it was.
    expect(rig.logs.filter((line) => line.includes(place.split(".")[2] ?? "") || /cookie|bearer|eyJ/i.test(line))).toEqual([]);
  });
});

describe("a wrong configuration", () => {
  const wrong: [string, Record<string, unknown>, string][] = [
    ["no key", { VESTIBULE_KEYS: "" }, "VESTIBULE_KEYS"],
    ["no admin token", { ADMIN_TOKEN: "" }, "ADMIN_TOKEN"],
    ["an unknown setting", { ROOMS: { r0: { host: "r0.test", total_active_users: 1, new_users_per_minute: 1, colour: "red" } } }, "colour"],
  ];
  test.each(wrong)("[GATE-3] K7 %s: everything is 503, the log names the setting, no reply does", async (_, vars, named) => {
    const broken = await startRig({ vars });
    try {
      for (const path of ["/shop", "/__vestibule/health", "/__vestibule/admin/api/rooms"]) {
        for (const headers of [NAVIGATION, {}]) {
          const reply = await broken.send("r0.test", path, { headers });
          expect([path, reply.status]).toEqual([path, 503]);
          expect(await reply.text()).not.toContain(named);
        }
      }
      expect(broken.origin.received).toEqual([]);
      const complaints = broken.logs.filter((line) => line.includes("misconfigured"));
      expect(complaints).toHaveLength(1);
      expect(complaints[0]).toContain(named);
    } finally {
      await broken.stop();
    }
  });
});
