/** What a request meets: every row of the table against a Room that answers as told. What counts is what reached the site. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Batch, ClaimVerdict } from "../../src/core/exchange";
import { decodeToken } from "../../src/core/token";
import type { Networks } from "../../src/core/token-types";
import { signInvitation } from "../../src/door/invitations";
import { importKeyRing, newVisitorKey, sealPreview, signToken } from "../../src/keys";
import { NAVIGATION, type Rig, type RigRoom, startRig, told } from "../support/gate-rig";
import { parseSetCookie } from "../support/jar";
import { rawRequest } from "../support/raw";
import { TEST_ADMIN_TOKEN, TEST_KEYS } from "../support/worker";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ settings: { pass_refresh_seconds: 30 }, vars: { PASS_HOSTS: "static.test" } });
});
afterAll(() => rig.stop());

const nowS = () => Math.floor(Date.now() / 1_000);

/** Cookies that a reply sets, by their name without the room. */
function setBy(response: Response): Map<string, string> {
  const cookies = response.headers.getSetCookie().map(parseSetCookie);
  return new Map(cookies.map(({ name, value }) => [name.split(".")[0] ?? "", value]));
}
const claimsIn = (token: string | undefined) => decodeToken(token ?? "")?.claims;

async function askedOf<K extends "joins" | "claims" | "renewals">(room: RigRoom, kind: K): Promise<Batch[K][number][]> {
  return (await room.seen()).batches.flatMap((batch): readonly Batch[K][number][] => batch[kind]);
}

/** The isolate knows the room's manifest, however slow the machine is: without one people inside are let on by their pass. */
const heard = (room: RigRoom) => expect.poll(async () => (await room.fetch(`${room.api}/manifest`)).status).toBe(200);

describe("people inside", () => {
  test("[GATE-5] are forwarded without a call for each request, by any method", async () => {
    const room = rig.room();
    const pass = await room.pass();
    for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const reply = await room.fetch("/shop?a=1", { method, cookies: { pass }, ...(method === "POST" ? { body: "x=1" } : {}) });
      expect([method, reply.status]).toEqual([method, 200]);
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
    expect(room.hits().map(({ method, url }) => `${method} ${url}`)).toHaveLength(7);
    expect(room.hits()[0]?.header("Vestibule-Status")).toBe("admitted");
    expect(room.hits()[0]?.header("Cookie")).toBeNull();
    const seen = await room.seen();
    expect(seen.batches.length).toBeLessThanOrEqual(2);
    expect(seen.batches.flatMap((batch) => [...batch.renewals, ...batch.claims, ...batch.joins])).toEqual([]);
  });

  test("[GATE-6] with an older pass are forwarded, and the new pass rides on the reply", async () => {
    const room = rig.room();
    const reply = await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - 40, serial: 4 }) });
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain("origin GET /shop");
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ kind: "pass", slot: 50, serial: 5, generation: 1 });
    expect(await askedOf(room, "renewals")).toMatchObject([{ slot: 50, serial: 4 }]);
  });

  test("[GATE-6] T4 W6 no cookie rides on a reply that a shared cache could keep", async () => {
    const room = rig.room();
    rig.origin.handle((_, response) => {
      response.setHeader("Cache-Control", "public, max-age=600");
      response.setHeader("Content-Type", "image/png");
      response.end("png");
    });
    for (const age of [40, 70]) {
      const reply = await room.fetch("/logo.png", { cookies: { pass: await room.pass({ iat: nowS() - age }) } });
      expect([reply.status, reply.headers.getSetCookie(), reply.headers.get("Cache-Control")]).toEqual([200, [], "public, max-age=600"]);
    }
    rig.origin.handle(htmlPage);
  });

  test("[GATE-6] with a pass older than twice the refresh time the renewal comes first", async () => {
    const room = rig.room();
    await room.script({ renew: { as: "void", takeoversLeft: 2 } });
    const reply = await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - 70 }) });
    expect(await told(reply)).toMatchObject({ state: "void", takeoversLeft: 2, reason: "taken-over" });
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-8] a void pass found beside a page load shows nothing of the site; what a POST did is told", async () => {
    const room = rig.room();
    await room.script({ renew: { as: "void", takeoversLeft: 0 } });
    const pass = await room.pass({ iat: nowS() - 40 });
    const page = await room.navigate("/secret", { pass });
    expect(await told(page)).toMatchObject({ state: "void", reason: "no-takeovers-left" });
    const data = await room.fetch("/secret", { cookies: { pass } });
    expect([data.status, await told(data)]).toMatchObject([429, { state: "void" }]);
    const post = await room.fetch("/buy", { method: "POST", body: "x=1", cookies: { pass } });
    expect([post.status, await post.text()]).toMatchObject([200, expect.stringContaining("origin POST /buy")]);
  });

  test("[GATE-6] [GATE-20] K10 nothing but a good pass is renewed: no other cookie is turned into one", async () => {
    const room = rig.room();
    const other = rig.room();
    await room.script({ claim: { as: "waiting" } });
    for (const age of [40, 70]) {
      const iat = nowS() - age;
      const good = await room.pass({ iat });
      const bad = [
        `${good.slice(0, -4)}AAAA`,
        await other.pass({ iat }),
        await room.ticket({ iat, slot: 99 }),
        await room.visitor({ iat }),
        await room.pass({ iat, exp: nowS() - 1 }),
      ];
      for (const pass of bad) {
        for (const reply of [await room.navigate("/shop", { pass }), await room.fetch("/shop", { cookies: { pass } })]) {
          expect([pass, reply.headers.getSetCookie().filter((line) => line.startsWith("vestibule-pass"))]).toEqual([pass, []]);
        }
      }
    }
    expect([room.hits(), await askedOf(room, "renewals")]).toEqual([[], []]);
    await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - 40 }) });
    expect(await askedOf(room, "renewals")).toHaveLength(1);
  });

  test("[GATE-6] the Room's word current lets on without a new cookie", async () => {
    const room = rig.room();
    await room.script({ renew: { as: "current" } });
    for (const age of [40, 70]) {
      const reply = await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - age }) });
      expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, []]);
    }
    expect(room.hits()).toHaveLength(2);
  });

  test("[GATE-8] a session that only slept is claimed again with its serial", async () => {
    const room = rig.room();
    await room.script({ renew: { as: "lapsed" } });
    const reply = await room.navigate("/shop", {
      pass: await room.pass({ iat: nowS() - 70, serial: 9 }),
      place: await room.ticket({ slot: 50 }),
    });
    expect(reply.status).toBe(200);
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ slot: 50 });
    expect(await askedOf(room, "claims")).toMatchObject([{ slot: 50, serial: 9, intent: "enter" }]);
    expect(room.hits()).toHaveLength(1);
  });

  test("[GATE-8] an expired pass alone still leads back in, and brings the ticket back", async () => {
    const room = rig.room();
    const pass = await room.pass({ iat: nowS() - 700, exp: nowS() - 100, serial: 9 });
    const reply = await room.navigate("/shop", { pass });
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ kind: "pass", slot: 50 });
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ kind: "ticket", slot: 50 });
    expect(await askedOf(room, "claims")).toMatchObject([{ slot: 50, serial: 9 }]);
  });

  test("[GATE-7][P11] the Room unreachable: they go on until their pass ends", async () => {
    const room = rig.room();
    await room.fail("plain", "plain", "plain", "plain");
    for (const age of [0, 40, 70, 500]) {
      const reply = await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - age }) });
      expect([age, reply.status]).toEqual([age, 200]);
    }
    const over = await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - 700, exp: nowS() - 1 }) });
    expect([over.status, await told(over)]).toMatchObject([503, { reason: "room-unreachable" }]);
    expect(room.hits()).toHaveLength(4);
  });

  test("[GATE-7] even if the Room hangs", async () => {
    const room = rig.room();
    await room.fail("hang");
    const reply = await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - 70 }) });
    expect(reply.status).toBe(200);
  });
});

describe("passes that open nothing any more", () => {
  test("[GATE-9] after the sessions were ended: a new place, the same one for requests in parallel", async () => {
    const room = rig.room();
    const ended = nowS() + 1;
    await room.script({ manifest: { endSessionsBefore: ended } });
    await heard(room);
    // On a slow machine a pass of now would be one from after that.
    const cookies = { pass: await room.pass({ iat: ended - 1 }), place: await room.ticket({ slot: 50 }) };
    const replies = await Promise.all(Array.from({ length: 10 }, () => room.navigate("/shop", cookies)));
    const slots = replies.map((reply) => claimsIn(setBy(reply).get("vestibule")));
    for (const claims of slots) expect(claims).toMatchObject({ kind: "ticket", slot: 1_000 });
    expect(replies.map((reply) => setBy(reply).get("vestibule-pass"))).toEqual(replies.map(() => ""));
    expect(await told(replies[0] as Response)).toMatchObject({ state: "waiting", slot: 1_000 });
    expect(new Set((await askedOf(room, "joins")).map(({ key }) => key)).size).toBe(1);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-9] O10 after a reset: told so, once, with a fresh place in the new line", async () => {
    const room = rig.room();
    await room.script({ manifest: { generation: 2, admittedEpoch: 0, tail: 0 } });
    const browser = room.browser();
    browser.cookies.set(`vestibule.${room.name}`, parseSetCookie(`vestibule.${room.name}=${await room.ticket()}`));
    expect(await told(await browser.navigate("/shop"))).toMatchObject({ state: "waiting", reason: "restarted", slot: 1_000 });
    expect(await told(await browser.navigate("/shop"))).toMatchObject({ state: "waiting", reason: null, slot: 1_000 });
    expect(await askedOf(room, "joins")).toHaveLength(1);
  });

  test("[GATE-9] found out by the Room before the manifest tells: the same", async () => {
    const room = rig.room();
    await room.script({ renew: { as: "restarted" } });
    const reply = await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - 70 }) });
    expect(await told(reply)).toMatchObject({ state: "waiting", reason: "restarted" });
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-9] K12 a revoked slot's pass is refused without a call, and a page offers a new place", async () => {
    const room = rig.room();
    await room.script({ manifest: { revoked: [[50, 50]] } });
    const reply = await room.navigate("/shop", { pass: await room.pass(), place: await room.ticket({ slot: 50 }) });
    expect(await told(reply)).toMatchObject({ state: "ended", reason: "session-over" });
    const other = await room.navigate("/shop", { pass: await room.pass({ slot: 51 }) });
    expect(other.status).toBe(200);
    expect(room.hits()).toHaveLength(1);
    expect(await askedOf(room, "claims")).toEqual([]);
  });

  test("[GATE-20] K1 K2 K4 T3 C41 forged, foreign, broken and expired tokens are no tokens; any good one among them counts", async () => {
    const room = rig.room();
    const other = rig.room();
    const good = await room.pass();
    const flipped = good.slice(0, -2) + (good.endsWith("A") ? "BB" : "AA");
    const bad = [
      flipped,
      await other.pass(),
      await room.ticket(),
      "x",
      "a.b.c",
      `${good}=`,
      await room.pass({ iat: nowS() - 700, exp: nowS() - 9 }),
    ];
    for (const token of bad.slice(0, -1)) {
      const reply = await room.navigate("/shop", { pass: token });
      expect([token, reply.status]).toEqual([token, 303]);
    }
    expect(room.hits()).toEqual([]);
    const over = await room.ticket({ iat: nowS() - 900, exp: nowS() - 1 });
    expect((await room.navigate("/shop", { place: over })).status).toBe(303);
    for (const order of [
      [...bad.slice(0, 5), good],
      [good, ...bad],
      [bad[6] ?? "", good, "x"],
    ]) {
      expect((await room.navigate("/shop", { pass: order })).status).toBe(200);
    }
    expect((await room.navigate("/shop", { pass: [...Array.from({ length: 8 }, (_, i) => `x${i}`), good] })).status).toBe(303);
    const comma = await rawRequest(
      rig.url,
      rawGet(room, [`Cookie: other=1`, `Cookie: vestibule-pass.${room.name}=bad`, `Cookie: vestibule-pass.${room.name}=${good}`]),
    );
    expect(comma.status).toBe(200);
  });
});

describe("in the browser of another app", () => {
  const headers = { "User-Agent": "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 Instagram 402.0.0.31.90" };

  test("[GATE-61] a newcomer sees the hint and has no place yet; staying gives one, and so does the end of the hint", async () => {
    const room = rig.room();
    await room.script({ manifest: { quiet: false } });
    const browser = room.browser(headers);
    const reply = await browser.navigate("/shop");
    expect(reply.status).toBe(200);
    expect(await told(reply)).toMatchObject({ state: "joining", reason: "in-app-browser", slot: null, pollExactly: true });
    expect((await room.seen()).batches.flatMap(({ joins }) => joins)).toEqual([]);
    const stayed = await browser.fetch(`${room.api}/join`, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin", Accept: "application/json" },
    });
    expect(await stayed.json()).toMatchObject({ state: "waiting", slot: 1_000 });
    expect(await told(await browser.navigate("/shop"))).toMatchObject({ state: "waiting", slot: 1_000 });
    const place = await room.visitor({ iat: nowS() - 16 });
    expect(await told(await room.navigate("/shop", { place }, headers))).toMatchObject({ state: "waiting", reason: null });
    expect(room.hits()).toEqual([]);
  });
});

describe("people with a ticket", () => {
  test("[GATE-10] O2 C40 see the line with their number, answered without a call of their own, and are seen", async () => {
    const room = rig.room();
    const place = await room.ticket({ slot: 249 });
    for (let i = 0; i < 20; i++) {
      const reply = await room.navigate("/shop?x=1", { place });
      expect([reply.status, reply.headers.get("Cache-Control"), reply.headers.get("Content-Type")]).toEqual([
        200,
        "private, no-store",
        "text/html; charset=utf-8",
      ]);
      expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(await told(reply)).toMatchObject({ state: "waiting", slot: 249, ahead: 149 });
    }
    await expect.poll(async () => (await room.seen()).batches.flatMap((batch) => batch.sightings)).toEqual([249]);
    expect((await room.seen()).attempts).toBeLessThan(6);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-17] C65 what is not a page load gets JSON and 429, whatever the page's own status code is", async () => {
    const room = rig.room();
    const reply = await room.fetch("/api/stock", { cookies: { place: await room.ticket() }, headers: { Accept: "application/json" } });
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([429, "application/problem+json"]);
    expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await reply.json()).toMatchObject({ status: 429, code: "waiting", state: "waiting", slot: 200, ahead: 100 });
  });

  test("[GATE-11] T4 C22 whose turn has come go in: the site's answer with the pass, kept from shared caches", async () => {
    const room = rig.room();
    rig.origin.handle((_, response) => {
      response.setHeader("Cache-Control", "public, s-maxage=600");
      response.setHeader("Set-Cookie", ["cart=1; Path=/", "lang=en; Expires=Wed, 09 Dec 2026 10:00:00 GMT"]);
      response.end("site");
    });
    const reply = await room.navigate("/shop", { place: await room.ticket({ slot: 99 }) });
    rig.origin.handle(htmlPage);
    expect([reply.status, await reply.text()]).toEqual([200, "site"]);
    expect(reply.headers.get("Cache-Control")).toContain("private");
    expect(reply.headers.get("Cache-Control")).not.toContain("s-maxage");
    const lines = reply.headers.getSetCookie();
    expect(lines.slice(0, 2)).toEqual(["cart=1; Path=/", "lang=en; Expires=Wed, 09 Dec 2026 10:00:00 GMT"]);
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ slot: 99, serial: 1 });
    expect(room.hits()[0]?.header("Vestibule-Session")).toBe("1.99");
    expect(room.hits()[0]?.header("Vestibule-Session-Ends")).toMatch(/^idle=\d+, absolute=\d+$/);
  });

  test("[GATE-11] data that a shared cache could keep is kept from it for the entry's sake, and only then", async () => {
    const room = rig.room();
    rig.origin.handle((_, response) => {
      response.setHeader("Cache-Control", "public, max-age=600");
      response.setHeader("Content-Type", "application/json");
      response.end("{}");
    });
    const entry = await room.fetch("/api", { cookies: { place: await room.ticket({ slot: 99 }) } });
    expect(claimsIn(setBy(entry).get("vestibule-pass"))).toMatchObject({ slot: 99 });
    expect(entry.headers.get("Cache-Control")).toBe("private, max-age=600");
    const later = await room.fetch("/api", { cookies: { pass: await room.pass() } });
    expect(later.headers.get("Cache-Control")).toBe("public, max-age=600");
    rig.origin.handle(htmlPage);
  });

  test.each([200, 302, 304, 404, 500])(
    "[GATE-11] [PROXY-3] C22 with a %i of the site its cookies and ours arrive, each on a line of its own",
    async (status) => {
      const room = rig.room();
      const theirs = ["cart=1; Path=/", "lang=en; Expires=Wed, 09 Dec 2026 10:00:00 GMT"];
      rig.origin.handle((_, response) => {
        response.writeHead(status, { "Set-Cookie": theirs, Location: "/elsewhere", "Content-Length": "0" });
        response.end();
      });
      const reply = await room.navigate("/shop", { place: await room.ticket({ slot: 99 }) });
      rig.origin.handle(htmlPage);
      const lines = reply.headers.getSetCookie();
      expect([reply.status, lines.length, lines.slice(0, 2)]).toEqual([status, 3, theirs]);
      expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ slot: 99 });
    },
  );

  test("[GATE-11] a site that fails costs nobody the entry", async () => {
    const room = rig.room();
    rig.origin.handle((_, response) => response.destroy());
    const reply = await room.navigate("/shop", { place: await room.ticket({ slot: 99 }) });
    rig.origin.handle(htmlPage);
    expect(reply.status).toBe(502);
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ slot: 99 });
  });

  const verdicts: [ClaimVerdict, object][] = [
    [
      { as: "moment", dueInMs: 900 },
      { state: "called", reason: "moment", dueInMs: 900 },
    ],
    [{ as: "paused" }, { state: "paused" }],
    [{ as: "waiting" }, { state: "waiting", ahead: 0 }],
    [
      { as: "returning", ahead: 2, untilMs: Date.now() + 600_000 },
      { state: "returning", ahead: 2, reason: "missed-away" },
    ],
    [
      { as: "void", takeoversLeft: 3 },
      { state: "void", takeoversLeft: 3 },
    ],
    [
      { as: "ended", why: "return-time-over" },
      { state: "ended", reason: "return-time-over" },
    ],
    [
      { as: "ended", why: "flushed" },
      { state: "ended", reason: "flushed" },
    ],
  ];
  test.each(verdicts)("[GATE-11] who may not enter hears why: %j", async (claim, status) => {
    const room = rig.room();
    await room.script({ claim });
    const place = await room.ticket({ slot: 99 });
    expect(await told(await room.navigate("/shop", { place }))).toMatchObject({ slot: 99, ...status });
    const data = await room.fetch("/shop", { cookies: { place } });
    expect([data.status, await told(data)]).toMatchObject([429, status]);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-20] C74 a ticket past half of its life is set again, with its time of joining and its slot", async () => {
    const room = rig.room();
    const iat = nowS() - 50_000;
    const reply = await room.navigate("/shop", { place: await room.ticket({ iat, exp: nowS() + 30_000 }) });
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ kind: "ticket", slot: 200, iat });
    expect((claimsIn(setBy(reply).get("vestibule"))?.exp ?? 0) - nowS()).toBeGreaterThan(80_000);
    const fresh = await room.navigate("/shop", { place: await room.ticket({ iat, exp: nowS() + 80_000 }) });
    expect(fresh.headers.getSetCookie()).toEqual([]);
  });

  test("[GATE-22][P11] the Room unreachable: the page says so and the place is kept", async () => {
    const room = rig.room();
    await room.fail("plain", "plain");
    const place = await room.ticket();
    const reply = await room.navigate("/shop", { place });
    expect([reply.status, await told(reply)]).toMatchObject([503, { state: "waiting", reason: "room-unreachable", slot: 200 }]);
    expect(reply.headers.getSetCookie()).toEqual([]);
    const called = rig.room();
    await called.navigate("/shop", { place: await called.ticket() });
    await called.fail("overloaded");
    const claim = await called.navigate("/shop", { place: await called.ticket({ slot: 99 }) });
    expect([claim.status, await told(claim)]).toMatchObject([503, { reason: "room-unreachable", slot: 99 }]);
    expect([...room.hits(), ...called.hits()]).toEqual([]);
  });
});

describe("newcomers on a quiet room", () => {
  test("[GATE-13] without a cookie see the site at once, by any method, and a page load gets a visitor token", async () => {
    const room = rig.room();
    await room.script({ manifest: { quiet: true, admittedEpoch: 0, tail: 0 }, leaseUnits: 60 });
    const page = await room.navigate("/shop");
    expect([page.status, await page.text()]).toMatchObject([200, expect.stringContaining("origin GET /shop")]);
    expect(claimsIn(setBy(page).get("vestibule"))).toMatchObject({ kind: "visitor" });
    const post = await room.fetch("/api", { method: "POST", body: "x" });
    expect([post.status, post.headers.getSetCookie()]).toEqual([200, []]);
    expect(room.hits().map((hit) => hit.header("Vestibule-Status"))).toEqual(["unproven", "unproven"]);
    expect((await room.seen()).batches.flatMap((batch) => batch.joins)).toEqual([]);
  });

  test("[GATE-13] more of one network than its share, and more than the lease, are treated as on a busy room", async () => {
    const room = rig.room();
    await room.script({ manifest: { quiet: true, admittedEpoch: 0, tail: 0 }, leaseUnits: 10 });
    const from = (ip: string) => room.fetch("/x", { headers: { "CF-Connecting-IP": ip } });
    const same = [];
    for (let i = 0; i < 8; i++) same.push((await from(`192.0.2.${i}`)).status);
    expect(same).toEqual([200, 200, 200, 428, 428, 428, 428, 428]);
    const before = (await room.seen()).attempts;
    const others = await Promise.all(Array.from({ length: 40 }, (_, i) => from(`10.0.${i}.1`)));
    expect(others.filter((reply) => reply.status === 200).length).toBeGreaterThan(5);
    expect((await room.seen()).attempts - before).toBeLessThan(8);
  });

  test("[GATE-12] with a visitor token go straight in, with no page in between", async () => {
    const room = rig.room();
    await room.script({ manifest: { quiet: true, admittedEpoch: 0, tail: 0 }, join: { as: "next-inside" } });
    const reply = await room.navigate("/shop", { place: await room.visitor() });
    expect([reply.status, await reply.text()]).toMatchObject([200, expect.stringContaining("origin GET /shop")]);
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ kind: "ticket", slot: 1_000 });
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ kind: "pass", slot: 1_000 });
    const post = await room.fetch("/buy", { method: "POST", body: "x=1", cookies: { place: await room.visitor() } });
    expect(post.status).toBe(200);
    expect(await room.hits()[1]?.body()).toEqual(Buffer.from("x=1"));
  });

  test("[GATE-12] by a key whose turn has come already the claim follows in the same request", async () => {
    const room = rig.room();
    await room.script({ manifest: { admittedEpoch: 2_000 } });
    const reply = await room.navigate("/shop", { place: await room.visitor() });
    expect(reply.status).toBe(200);
    expect(claimsIn(setBy(reply).get("vestibule"))).toMatchObject({ slot: 1_000 });
    expect(claimsIn(setBy(reply).get("vestibule-pass"))).toMatchObject({ slot: 1_000 });
  });
});

describe("newcomers on a busy room", () => {
  test("[GATE-14] one redirect that proves the cookie, then a place in line", async () => {
    const room = rig.room();
    const browser = room.browser();
    const redirect = await browser.fetch("/shop?a=1", { headers: NAVIGATION });
    expect([redirect.status, redirect.headers.get("Cache-Control")]).toEqual([303, "private, no-store"]);
    const location = new URL(redirect.headers.get("Location") ?? "");
    expect(location.href).toBe(`${room.publicOrigin}/__vestibule/check?to=%2Fshop%3Fa%3D1`);
    const back = await browser.fetch(location, { headers: NAVIGATION });
    expect([back.status, back.headers.get("Location")]).toEqual([303, `${room.publicOrigin}/shop?a=1`]);
    expect(await told(await browser.fetch("/shop?a=1", { headers: NAVIGATION }))).toMatchObject({ state: "waiting", slot: 1_000 });
    expect(await told(await browser.navigate("/other"))).toMatchObject({ state: "waiting", slot: 1_000 });
  });

  test("[GATE-14] T1 C63 without cookies: one redirect, then a page that says what is needed; no place, no call", async () => {
    const room = rig.room();
    for (let i = 0; i < 30; i++) {
      const redirect = await room.navigate(`/shop?${i}`);
      expect(redirect.status).toBe(303);
      const page = await room.navigate(redirect.headers.get("Location")?.slice(room.publicOrigin.length) ?? "");
      expect([page.status, await told(page)]).toMatchObject([200, { state: "joining", reason: "cookies-needed" }]);
      expect(page.headers.get("X-Robots-Tag")).toBe("noindex");
    }
    expect(await askedOf(room, "joins")).toEqual([]);
    expect((await room.seen()).attempts).toBeLessThan(8);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-14] what is not a page load hears that a cookie would help; a body is refused", async () => {
    const room = rig.room();
    const get = await room.fetch("/api/stock");
    expect([get.status, await get.json()]).toMatchObject([428, { code: "cookies-needed" }]);
    expect(claimsIn(setBy(get).get("vestibule"))).toMatchObject({ kind: "visitor" });
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const reply = await room.fetch("/api/stock", { method });
      expect([method, reply.status, reply.headers.getSetCookie()]).toEqual([method, 429, []]);
    }
    const socket = await room.fetch("/socket", {
      headers: {
        Upgrade: "websocket",
        Connection: "Upgrade",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version": "13",
      },
    });
    expect(socket.status).toBe(428);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-12] an app that keeps the cookie joins by asking again, and goes in when it is its turn", async () => {
    const room = rig.room();
    const app = room.browser();
    expect((await app.fetch("/api/stock")).status).toBe(428);
    expect(await told(await app.fetch("/api/stock"))).toMatchObject({ state: "waiting", slot: 1_000 });
    await room.script({ manifest: { admittedEpoch: 1_001 } });
    await expect.poll(async () => (await app.fetch("/api/stock")).status).toBe(200);
    expect(await askedOf(room, "joins")).toHaveLength(1);
  });

  test("[GATE-12] a join without an answer in time: the joining page, and the same key gets its place later", async () => {
    const room = rig.room();
    await room.navigate("/shop", { place: await room.ticket() });
    await room.fail("hang");
    const place = await room.visitor();
    expect(await told(await room.navigate("/shop", { place }))).toMatchObject({ state: "joining" });
    await expect.poll(async () => await told(await room.navigate("/shop", { place })), { interval: 300 }).toMatchObject({ slot: 1_000 });
  });

  test("[GATE-12] a lost reply gives no second place", async () => {
    const room = rig.room();
    await room.navigate("/shop", { place: await room.ticket() });
    await room.fail("lost");
    expect(await told(await room.navigate("/shop", { place: await room.visitor() }))).toMatchObject({ state: "waiting", slot: 1_000 });
    expect(await askedOf(room, "joins")).toHaveLength(2);
  });

  test("[GATE-18] nobody can join: told from the manifest, without a call", async () => {
    for (const [joins, state] of [
      ["stopped", "closed"],
      ["full", "full"],
      ["ended", "ended"],
    ] as const) {
      const room = rig.room();
      await room.script({ manifest: { joins } });
      expect(await told(await room.navigate("/shop"))).toMatchObject({ state });
      expect(await told(await room.navigate("/shop", { place: await room.visitor() }))).toMatchObject({ state });
      const data = await room.fetch("/api");
      expect([data.status, await told(data)]).toMatchObject([429, { state }]);
      expect(await askedOf(room, "joins")).toEqual([]);
      expect(room.hits()).toEqual([]);
    }
  });

  test("[SET-8] S4 C59 what a visitor says of addresses changes nobody's network: only what Cloudflare says counts", async () => {
    const room = rig.room();
    const lies: Record<string, string>[] = [
      {},
      { "X-Forwarded-For": "203.0.113.9, 192.0.2.7" },
      { "X-Forwarded-For": "198.51.100.1" },
      { "X-Real-IP": "198.51.100.2", "True-Client-IP": "198.51.100.3" },
      { Forwarded: "for=198.51.100.4", "X-Client-IP": "198.51.100.5", "CF-Connecting-IPv6": "2001:db8::1" },
    ];
    for (const headers of lies)
      await room.navigate("/shop", { place: await room.visitor() }, { ...headers, "CF-Connecting-IP": "192.0.2.7" });
    for (const headers of lies) await room.navigate("/shop", { place: await room.visitor() }, headers);
    const networks = (await askedOf(room, "joins")).map(({ network }) => network);
    expect(networks).toHaveLength(10);
    expect(new Set(networks.slice(0, 5)).size).toBe(1);
    expect(networks[0]).not.toBe(0);
    expect(networks.slice(5)).toEqual([0, 0, 0, 0, 0]);
  });

  test("[SET-8] S2 joins of a trusted network are counted for nobody, those of its neighbours for theirs", async () => {
    const room = rig.room();
    await room.script({ settings: { trusted_networks: ["192.0.2.0/25", "2001:db8::/64"] }, manifest: { config: 4 } });
    const from = ["192.0.2.7", "2001:db8::7", "192.0.2.200", "192.0.2.201", "2001:db8:0:1::7", "not an address"];
    for (const ip of from) await room.navigate("/shop", { place: await room.visitor() }, { "CF-Connecting-IP": ip });
    const [school, home, near, nearToo, other, none] = (await askedOf(room, "joins")).map(({ network }) => network);
    expect([school, home, none]).toEqual([0, 0, 0]);
    expect([near, other].includes(0)).toBe(false);
    expect([nearToo, near === other]).toEqual([near, false]);
  });

  test("[GATE-18] refused by the Room: told why", async () => {
    const room = rig.room();
    await room.script({ join: { as: "refused", why: "network", retryAfterMs: 60_000 } });
    const reply = await room.navigate("/shop", { place: await room.visitor() });
    expect(await told(reply)).toMatchObject({ state: "refused", reason: "network-limit" });
    expect(reply.headers.get("Retry-After")).toBe("60");
  });

  test("[GATE-22][P11] the Room unreachable: a page that keeps trying, and nobody passes", async () => {
    const room = rig.room();
    await room.fail("plain", "plain", "plain");
    for (const cookies of [{}, { place: await room.visitor() }]) {
      const reply = await room.navigate("/shop", cookies);
      expect([reply.status, await told(reply)]).toMatchObject([503, { state: "joining", reason: "room-unreachable" }]);
    }
    expect((await room.fetch("/api")).status).toBe(503);
    expect(room.hits()).toEqual([]);
  });
});

describe("what a cache in front would ask", () => {
  test("[P10] [GATE-14] W6 conditions, ranges and odd queries get nothing of the site without a pass, and store nothing", async () => {
    const room = rig.room();
    const asked: Record<string, string>[] = [
      { "If-None-Match": '"1"' },
      { "If-None-Match": "*" },
      { "If-Modified-Since": "Wed, 09 Dec 2026 10:00:00 GMT" },
      { Range: "bytes=0-9" },
      { "If-Range": '"1"', Range: "bytes=0-9" },
      { "Cache-Control": "only-if-cached" },
      { Pragma: "no-cache" },
    ];
    for (const headers of asked) {
      for (const cookies of [{}, { place: await room.ticket() }]) {
        for (const path of ["/shop", "/shop?cb=1"]) {
          for (const reply of [await room.navigate(path, cookies, headers), await room.fetch(path, { method: "HEAD", cookies, headers })]) {
            expect([headers, [206, 304].includes(reply.status), reply.headers.get("Cache-Control")]).toEqual([
              headers,
              false,
              "private, no-store",
            ]);
          }
        }
      }
    }
    expect(room.hits()).toEqual([]);
  });
});

describe("requests that nobody looks at", () => {
  const idle: [string, string, Record<string, string>][] = [
    ["HEAD", "HEAD", { Accept: "text/html" }],
    ["prefetch", "GET", { ...NAVIGATION, "Sec-Purpose": "prefetch" }],
    ["prerender", "GET", { ...NAVIGATION, "Sec-Purpose": "prefetch;prerender" }],
    ["Purpose", "GET", { ...NAVIGATION, Purpose: "prefetch" }],
    ["X-Moz", "GET", { ...NAVIGATION, "X-Moz": "prefetch" }],
  ];
  test.each(idle)("[GATE-15] T10 C92 %s on a busy room: 503, no place, no turn used up", async (_, method, headers) => {
    const room = rig.room();
    for (const cookies of [
      {},
      { place: await room.visitor() },
      { place: await room.ticket({ slot: 99 }) },
      { place: await room.ticket() },
    ]) {
      const reply = await room.fetch("/shop", { method, headers, cookies });
      expect([reply.status, reply.headers.get("Cache-Control"), reply.headers.getSetCookie()]).toEqual([503, "private, no-store", []]);
    }
    expect([...(await askedOf(room, "joins")), ...(await askedOf(room, "claims"))]).toEqual([]);
    expect(room.hits()).toEqual([]);
    expect(await told(await room.navigate("/shop", { place: await room.visitor() }))).toMatchObject({ state: "waiting" });
  });

  test.each(idle)(
    "[GATE-15] [GATE-8] T10 C92 %s by a pass that counts no more: 503, so that no browser keeps a page for later",
    async (_, method, headers) => {
      const room = rig.room();
      for (const [i, renew] of ([{ as: "lapsed" }, { as: "void", takeoversLeft: 2 }, { as: "ended", why: "removed" }] as const).entries()) {
        await room.script({ renew });
        for (const age of [40, 70]) {
          const pass = await room.pass({ iat: nowS() - age, serial: 10 * i + age });
          const reply = await room.fetch("/shop", { method, headers, cookies: { pass } });
          expect([renew.as, age, reply.status, reply.headers.getSetCookie()]).toEqual([renew.as, age, 503, []]);
        }
      }
      expect([...(await askedOf(room, "joins")), ...(await askedOf(room, "claims"))]).toEqual([]);
    },
  );

  test("[GATE-15] G8 a crawler is told to come back, and gains nothing by saying that it is one", async () => {
    const room = rig.room();
    const agent = { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" };
    const reply = await room.navigate("/shop", {}, agent);
    expect([reply.status, reply.headers.get("Retry-After")]).toMatchObject([503, expect.stringMatching(/^\d+$/)]);
    const waiting = await room.navigate("/shop", { place: await room.ticket() }, agent);
    expect(waiting.status).toBe(503);
    expect(room.hits()).toEqual([]);
  });
});

describe("requests with a body", () => {
  const urlencoded = { "Content-Type": "application/x-www-form-urlencoded" };
  const submit = (room: RigRoom, headers: Record<string, string>, cookies = {}) =>
    room.fetch("/pay/return?x=1", {
      method: "POST",
      body: "card=1&name=J%C3%B6rg+%22x%22",
      headers: { ...NAVIGATION, ...urlencoded, ...headers },
      cookies,
    });

  test("[GATE-16] T5 C45 from another site, without a pass: a page that leads in by GET; nothing of the body is in it, and no cookie is set", async () => {
    const room = rig.room();
    for (const headers of [{ "Sec-Fetch-Site": "cross-site" }, { "Sec-Fetch-Site": "same-site" }]) {
      const reply = await submit(room, headers);
      const html = await reply.clone().text();
      expect([reply.status, reply.headers.getSetCookie(), await told(reply)]).toMatchObject([429, [], { state: "joining" }]);
      expect(html).not.toContain("Jörg");
      expect(html).toContain("/pay/return?x=1");
    }
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-16] of the site itself: offered again by a button, exactly as it was", async () => {
    const room = rig.room();
    const reply = await submit(room, { "Sec-Fetch-Site": "same-origin" }, { place: await room.ticket() });
    const html = await reply.clone().text();
    expect(await told(reply)).toMatchObject({ state: "waiting", slot: 200 });
    expect(html).toContain('value="Jörg &quot;x&quot;"');
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-16] a form whose sender's turn has come hears so; it does not go in by itself", async () => {
    const room = rig.room();
    await room.script({ claim: { as: "called", holdForMs: 20_000, validForMs: 180_000 } });
    const reply = await submit(room, { "Sec-Fetch-Site": "same-origin" }, { place: await room.ticket({ slot: 99 }) });
    expect(await told(reply)).toMatchObject({ state: "called", holdForMs: 20_000 });
    expect(await askedOf(room, "claims")).toMatchObject([{ intent: "look" }]);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-16] T5 C45 with a pass the bank's return reaches the site once, with its body", async () => {
    const room = rig.room();
    const reply = await submit(room, { "Sec-Fetch-Site": "cross-site" }, { pass: await room.pass() });
    expect(reply.status).toBe(200);
    expect(room.hits()).toHaveLength(1);
    expect((await room.hits()[0]?.body())?.toString()).toBe("card=1&name=J%C3%B6rg+%22x%22");
  });
});

describe("hosts, paths and methods", () => {
  test("[GATE-1] G7 TRACE, TRACK, CONNECT and PURGE are refused, with a pass too", async () => {
    const room = rig.room();
    const pass = await room.pass();
    for (const method of ["TRACE", "PURGE"]) {
      const reply = await rawRequest(
        rig.url,
        `${method} /shop HTTP/1.1\r\nHost: ${room.host}\r\nCookie: vestibule-pass.${room.name}=${pass}\r\nConnection: close\r\n\r\n`,
      );
      expect([method, reply.status]).toEqual([method, 405]);
    }
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-1] G7 method overrides change nothing", async () => {
    const room = rig.room();
    const reply = await room.fetch("/shop?_method=GET", { method: "POST", headers: { "X-HTTP-Method-Override": "GET" } });
    expect(reply.status).toBe(429);
  });

  test("[GATE-2] G5 a host that nobody named is refused, the endpoints of ours included", async () => {
    for (const path of ["/", "/__vestibule/health", "/__vestibule/admin/api/rooms"]) {
      expect((await rig.send("evil.test", path)).status).toBe(421);
    }
    expect(rig.origin.received.filter((hit) => hit.header("X-Forwarded-Host") === "evil.test")).toEqual([]);
  });

  test("[GATE-2] however a host is written, it is the same host", async () => {
    const room = rig.room();
    for (const host of [room.host.toUpperCase(), `${room.host}.`, `${room.host}:80`, `${room.host}:8080`]) {
      expect([host, (await rig.send(host, "/shop", { headers: { Accept: "application/json" } })).status]).toEqual([host, 428]);
    }
  });

  test("[GATE-2] hosts of pass_hosts go through untouched, under our own prefix too", async () => {
    for (const path of ["/x", "/__vestibule/health"]) {
      const reply = await rig.send("static.test", path, { headers: { Cookie: "a=1" } });
      expect([reply.status, await reply.text()]).toMatchObject([200, expect.stringContaining(`origin GET ${path}`)]);
    }
    const hit = rig.origin.received.find((each) => each.header("X-Forwarded-Host") === "static.test");
    expect([hit?.header("Cookie"), hit?.header("Vestibule-Status")]).toEqual(["a=1", null]);
  });

  test("[GATE-2] G11 G13 T2 C21 headers and parameters that look like ours open nothing", async () => {
    const room = rig.room();
    const ticket = await room.ticket({ slot: 99 });
    const pass = await room.pass();
    const paths = [
      `/shop?vestibule[]=x`,
      `/shop?vestibule=${pass}&vestibule=${ticket}`,
      `/shop?vestibule=${"a".repeat(10_000)}`,
      `/shop?ticket=${ticket}`,
    ];
    for (const path of paths) expect((await room.navigate(path)).status).toBe(303);
    const headers = {
      "Vestibule-Status": "admitted",
      "Vestibule-Session": "1.1",
      "CF-Worker": "x",
      "X-Middleware-Subrequest": "1",
      Authorization: `Bearer ${pass}`,
    };
    expect((await room.navigate("/shop", {}, headers)).status).toBe(303);
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-3] our own prefix is never proxied, with a pass or on a room that is off", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "off" } });
    const pass = await room.pass();
    for (const path of [
      "/__vestibule",
      "/__vestibule/",
      "/__vestibule/nothing",
      "/__VESTIBULE/x",
      "/%5f_vestibule/x",
      "/x/../__vestibule/y",
    ]) {
      const reply = await rawRequest(rig.url, rawGet(room, [`Cookie: vestibule-pass.${room.name}=${pass}`], path));
      expect([path, reply.status]).toEqual([path, 404]);
    }
    expect(room.hits()).toEqual([]);
  });

  test("[GATE-19] C87 the room off: everybody goes straight to the site, untouched", async () => {
    const room = rig.room();
    await room.script({ manifest: { phase: "off" } });
    for (const cookies of [{}, { place: await room.ticket() }, { place: await room.visitor() }]) {
      // Nothing is handed out that could skip the line once the room is on.
      const replies = [await room.navigate("/shop", cookies), await room.fetch("/api", { method: "POST", cookies })];
      expect(replies.map(({ status, headers }) => [status, headers.getSetCookie()])).toEqual([
        [200, []],
        [200, []],
      ]);
    }
    expect(room.hits().map((hit) => hit.header("Vestibule-Status"))).toEqual(room.hits().map(() => null));
    expect(room.hits()).toHaveLength(6);
  });
});

function rawGet(room: RigRoom, lines: readonly string[], path = "/shop"): string {
  const headers = Object.entries(NAVIGATION).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, `Host: ${room.host}`, ...headers, ...lines, "Connection: close", "", ""].join("\r\n");
}

function htmlPage(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(`<p>origin ${request.method} ${request.url}</p>`);
}

describe("tokens of a revoked key", () => {
  const NOTED = { manifest: { revokedKeys: ["t0"] } } as const;
  const asks = async (room: RigRoom) =>
    (await room.seen()).batches.flatMap((batch) => [...batch.reissues, ...batch.claims, ...batch.joins]);

  test("[KEYS-4] K8 passes and visitor tokens are nothing, for any method", async () => {
    const room = rig.room();
    await room.script({ ...NOTED, manifest: { ...NOTED.manifest, admittedEpoch: 300 } });
    await heard(room);
    const [pass, place] = [await room.byOldKey().pass(), await room.byOldKey().visitor()];
    for (const method of ["GET", "POST", "PUT", "HEAD"])
      expect((await room.fetch("/shop", { method, cookies: { pass, place } })).status, method).not.toBe(200);
    expect((await room.navigate("/shop", { pass, place })).status).toBe(303);
    expect(room.hits()).toEqual([]);
    expect(await asks(room)).toEqual([]);
  });

  test("[KEYS-5] K8 until the Room has noted the revocation a ticket waits: never let in, no cookie, no call, not seen", async () => {
    const room = rig.room();
    await room.script({ manifest: { admittedEpoch: 100 } });
    await heard(room);
    for (const slot of [5, 200]) {
      const place = await room.byOldKey().ticket({ slot, exp: nowS() + 1_000 });
      const page = await room.navigate("/shop", { place });
      expect(page.headers.getSetCookie()).toEqual([]);
      expect(await told(page)).toMatchObject({ state: "waiting", slot });
      for (const act of ["claim", "extend", "continue", "join", "leave"]) {
        const reply = await room.post(`${room.api}/${act}`, { place });
        expect(reply.headers.getSetCookie(), act).toEqual([]);
        expect(await told(reply), act).toMatchObject({ state: "waiting", slot });
      }
      expect((await room.fetch("/shop", { method: "POST", cookies: { place } })).status).toBe(429);
      expect((await room.fetch("/shop", { method: "HEAD", cookies: { place } })).status).toBe(503);
    }
    expect(room.hits()).toEqual([]);
    expect(await asks(room)).toEqual([]);
    expect((await room.seen()).batches.flatMap(({ sightings }) => sightings)).toEqual([]);
  });

  test("[KEYS-5] K8 nor do an unreachable Room or one that answers nothing let it in", async () => {
    const room = rig.room();
    await room.script({ ...NOTED, manifest: { ...NOTED.manifest, admittedEpoch: 300 } });
    await heard(room);
    const place = await room.byOldKey().ticket();
    for (const reply of [{ reissues: [] }, { reissues: [{ as: "later" }] }]) {
      await room.script({ reply });
      const page = await room.navigate("/shop", { place });
      expect([page.status, await told(page)], JSON.stringify(reply)).toMatchObject([200, { state: "waiting", slot: 200 }]);
    }
    await room.fail("plain", "plain");
    expect((await room.navigate("/shop", { place })).headers.getSetCookie()).toEqual([]);
    expect(room.hits()).toEqual([]);
  });

  test("[KEYS-5] K8 made out anew, the place goes on with a cookie of the key that signs: waiting, or straight in", async () => {
    const room = rig.room();
    await room.script(NOTED);
    await heard(room);
    const iat = nowS() - 500;
    const place = await room.byOldKey().ticket({ slot: 200, iat });
    const page = await room.navigate("/shop", { place });
    expect(await told(page.clone())).toMatchObject({ state: "waiting", slot: 200, ahead: 100 });
    const anew = setBy(page).get("vestibule") ?? "";
    expect(decodeToken(anew)).toMatchObject({ kid: "t1", claims: { slot: 200, iat } });
    const [asked] = (await room.seen()).batches.flatMap(({ reissues }) => reissues);
    expect(asked).toEqual({ kid: "t0", slot: 200, entry: null, token: expect.stringMatching(/^[\w-]{16}$/) });
    await room.navigate("/shop", { place: anew });
    expect((await asks(room)).length).toBe(1);
    await room.script({ manifest: { ...NOTED.manifest, admittedEpoch: 201 } });
    await expect.poll(async () => setBy(await room.navigate("/shop", { place })).has("vestibule-pass"), { timeout: 5_000 }).toBe(true);
    expect(room.hits()).toHaveLength(1);
    const bearer = await room.fetch(`${room.api}/status`, { headers: { Authorization: `Bearer ${place}` } });
    expect(bearer.status).toBe(200);
    expect(decodeToken(((await bearer.json()) as { ticket: string }).ticket)).toMatchObject({ kid: "t1" });
  });

  test("[KEYS-5] K8 refused, it says that another browser was first, and a new place is the visitor's own wish: one for each token", async () => {
    const room = rig.room();
    await room.script({ ...NOTED, reissue: { as: "void" }, manifest: { ...NOTED.manifest, admittedEpoch: 300 } });
    await heard(room);
    const [one, two] = [await room.byOldKey().ticket(), await room.byOldKey().ticket({ iat: nowS() - 61 })];
    const page = await room.navigate("/shop", { place: one });
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(await told(page)).toMatchObject({ state: "ended", reason: "place-void", slot: 200 });
    const slots = [];
    for (const place of [one, one, two]) {
      const joined = await room.post(`${room.api}/join`, { place });
      const token = decodeToken(setBy(joined).get("vestibule") ?? "");
      slots.push(token?.claims.kind === "ticket" ? token.claims.slot : null);
      expect(token?.kid).toBe("t1");
    }
    expect(slots[0]).toBeGreaterThanOrEqual(1_000);
    expect(slots[1]).toBe(slots[0]);
    expect(slots[2]).not.toBe(slots[0]);
    expect(room.hits()).toEqual([]);
    const left = await room.post(`${room.api}/leave`, { place: one });
    expect(await told(left)).toMatchObject({ state: "ended", reason: "left" });
    expect((await room.seen()).batches.flatMap(({ leaves }) => leaves)).toEqual([]);
  });

  test("[KEYS-7] K8 beside a pass by a good key the old ticket is not needed: nothing is asked for it", async () => {
    const room = rig.room();
    await room.script({ ...NOTED, manifest: { ...NOTED.manifest, admittedEpoch: 300 } });
    await heard(room);
    const place = await room.byOldKey().ticket({ slot: 50 });
    const reply = await room.navigate("/shop", { place, pass: await room.pass({ slot: 50 }) });
    expect(reply.status).toBe(200);
    // Idle for too long: by the pass's own serial, and the ticket comes with a good key.
    const back = await room.navigate("/shop", { place, pass: await room.pass({ slot: 50, serial: 3, iat: nowS() - 700 }) });
    expect(decodeToken(setBy(back).get("vestibule") ?? "")).toMatchObject({ kid: "t1", claims: { slot: 50 } });
    expect(await asks(room)).toMatchObject([{ slot: 50, serial: 3 }]);
  });

  test("[KEYS-5] K8 entries alike: held, made out anew as entries, by their slot once drawn, refused with the words for it", async () => {
    const room = rig.room();
    const lobby = {
      event: "e",
      draw: 7,
      entries: 9,
      opensAt: 0,
      startsAt: Date.now() + 9e6,
      endsAt: Date.now() + 9e7,
      plannedAt: 0,
      utcOffsetMinutes: 0,
      commitment: "",
      beacon: "none" as const,
    };
    await room.script({ manifest: { phase: "lobby", lobby } });
    const place = await room.byOldKey().entry({ draw: 7, entry: 4 });
    const held = await room.navigate("/shop", { place });
    expect(held.headers.getSetCookie()).toEqual([]);
    expect(await told(held)).toMatchObject({ state: "lobby" });
    expect(await asks(room)).toEqual([]);
    await room.script({ manifest: { phase: "lobby", lobby, revokedKeys: ["t0"], config: 2 } });
    await expect
      .poll(async () => decodeToken(setBy(await room.navigate("/shop", { place })).get("vestibule") ?? "")?.kid, { timeout: 5_000 })
      .toBe("t1");
    const draws = [{ id: 7, base: 500, count: 9, seed: "ab".repeat(32) }];
    await room.script({ manifest: { revokedKeys: ["t0"], config: 3, draws } });
    await expect
      .poll(async () => decodeToken(setBy(await room.navigate("/shop", { place })).get("vestibule") ?? "")?.claims.kind, { timeout: 5_000 })
      .toBe("ticket");
    await room.navigate("/shop", { place });
    const asked = (await room.seen()).batches.flatMap(({ reissues }) => reissues);
    expect(asked[0]).toMatchObject({ slot: null, entry: { draw: 7, entry: 4 } });
    expect(asked.at(-1)).toMatchObject({ slot: expect.any(Number), entry: { draw: 7, entry: 4 } });
    await room.script({ reissue: { as: "void" } });
    expect(await told(await room.navigate("/shop", { place }))).toMatchObject({ reason: "place-void" });
    expect(room.hits()).toEqual([]);
  });

  test("[KEYS-4] [P8] K8 an isolate whose own key the Room has revoked lets nobody in but by a good pass, and gives nothing out", async () => {
    const room = rig.room();
    await room.script({ manifest: { revokedKeys: ["t1"], quiet: true } });
    const tokens = [
      undefined,
      await room.visitor(),
      await room.ticket({ slot: 5 }),
      await room.byOldKey().ticket({ slot: 5 }),
      await room.entry(),
    ];
    // The first request hears of it, and goes by it; unless the Room is slow to say so.
    let isForwarded = true;
    for (let i = 0; i < 4 && isForwarded; i++) {
      const other = rig.room();
      await other.script({ manifest: { revokedKeys: ["t1"] } });
      await other.navigate("/shop", { pass: await other.pass() });
      isForwarded = other.hits().length > 0;
    }
    expect(isForwarded).toBe(false);
    await heard(room);
    for (const place of tokens) {
      for (const to of ["/shop", "/__vestibule/check?to=/shop", `${room.api}/status`]) {
        const reply = await room.navigate(to, place === undefined ? {} : { place, pass: await room.pass() });
        expect(reply.headers.getSetCookie(), to).toEqual([]);
      }
    }
    expect(room.hits()).toEqual([]);
    expect((await room.post(`${room.api}/join`, { place: await room.visitor() })).status).toBe(503);
    expect(rig.logs.filter((line) => line.includes("gate-failed"))).toEqual([]);
    expect(await asks(room)).toEqual([]);
  });

  test("[KEYS-4] [DOOR-2] [STAFF-3] K8 an isolate that has not heard yet makes nothing of a revoked key good: no invitation, no staff link", async () => {
    const imported = await importKeyRing(TEST_KEYS);
    if (!imported.ok) throw new Error(imported.problem);
    const { ring } = imported;
    const times = { iat: nowS(), exp: nowS() + 600 };
    const fresh = async () => {
      const room = rig.room();
      await room.script({ settings: { entry: "invited" }, manifest: { revokedKeys: ["t1"] } });
      const { token } = await signInvitation(ring, { room: room.name, uses: 1, subject: null, ...times });
      return { room, token };
    };
    const form = { ...NAVIGATION, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" };
    const link = await fresh();
    const field = await fresh();
    for (const reply of [
      await link.room.navigate(`/shop?vestibule-invitation=${link.token}`),
      await field.room.fetch(`${field.room.api}/door`, { method: "POST", headers: form, body: `to=%2Fshop&invitation=${field.token}` }),
    ]) {
      expect([reply.status, reply.headers.getSetCookie()]).toEqual([303, []]);
      expect(reply.headers.get("Location")).toContain("why=invitation-bad");
    }
    const { room } = await fresh();
    const token = await signToken(ring, { kind: "staff", room: room.name, link: 1, key: null, ...times });
    const body = new URLSearchParams({ to: "/shop", token, key: newVisitorKey() }).toString();
    const pressed = await room.fetch(`${room.api}/staff`, { method: "POST", headers: form, body });
    expect([pressed.status, pressed.headers.getSetCookie(), (await room.seen()).adminCalls]).toEqual([403, [], []]);
  });

  test("[KEYS-4] [DOOR-7] [STAFF-1] K8 nor does it make invitations and staff links that would open nothing", async () => {
    const room = rig.room();
    await room.script({ manifest: { revokedKeys: ["t1"] }, admin: { as: "ok", value: Date.now() } });
    const expires = new Date(Date.now() + 600_000).toISOString();
    const orders = { invitations: { expires }, "staff-links": { label: "press", hours: 1, url: `${room.publicOrigin}/shop` } };
    for (const [what, order] of Object.entries(orders)) {
      const reply = await room.fetch(`/__vestibule/admin/api/rooms/${room.name}/${what}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${TEST_ADMIN_TOKEN}`, "Content-Type": "application/json" },
        body: JSON.stringify(order),
      });
      expect([what, reply.status, await reply.json()]).toMatchObject([what, 503, { code: "no-signing-key" }]);
    }
    expect((await room.seen()).adminCalls).toEqual([]);
  });

  test("[KEYS-4] [LOOK-4] K8 nor does it show a preview by a link that such a key signed, or make one", async () => {
    const imported = await importKeyRing(TEST_KEYS);
    if (!imported.ok) throw new Error(imported.problem);
    const { ring } = imported;
    const link = async (room: RigRoom) => {
      const key = await sealPreview(ring, JSON.stringify({ room: room.name, exp: nowS() + 600, shown: {} }));
      return (await room.navigate(`${room.api}/preview?key=${key}`)).status;
    };
    expect(await link(rig.room())).toBe(200);
    const room = rig.room();
    const settings = { host: "shop.test", total_active_users: 1, new_users_per_minute: 60 };
    await room.script({ manifest: { revokedKeys: ["t1"] }, admin: { as: "ok", value: { settings } } });
    expect(await link(room)).toBe(403);
    const reply = await room.fetch(`/__vestibule/admin/api/rooms/${room.name}/preview`, {
      headers: { Authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    expect([reply.status, await reply.json()]).toMatchObject([503, { code: "no-signing-key" }]);
  });

  test("[KEYS-4] K8 a renewal by which the isolate hears that its key is revoked costs nobody the site's reply", async () => {
    let hits = 0;
    for (let i = 0; i < 8 && hits === 0; i++) {
      const room = rig.room();
      await heard(room);
      await room.script({ manifest: { revokedKeys: ["t1"] } });
      const reply = await room.navigate("/shop", { pass: await room.pass({ iat: nowS() - 40 }) });
      hits = room.hits().length;
      if (hits > 0) expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, []]);
    }
    expect(hits).toBe(1);
    expect(rig.logs.filter((line) => line.includes("gate-failed"))).toEqual([]);
  });
});

describe("with bind_network", () => {
  const A = "192.0.2.7";
  const B = "198.51.100.7";
  const SIX = "2001:db8:1::7";
  const at = (ip: string) => ({ "CF-Connecting-IP": ip });
  const networksOf = (response: Response, name: "vestibule" | "vestibule-pass" = "vestibule-pass") => {
    const claims = claimsIn(setBy(response).get(name));
    return claims?.kind === "pass" || claims?.kind === "ticket" ? claims.networks : undefined;
  };
  const of = (networks: Networks | undefined) => (networks === undefined ? {} : { networks });
  const bound = async (mode: "pass" | "ticket", more: object = {}) => {
    const room = rig.room();
    await room.script({ settings: { bind_network: mode, ...more }, manifest: { config: 2, admittedEpoch: 300 } });
    await heard(room);
    await heard(room);
    return room;
  };
  const renewals = (room: RigRoom) => askedOf(room, "renewals");

  test("[BIND-1] K13 a pass learns one network of each family, and is shown from both without a question", async () => {
    const room = await bound("pass");
    const entered = await room.navigate("/shop", { place: await room.ticket() }, at(A));
    const first = networksOf(entered);
    expect(first).toEqual({ v4: expect.any(Number), v6: 0 });
    expect(networksOf(entered, "vestibule")).toBeUndefined();
    const pass = await room.pass({ slot: 200, ...of(first), iat: nowS() - 40 });
    const both = networksOf(await room.navigate("/shop", { pass }, at(SIX)));
    expect(both).toEqual({ v4: first?.v4, v6: expect.any(Number) });
    expect(both?.v6).toBeGreaterThan(0);
    expect((await renewals(room)).map(({ moved }) => moved)).toEqual([undefined]);
    await room.forget();
    const dual = await room.pass({ slot: 200, ...of(both) });
    for (const ip of [A, SIX, "192.0.2.99", "2001:db8:1::ff"])
      expect((await room.navigate("/shop", { pass: dual }, at(ip))).status).toBe(200);
    expect(await renewals(room)).toEqual([]);
  });

  test("[BIND-2] K13 from another network the Room is asked before anything is shown, and the new one is adopted", async () => {
    const room = await bound("pass");
    const pass = await room.pass({ networks: { v4: 7, v6: 9 }, iat: nowS() - 2 });
    const moved = await room.navigate("/shop", { pass }, at(B));
    expect(await renewals(room)).toMatchObject([{ slot: 50, moved: true }]);
    expect(networksOf(moved)).toEqual({ v4: expect.any(Number), v6: 9 });
    expect(networksOf(moved)?.v4).not.toBe(7);
    await room.script({ renew: { as: "void", takeoversLeft: 3, moved: true }, claim: { as: "void", takeoversLeft: 3, moved: true } });
    const before = room.hits().length;
    const asked = await room.navigate("/shop", { pass }, at(A));
    expect(await told(asked)).toMatchObject({ state: "void", reason: "network-changed" });
    expect(room.hits().length).toBe(before);
    await room.script({
      claim: { as: "entered", pass: { slot: 50, serial: 9, issuedAtS: nowS(), expiresAtS: nowS() + 600, endsAtS: nowS() + 900 } },
    });
    const on = await room.post(`${room.api}/continue`, { pass }, at(A));
    expect(await told(on)).toMatchObject({ state: "inside" });
    expect(networksOf(on)).toEqual({ v4: expect.any(Number), v6: 9 });
    expect((await askedOf(room, "claims")).at(-1)).toMatchObject({ intent: "continue", moved: true });
  });

  test("[BIND-1] K13 trusted and unknown addresses never move, nor does anybody where it is off or the Room is away", async () => {
    const room = await bound("pass", { trusted_networks: ["203.0.113.0/24"] });
    const pass = await room.pass({ networks: { v4: 7, v6: 9 } });
    for (const headers of [at("203.0.113.9"), {}, at("nonsense")])
      expect((await room.navigate("/shop", { pass }, headers)).status).toBe(200);
    expect(await renewals(room)).toEqual([]);
    const off = rig.room();
    const unbound = await off.navigate("/shop", { pass: await off.pass({ networks: { v4: 7, v6: 9 }, iat: nowS() - 40 }) }, at(B));
    expect(networksOf(unbound)).toBeUndefined();
    expect((await renewals(off)).filter(({ moved }) => moved)).toEqual([]);
    await room.fail("plain");
    expect((await room.navigate("/shop", { pass }, at(B))).status).toBe(200);
  });

  test("[BIND-3] K13 a ticket learns while it waits and keeps what it knows; at its turn the Room is told, and the ticket is bound anew", async () => {
    const room = await bound("ticket");
    const joined = await room.post(`${room.api}/join`, { place: await room.visitor() }, at(A));
    const own = networksOf(joined, "vestibule");
    expect(own).toEqual({ v4: expect.any(Number), v6: 0 });
    const old = { slot: 400, ...of(own), exp: nowS() + 1_000 };
    const waiting = await room.navigate("/shop", { place: await room.ticket(old) }, at(SIX));
    expect(networksOf(waiting, "vestibule")).toEqual({ v4: own?.v4, v6: expect.any(Number) });
    const elsewhere = await room.navigate("/shop", { place: await room.ticket(old) }, at(B));
    expect(await told(elsewhere.clone())).toMatchObject({ state: "waiting", slot: 400 });
    expect(networksOf(elsewhere, "vestibule")).toEqual(own);
    const place = await room.ticket({ slot: 250, ...of(own) });
    const entered = await room.navigate("/shop", { place }, at(B));
    expect((await askedOf(room, "claims")).at(-1)).toMatchObject({ slot: 250, moved: true });
    expect(networksOf(entered, "vestibule")).toEqual(networksOf(entered));
    expect(networksOf(entered)?.v4).not.toBe(own?.v4);
    await room.script({ claim: { as: "void", takeoversLeft: 3, moved: true } });
    expect(await told(await room.navigate("/shop", { place }, at(B)))).toMatchObject({ state: "void", reason: "network-changed" });
  });
});
