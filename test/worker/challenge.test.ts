/** Proof before a place: what newcomers are asked, by page and by JSON, in front of a Room that answers as told, with a stand-in for Turnstile. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import type { JoinRequest } from "../../src/core/exchange";
import type { Challenge } from "../../src/core/proof";
import type { Status } from "../../src/core/status";
import { decodeToken } from "../../src/core/token";
import { newVisitorKey } from "../../src/keys";
import { type Cookies, NAVIGATION, type Rig, type RigRoom, startRig, told } from "../support/gate-rig";
import { parseSetCookie } from "../support/jar";
import { answerTo } from "../support/proofs";
import { shared } from "../support/second-try";

const SECRET = "0x4AAAAAAAsecretOfAWidget";
const FULL = { as: "refused", why: "full", retryAfterMs: 1_000 } as const;
const CHECK = { cost: 1, difficulty: 1, everyone: false } as const;

let rig: Rig;
let turnstile: Server;
let turnstileUrl = "";
/** What siteverify answers to a token; null = 500. */
let verdictOn: (token: string) => object | null = () => null;
let verified: { response: string; remoteip?: string }[] = [];

shared(
  async () => {
    turnstile = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const asked = JSON.parse(text) as (typeof verified)[number];
      verified.push(asked);
      const verdict = verdictOn(asked.response);
      response.writeHead(verdict === null ? 500 : 200).end(JSON.stringify(verdict));
    });
    await new Promise<void>((resolve) => turnstile.listen(0, "127.0.0.1", resolve));
    turnstileUrl = `http://127.0.0.1:${(turnstile.address() as AddressInfo).port}`;
    rig = await startRig({
      settings: { challenge: "pow", poll_far_seconds: 60 },
      vars: { TURNSTILE_SECRET: SECRET, TURNSTILE_URL: turnstileUrl },
      damperLimit: 8,
    });
  },
  async () => {
    await rig.stop();
    await new Promise((resolve) => turnstile.close(resolve));
  },
);
beforeEach(() => {
  verified = [];
});

async function joinsOf(room: RigRoom): Promise<readonly JoinRequest[]> {
  return (await room.seen()).batches.flatMap(({ joins }) => joins);
}

/** The value of a cookie that a reply sets, by its name without the room; "" = cleared, undefined = not there. */
function setBy(response: Response, name: string): string | undefined {
  const cookies = response.headers.getSetCookie().map(parseSetCookie);
  return cookies.find((cookie) => cookie.name.split(".")[0] === name)?.value;
}
const claimsIn = (token: string | undefined) => decodeToken(token ?? "")?.claims;

const join = (room: RigRoom, cookies: Cookies, proof?: string, headers: Record<string, string> = {}) =>
  room.post(`${room.api}/join`, cookies, { ...headers, ...(proof === undefined ? {} : { "Vestibule-Proof": proof }) });

type Asked = Status & { readonly challenge: Challenge };

/** The challenge for whoever holds these cookies. */
async function asked(room: RigRoom, cookies: Cookies, headers: Record<string, string> = {}): Promise<Challenge> {
  return ((await (await join(room, cookies, undefined, headers)).json()) as Asked).challenge;
}

async function answered(room: RigRoom, cookies: Cookies): Promise<string> {
  const challenge = await asked(room, cookies);
  if (challenge.kind !== "pow") throw new Error(`asked for ${challenge.kind}`);
  return answerTo(challenge.altcha);
}

describe("a newcomer whom the Room asks", () => {
  test("[PROOF-4] S2 gets the check on a page, a challenge as JSON, and no place before it is answered", async () => {
    const room = rig.room();
    await room.script({ join: { as: "proven", cost: 1 } });
    const place = await room.visitor();
    const page = await room.navigate("/shop", { place });
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    expect([page.status, page.headers.get("Retry-After"), page.headers.getSetCookie()]).toEqual([200, "60", []]);
    expect([policy.includes("worker-src 'self'"), policy.includes("frame-src"), policy.includes("http")]).toEqual([true, false, false]);
    expect(await told(page)).toMatchObject({ state: "joining", reason: "challenge", challenge: { kind: "pow", cost: 1 } });
    for (const reply of [await room.fetch("/api", { cookies: { place } }), await join(room, { place })]) {
      const body = (await reply.json()) as Asked;
      expect([reply.status, reply.headers.get("Retry-After"), reply.headers.getSetCookie()]).toEqual([403, null, []]);
      expect(body).toMatchObject({ state: "joining", reason: "challenge", slot: null, challenge: { kind: "pow", cost: 1 } });
    }
    expect((await (await room.fetch("/api", { cookies: { place } })).json()) as object).toMatchObject({ code: "challenge" });
    const place2 = await join(room, { place }, await answered(room, { place }));
    expect([place2.status, await place2.json()]).toMatchObject([200, { state: "waiting", slot: 1_000 }]);
    expect(claimsIn(setBy(place2, "vestibule"))).toMatchObject({ kind: "ticket", slot: 1_000 });
    expect((await joinsOf(room)).map(({ proof }) => proof)).toEqual([0, 0, 0, 0, 0, 1]);
    expect(room.hits()).toEqual([]);
  });

  test("[PROOF-1] S5 with an answer that is another's, changed, expired or senseless is asked again, and the Room hears of no proof", async () => {
    const room = rig.room();
    await room.script({ join: { as: "proven", cost: 1 } });
    const other = rig.room();
    const key = newVisitorKey();
    const place = await room.visitor({ key });
    const good = await answered(room, { place });
    await other.script({ join: { as: "proven", cost: 1 } });
    const abroad = await join(other, { place: await other.visitor({ key }) }, good);
    expect([abroad.status, await abroad.json()]).toMatchObject([403, { challenge: { again: "wrong" } }]);
    const tried: [string, string, Cookies][] = [
      ["wrong", good, { place: await room.visitor() }],
      ["wrong", `${good.slice(0, -8)}AAAAAAAA`, { place }],
      ["wrong", `pow ${"A".repeat(9_000)}`, { place }],
      ["wrong", "pow %%%", { place }],
      ["wrong", "turnstile abc", { place }],
      ["expired", `kept ${await room.proof({ key, iat: 1_700_000_000, exp: 1_700_000_600 })}`, { place }],
      ["expired", `kept ${await room.proof({ key: newVisitorKey() })}`, { place }],
      ["expired", `kept ${await other.proof({ key })}`, { place }],
      ["expired", `kept ${place}`, { place }],
    ];
    for (const [again, proof, cookies] of tried) {
      const reply = await join(room, cookies, proof);
      expect([reply.status, await reply.json()], proof.slice(0, 40)).toMatchObject([403, { reason: "challenge", challenge: { again } }]);
    }
    expect(new Set((await joinsOf(room)).map(({ proof }) => proof))).toEqual(new Set([0]));
    expect((await join(room, { place }, good)).status).toBe(200);
    // The header counts at our own endpoints only.
    const late = { place: await room.visitor() };
    const ownGood = await answered(room, late);
    expect((await room.fetch("/api", { cookies: late, headers: { "Vestibule-Proof": ownGood } })).status).toBe(403);
  });

  test("[PROOF-5] keeps what was shown in a cookie of its key until there is a place", async () => {
    const room = rig.room();
    await room.script({ join: { as: "proven", cost: 1 } });
    const key = newVisitorKey();
    const place = await room.visitor({ key });
    const proof = await answered(room, { place });
    await room.script({ join: FULL });
    const late = await join(room, { place }, proof);
    expect(await late.json()).toMatchObject({ state: "full" });
    const kept = setBy(late, "vestibule-proof") ?? "";
    expect(claimsIn(kept)).toMatchObject({ kind: "proof", key, work: 1, human: false });
    expect(late.headers.getSetCookie().join()).toMatch(/vestibule-proof\.r\d+=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/);
    await room.script({ join: { as: "proven", cost: 1 } });
    const page = await room.navigate("/shop", { place, proof: [kept, "x.y.z"] });
    expect(await told(page)).toMatchObject({ state: "waiting" });
    expect(setBy(page, "vestibule-proof")).toBe("");
    // Of no use to another key, in another room, or where more is asked.
    await room.script({ join: { as: "proven", cost: 2 } });
    for (const cookies of [
      { place: await room.visitor(), proof: kept },
      { place: await room.visitor({ key: newVisitorKey() }), proof: kept },
    ])
      expect(await told(await room.navigate("/shop", cookies))).toMatchObject({ reason: "challenge", challenge: { cost: 2 } });
    const all = await joinsOf(room);
    expect(all.filter(({ proof }) => proof === 1).every((request) => request.key === key)).toBe(true);
    expect((await room.navigate("/shop", { place, pass: await room.pass() })).status).toBe(200);
    expect(rig.origin.received.at(-1)?.header("Cookie")).toBeNull();
  });

  test("[PROOF-8] an app that keeps no cookies does the same by bearer token and gets what was shown as JSON", async () => {
    const room = rig.room();
    await room.script({ join: { as: "proven", cost: 1 } });
    const key = newVisitorKey();
    const bearer = { Authorization: `Bearer ${await room.visitor({ key })}` };
    const ask = (headers: Record<string, string> = {}) =>
      room.fetch(`${room.api}/join`, { method: "POST", headers: { ...bearer, ...headers } });
    const first = (await (await ask()).json()) as Asked;
    if (first.challenge.kind !== "pow") throw new Error("no work");
    await room.script({ join: FULL });
    const late = await ask({ "Vestibule-Proof": answerTo(first.challenge.altcha) });
    const { proof, ...full } = (await late.json()) as Status & { proof: string };
    expect([full, late.headers.getSetCookie()]).toMatchObject([{ state: "full" }, []]);
    expect(claimsIn(proof)).toMatchObject({ kind: "proof", key, work: 1 });
    await room.script({ join: { as: "proven", cost: 1 } });
    const placed = await ask({ "Vestibule-Proof": `kept ${proof}` });
    expect(await placed.json()).toMatchObject({ state: "waiting", ticket: expect.any(String) });
  });

  test("[PROOF-5] whose proof made a place before is asked afresh, for a place under a new key", async () => {
    const room = rig.room();
    const key = newVisitorKey();
    await room.script({ join: { as: "challenge", cost: 1 } });
    const page = await room.navigate("/shop", { place: await room.visitor({ key }), proof: await room.proof({ key }) });
    expect(await told(page)).toMatchObject({ reason: "challenge", challenge: { again: "used" } });
    const fresh = claimsIn(setBy(page, "vestibule"));
    expect([fresh?.kind, fresh !== undefined && "key" in fresh && fresh.key !== key, setBy(page, "vestibule-proof")]).toEqual([
      "visitor",
      true,
      "",
    ]);
  });

  test("[PROOF-2] is asked for work that follows the room's difficulty and the Room's cost", async () => {
    const room = rig.room();
    await room.script({ manifest: { challenge: { kind: "pow", ...CHECK, difficulty: 4 } }, join: { as: "challenge", cost: 3 } });
    const challenge = await asked(room, { place: await room.visitor() });
    expect(challenge).toMatchObject({ kind: "pow", cost: 3, altcha: { parameters: { data: { cost: 3, steps: 64_000 } } } });
  });
});

describe("where everybody is asked", () => {
  const everyone = { kind: "pow", ...CHECK, everyone: true } as const;

  test("[PROOF-4] S1 S2 nothing is asked of the Room before, however quiet it is; how many were asked comes with the next exchange", async () => {
    const room = rig.room();
    await room.script({ manifest: { challenge: everyone, quiet: true }, leaseUnits: 5, join: { as: "proven", cost: 1 } });
    const check = await room.navigate("/shop");
    expect([check.status, check.headers.get("Location")?.includes("/__vestibule/check")]).toEqual([303, true]);
    expect((await room.fetch("/api")).status).toBe(428);
    const place = await room.visitor();
    for (let i = 0; i < 5; i++) expect(await told(await room.navigate("/shop", { place }))).toMatchObject({ reason: "challenge" });
    const form = await room.fetch("/api", { method: "POST", body: "x=1", cookies: { place } });
    expect(form.status).toBe(429);
    expect([await joinsOf(room), room.hits()]).toEqual([[], []]);
    const reply = await join(room, { place }, await answered(room, { place }));
    expect(await reply.json()).toMatchObject({ state: "waiting" });
    const { batches } = await room.seen();
    expect([(await joinsOf(room)).map(({ proof }) => proof), batches.reduce((sum, batch) => sum + (batch.asked ?? 0), 0)]).toEqual([
      [1],
      6,
    ]);
  });

  test("[PROOF-4] T2 nobody is asked who has a place, an entry or a pass, nor who lost one by the operator's hand, nor a trusted network", async () => {
    const room = rig.room();
    await room.script({
      settings: { trusted_networks: ["192.0.2.0/24"] },
      manifest: { config: 4, challenge: everyone, generation: 2 },
      join: { as: "proven", cost: 1 },
    });
    const holders: Cookies[] = [
      { place: await room.ticket({ generation: 2 }) },
      { pass: await room.pass({ generation: 2 }) },
      { place: await room.entry({ generation: 2 }) },
      // Of the line before: gets a fresh place.
      { place: await room.ticket({ generation: 1 }) },
    ];
    for (const cookies of holders) expect((await told(await room.navigate("/shop", cookies)))?.reason).not.toBe("challenge");
    const trusted = await room.navigate("/shop", { place: await room.visitor() }, { "CF-Connecting-IP": "192.0.2.9" });
    expect(await told(trusted)).toMatchObject({ state: "waiting" });
    // The entry's draw was never heard of, so it was made good as well.
    expect((await joinsOf(room)).map(({ exempt, proof }) => [exempt, proof])).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
    ]);
    expect(await told(await room.navigate("/shop", { place: await room.visitor() }))).toMatchObject({ reason: "challenge" });
    await room.script({ manifest: { config: 4, challenge: everyone, generation: 2, quiet: true }, leaseUnits: 5 });
    await expect.poll(async () => (await room.fetch("/api", { headers: { "CF-Connecting-IP": "192.0.2.9" } })).status).toBe(200);
    expect((await room.fetch("/api")).status).toBe(428);
  });

  test("[PROOF-4] the setting alone asks too, before the Room has said so", async () => {
    const room = rig.room();
    await room.script({ settings: { challenge_everyone: true }, manifest: { config: 4 } });
    expect(await told(await room.navigate("/shop", { place: await room.visitor() }))).toMatchObject({ reason: "challenge" });
    expect(await joinsOf(room)).toEqual([]);
  });
});

describe("Turnstile", () => {
  const good = (host: string, cdata: string) => ({ success: true, hostname: host, action: "drop", cdata });

  async function withTurnstile(more: Record<string, unknown> = {}, cost = 1): Promise<RigRoom> {
    const room = rig.room();
    const settings = { challenge: "turnstile", turnstile_sitekey: "0x4AAAAAAAkey", turnstile_action: "drop", ...more };
    await room.script({ settings, manifest: { config: 4, challenge: { ...CHECK, kind: "turnstile" } }, join: { as: "proven", cost } });
    return room;
  }

  async function widget(room: RigRoom, cookies: Cookies): Promise<Extract<Challenge, { kind: "turnstile" }>> {
    const challenge = await asked(room, cookies);
    if (challenge.kind !== "turnstile") throw new Error(`asked for ${challenge.kind}`);
    return challenge;
  }

  test("[PROOF-3] S5 the page may load the widget and nothing else does; its token makes a place, without another question to siteverify", async () => {
    const room = await withTurnstile();
    const place = await room.visitor();
    await room.navigate("/shop", { place });
    const page = await room.navigate("/shop", { place });
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toMatch(new RegExp(`script-src 'nonce-[^']+' 'self' ${turnstileUrl};.*frame-src ${turnstileUrl};`));
    const { cdata, sitekey, action, script } = await widget(room, { place });
    expect([sitekey, action, script]).toEqual(["0x4AAAAAAAkey", "drop", `${turnstileUrl}/turnstile/v0/api.js?render=explicit`]);
    const waiting = await room.navigate("/shop", { place: await room.ticket() });
    expect(waiting.headers.get("Content-Security-Policy")).not.toContain(turnstileUrl);
    verdictOn = () => good(room.host, cdata);
    await room.script({ join: FULL });
    const late = await join(room, { place }, "turnstile token-a", { "CF-Connecting-IP": "192.0.2.7" });
    expect(await late.json()).toMatchObject({ state: "full" });
    const proof = setBy(late, "vestibule-proof") ?? "";
    expect(claimsIn(proof)).toMatchObject({ human: true, work: 0 });
    await room.script({ join: { as: "proven", cost: 1 } });
    expect(await told(await room.navigate("/shop", { place, proof }))).toMatchObject({ state: "waiting" });
    expect(verified).toMatchObject([{ response: "token-a", remoteip: "192.0.2.7" }]);
    // The same token for another visitor.
    const again = await join(room, { place: await room.visitor() }, "turnstile token-a");
    expect([again.status, await again.json()]).toMatchObject([403, { challenge: { kind: "turnstile", again: "used" } }]);
  });

  test("[PROOF-3] S5 a token of another host, action or holder is asked again", async () => {
    const room = await withTurnstile();
    const place = await room.visitor();
    const { cdata } = await widget(room, { place });
    for (const [i, verdict] of [
      { ...good("evil.test", cdata) },
      { ...good(room.host, cdata), action: "login" },
      good(room.host, "x"),
    ].entries()) {
      verdictOn = () => verdict;
      const reply = await join(room, { place }, `turnstile bad-${i}`);
      expect([reply.status, await reply.json()]).toMatchObject([403, { challenge: { kind: "turnstile", again: "wrong" } }]);
    }
    expect((await joinsOf(room)).every(({ proof }) => proof === 0)).toBe(true);
  });

  test("[PROOF-3] while siteverify is out, work stands in for it, or nobody new gets in", async () => {
    verdictOn = () => null;
    const room = await withTurnstile();
    const place = await room.visitor();
    const instead = (await (await join(room, { place }, "turnstile lost-1")).json()) as Asked;
    expect([instead.challenge.kind, verified.length]).toEqual(["pow", 2]);
    if (instead.challenge.kind !== "pow") throw new Error("no work");
    expect(await (await join(room, { place }, answerTo(instead.challenge.altcha))).json()).toMatchObject({ state: "waiting" });
    const strict = await withTurnstile({ turnstile_outage: "closed" });
    const closed = await join(strict, { place: await strict.visitor() }, "turnstile lost-2");
    expect(await closed.json()).toMatchObject({ pollAfterMs: 10_000, challenge: { kind: "turnstile", again: "unchecked" } });
    // Work that was asked for where Turnstile was not stands in for nothing.
    const plain = rig.room();
    await plain.script({ join: { as: "proven", cost: 1 } });
    const key = newVisitorKey();
    const worked = { place: await strict.visitor({ key }), proof: await strict.proof({ key, work: 8, human: false }) };
    expect(await asked(strict, worked)).toMatchObject({ kind: "turnstile" });
  });

  test("[PROOF-2] where more is asked, work follows the widget", async () => {
    const room = await withTurnstile({}, 2);
    const key = newVisitorKey();
    const place = await room.visitor({ key });
    const { cdata } = await widget(room, { place });
    verdictOn = () => good(room.host, cdata);
    const first = await join(room, { place }, "turnstile token-b");
    const proof = setBy(first, "vestibule-proof") ?? "";
    const { challenge } = (await first.json()) as Asked;
    expect([first.status, challenge.kind, challenge.cost, challenge.again]).toEqual([403, "pow", 2, undefined]);
    if (challenge.kind !== "pow") throw new Error("no work");
    // The work without the widget is half of it.
    expect(await (await join(room, { place }, answerTo(challenge.altcha))).json()).toMatchObject({ challenge: { kind: "turnstile" } });
    expect(await (await join(room, { place, proof }, answerTo(challenge.altcha))).json()).toMatchObject({ state: "waiting" });
    expect((await joinsOf(room)).at(-1)?.proof).toBe(2);
  });
});

describe("networks", () => {
  const from = (ip: string) => ({ "CF-Connecting-IP": ip });

  test("[PROOF-6] a refused network's newcomers are told so, by every method, and its holders go on", async () => {
    const room = rig.room();
    await room.script({
      settings: { refused_networks: ["192.0.2.0/24", "2001:db8::/32"] },
      manifest: { config: 4, quiet: true },
      leaseUnits: 5,
      join: { as: "next-inside" },
    });
    await room.navigate("/shop", { place: await room.visitor() });
    const before = await joinsOf(room);
    for (const ip of ["192.0.2.1", "192.0.2.255", "2001:db8::9"]) {
      const page = await room.navigate("/shop", { place: await room.visitor() }, from(ip));
      expect([page.status, await told(page)]).toMatchObject([403, { state: "refused", reason: "network-refused" }]);
      for (const method of ["GET", "POST", "HEAD"]) expect((await room.fetch("/api", { method, headers: from(ip) })).status).toBe(403);
      const reply = await join(room, { place: await room.visitor() }, undefined, from(ip));
      expect([reply.status, await reply.json()]).toMatchObject([403, { reason: "network-refused" }]);
    }
    expect([await joinsOf(room), room.hits().length]).toEqual([before, 1]);
    expect((await room.navigate("/shop", { pass: await room.pass() }, from("192.0.2.1"))).status).toBe(200);
    expect(await told(await room.navigate("/shop", { place: await room.ticket() }, from("192.0.2.1")))).toMatchObject({ state: "waiting" });
    expect(await told(await room.navigate("/shop", { place: await room.entry() }, from("192.0.2.1")))).not.toMatchObject({
      state: "refused",
    });
    expect((await room.navigate("/shop", {}, from("198.51.100.1"))).status).toBe(200);
    // A place that has ended is none: no other one follows it there.
    await room.script({ claim: { as: "ended", why: "left" }, manifest: { config: 4, admittedEpoch: 100 } });
    const held = { place: await room.ticket({ slot: 7 }) };
    const joined = async () => (await joinsOf(room)).length;
    await expect
      .poll(async () => (await (await join(room, held, undefined, from("198.51.100.1"))).json()) as Status)
      .toMatchObject({ state: "waiting" });
    const made = await joined();
    const after = await join(room, held, undefined, from("192.0.2.1"));
    expect([after.status, await after.json(), await joined()]).toMatchObject([403, { reason: "network-refused" }, made]);
  });

  test("[SET-8] S3 the Room is told prefix, address and wide prefix, each where there is one", async () => {
    const room = rig.room();
    const ips = ["192.0.2.7", "192.0.2.8", "2001:db8:1:1::7", "2001:db8:1:2::7", "2001:db8:2:1::7", "::ffff:192.0.2.7"];
    for (const ip of ips) await join(room, { place: await room.visitor() }, undefined, from(ip));
    const [a, b, c, d, e, mapped] = await joinsOf(room);
    expect([a?.network === b?.network, a?.address === b?.address, a?.address === 0, a?.wide, b?.wide]).toEqual([true, false, false, 0, 0]);
    expect([c?.network === d?.network, c?.wide === d?.wide, c?.wide === e?.wide, c?.wide === 0, c?.address]).toEqual([
      false,
      true,
      false,
      false,
      0,
    ]);
    expect([mapped?.network, mapped?.address]).toEqual([a?.network, a?.address]);
  });

  test("[PROOF-7] the damper slows the newcomers of one prefix, tells them when to come back, and nobody else", async () => {
    const room = rig.room();
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++)
      statuses.push((await join(room, { place: await room.visitor() }, undefined, from(`203.0.113.${i}`))).status);
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 429, 429]);
    const slowed = await join(room, { place: await room.visitor() }, undefined, from("203.0.113.77"));
    expect([slowed.headers.get("Retry-After"), await slowed.json()]).toMatchObject(["10", { reason: "network-limit" }]);
    expect(await told(await room.navigate("/shop", { place: await room.visitor() }, from("203.0.113.78")))).toMatchObject({
      reason: "network-limit",
    });
    const rest = await joinsOf(room);
    expect(rest).toHaveLength(8);
    expect(await told(await room.navigate("/shop", { place: await room.ticket() }, from("203.0.113.1")))).toMatchObject({
      state: "waiting",
    });
    expect((await room.navigate("/shop", { pass: await room.pass() }, from("203.0.113.1"))).status).toBe(200);
    expect((await join(room, { place: await room.visitor() }, undefined, from("198.51.100.1"))).status).toBe(200);
    expect((await room.fetch("/shop", { headers: { ...NAVIGATION, ...from("203.0.113.1") } })).status).toBe(303);
  });
});
