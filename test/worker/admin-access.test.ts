/** A log-in of Cloudflare Access in front of the admin API: tokens of its form, signed by keys that a server of the test's own publishes. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rig, startRig } from "../support/gate-rig";

const API = "/__vestibule/admin/api";
const AUDIENCE = "a".repeat(64);
let rig: Rig;
let keys: Server;
let issuer: string;
let own: CryptoKey;
let foreign: CryptoKey;

beforeAll(async () => {
  const [pair, other] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  own = pair.privateKey;
  foreign = other.privateKey;
  const published = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "RS256", use: "sig" }] });
  keys = createServer((request, response) => {
    response.writeHead(request.url === "/cdn-cgi/access/certs" ? 200 : 404, { "Content-Type": "application/json" });
    response.end(published);
  });
  await new Promise<void>((resolve) => keys.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`;
  const roles = { "ana@example.com": "operator", "@example.com": "viewer" };
  rig = await startRig({ vars: { ACCESS: { team_domain: issuer, audience: AUDIENCE, roles } } });
});
afterAll(async () => {
  await rig?.stop();
  keys.close();
});

const soon = () => Math.floor(Date.now() / 1_000) + 600;
const assertion = (claims: JWTPayload, key = own, from = issuer, audience = AUDIENCE) =>
  new SignJWT({ exp: soon(), ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "k1" })
    .setIssuedAt()
    .setIssuer(from)
    .setAudience([audience])
    .sign(key);

test("[ADMIN-21] counts by signature, issuer, audience and expiry, with the role of its address; nobody else gets in by the header", async () => {
  const room = rig.room();
  const me = async (token: string) => {
    const reply = await room.fetch(`${API}/me`, { headers: { "Cf-Access-Jwt-Assertion": token } });
    const { name, role, via, code } = (await reply.json()) as Record<string, unknown>;
    return [reply.status, name ?? code, role, via];
  };
  const ana = { email: "ana@example.com" };
  expect(await me(await assertion(ana))).toEqual([200, "ana@example.com", "operator", "access"]);
  expect(await me(await assertion({ email: "ben@example.com" }))).toEqual([200, "ben@example.com", "viewer", "access"]);
  expect((await me(await assertion({ email: "eve@example.org" }))).slice(0, 2)).toEqual([403, "role-too-low"]);
  for (const wrong of [
    await assertion(ana, foreign),
    await assertion(ana, own, "https://elsewhere.example"),
    await assertion(ana, own, issuer, "b".repeat(64)),
    await assertion({ ...ana, exp: soon() - 3_600 }),
    await assertion({}),
    "a.b.c",
  ])
    expect((await me(wrong)).slice(0, 2)).toEqual([401, "unauthorized"]);
  // A bearer token that does not count is not made good by it.
  const both = { "Cf-Access-Jwt-Assertion": await assertion(ana), Authorization: "Bearer wrong" };
  expect((await room.fetch(`${API}/me`, { headers: both })).status).toBe(401);
});

test("[ADMIN-21] counts beside a password of the site's own, which browsers send along with everything", async () => {
  const headers = { "Cf-Access-Jwt-Assertion": await assertion({ email: "ana@example.com" }), Authorization: "Basic c3RhZ2luZzpzZWNyZXQ=" };
  const reply = await rig.room().fetch(`${API}/me`, { headers });
  expect([reply.status, await reply.json()]).toMatchObject([200, { name: "ana@example.com", via: "access" }]);
});

test("[ADMIN-21][ADMIN-2] W4 changes nothing for a request that may come from another site's page, and acts under the address", async () => {
  const room = rig.room();
  await room.script({ admin: { as: "ok", value: {} } });
  const headers = { "Cf-Access-Jwt-Assertion": await assertion({ email: "ana@example.com" }) };
  const pause = (more: Record<string, string>) =>
    room.fetch(`${API}/rooms/${room.name}/pause`, { method: "POST", headers: { ...headers, ...more } });
  for (const more of [{}, { "Sec-Fetch-Site": "none" }, { "Sec-Fetch-Site": "cross-site" }, { Origin: "https://evil.example" }])
    expect([more, (await pause(more)).status]).toEqual([more, 403]);
  expect((await room.seen()).adminCalls).toEqual([]);
  expect((await pause({ Origin: room.publicOrigin })).status).toBe(200);
  expect((await room.seen()).adminCalls).toMatchObject([["turn", "pause", { name: "ana@example.com", role: "operator" }, null]]);
});
