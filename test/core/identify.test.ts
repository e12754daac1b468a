/** What the cookies of a request prove, with all that an isolate remembers of earlier ones, against a table of what was signed. */
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { canonicalUrl } from "../../src/core/canonical-url";
import { parseRoom } from "../../src/core/settings";
import type { Claims, EntryClaims, PassClaims, TicketClaims } from "../../src/core/token-types";
import type { Config } from "../../src/env";
import type { Identity } from "../../src/gate/decide";
import { identify, identityOfTokens } from "../../src/gate/identify";
import { visitOf } from "../../src/gate/visit";
import { cookieName } from "../../src/http/cookies";
import { importKeyRing, type KeyRing, signToken } from "../../src/keys";
import type { RoomClient } from "../../src/room-client";
import { verifyToken } from "../../src/token-checks";

const NOW = 1_790_000_000;
const KEYS = ["k1:q3cAVvPXdQq0mXcmXo8lfGzHEq3K1g1pO1vYyT5l0hM", "k2:7bT0p2mZk4Wm4cJxI9mD2rQn8sVfUe6aHgYoLwPzX1c"] as const;
const ROOMS = ["one", "two"] as const;
const DOMAINS = [null, "shop.test"] as const;

const settingsOf = (room: string, domain: string | null) => {
  const read = parseRoom(room, {
    host: "www.shop.test",
    path: `/${room}`,
    total_active_users: 9,
    new_users_per_minute: 9,
    cookie_domain: domain ?? "",
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.settings;
};
const SETTINGS = new Map(ROOMS.flatMap((room) => DOMAINS.map((domain) => [`${room} ${domain}`, settingsOf(room, domain)] as const)));

async function ringOf(secret: string): Promise<KeyRing> {
  const read = await importKeyRing(secret);
  if (!read.ok) throw new Error(read.problem);
  return read.ring;
}

interface Where {
  readonly room: (typeof ROOMS)[number];
  readonly domain: (typeof DOMAINS)[number];
  readonly secure: boolean;
  readonly atS: number;
  readonly revoked: readonly string[];
}
const HERE: Where = { room: "one", domain: null, secure: true, atS: NOW, revoked: [] };

const settingsAt = ({ room, domain }: Where) => SETTINGS.get(`${room} ${domain}`) ?? settingsOf(room, domain);

function visitTo(keys: KeyRing, where: Where, cookie?: string) {
  const { room, secure, atS, revoked } = where;
  const request = new Request(
    `http${secure ? "s" : ""}://www.shop.test/${room}/`,
    cookie === undefined ? {} : { headers: { Cookie: cookie } },
  );
  const url = canonicalUrl(request.url);
  if (url === null) throw new Error(request.url);
  const client = { settings: settingsAt(where), newest: { revokedKeys: revoked } } as unknown as RoomClient;
  const visit = visitOf({ request, url, config: { keys } as unknown as Config, room, client, life: { waitUntil: () => undefined } });
  return { ...visit, nowMs: atS * 1_000 };
}

const nameOf = (kind: "place" | "pass", where: Where) =>
  cookieName(kind, where.room, { secure: where.secure, settings: settingsAt(where) });

/** Everything that is in somebody's hands: signed by either key for either room, soon over or not; and each with a bad signature. */
interface Held {
  readonly text: string;
  readonly claims: Claims;
  readonly kid: string;
  readonly isGood: boolean;
}
async function allTokens(): Promise<Held[]> {
  const held: Held[] = [];
  for (const [i, key] of KEYS.entries()) {
    const ring = await ringOf([key, KEYS[1 - i]].join(","));
    for (const room of ROOMS) {
      for (const exp of [NOW + 10, NOW + 10_000]) {
        const times = { room, iat: NOW - 100, exp };
        const key = `AAECAwQFBgcICQoLDA0O${i}w`;
        const chain = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
        const claims: Claims[] = [
          { kind: "visitor", key, ...times },
          { kind: "entry", generation: 3, draw: 2, entry: i, chain, ...times },
          { kind: "ticket", generation: 3 - i, slot: exp, ...times },
          { kind: "ticket", generation: 4, slot: exp, ...times },
          { kind: "pass", generation: 3 + i, slot: exp, serial: 7, end: NOW + 20_000, ...times },
          { kind: "staff", link: 7, key, ...times },
        ];
        for (const each of claims) {
          const text = await signToken(ring, each);
          held.push({ text, claims: each, kid: `k${i + 1}`, isGood: true });
          // Its last character carries bits of the signature in front alone.
          held.push({ text: `${text.slice(0, -6)}AAAAA${text.at(-1)}`, claims: each, kid: `k${i + 1}`, isGood: false });
        }
      }
    }
  }
  return held;
}

/** What TOKEN-3, 4, 9 and KEYS-4 say, without a ring. */
function expected(place: readonly Held[], pass: readonly Held[], { room, atS, revoked }: Where): Omit<Identity, "shown"> {
  const best = <C extends Claims>(kind: C["kind"], held: readonly Held[]): C | null => {
    const own = held.filter(({ claims, kid, isGood }) => isGood && claims.kind === kind && claims.room === room && !revoked.includes(kid));
    const worth = ({ claims }: Held) => (claims.exp > atS ? 1_000 : 0) + ("generation" in claims ? claims.generation : 0);
    return (own.toSorted((a, b) => worth(b) - worth(a))[0]?.claims as C | undefined) ?? null;
  };
  const valid = <C extends Claims>(claims: C | null) => (claims !== null && claims.exp > atS ? claims : null);
  const passed = best<PassClaims>("pass", pass);
  const ticket = valid(best<TicketClaims>("ticket", place));
  const entry = valid(best<EntryClaims>("entry", place));
  const isEntry = entry !== null && (ticket === null || ticket.generation < entry.generation);
  const worthOfOld = ({ claims }: Held) => 2 * (claims as TicketClaims).generation + Number(claims.kind === "ticket");
  const old = place
    .filter(({ claims, kid, isGood }) => isGood && claims.room === room && claims.exp > atS && revoked.includes(kid))
    .filter(({ claims }) => claims.kind === "ticket" || claims.kind === "entry")
    .toSorted((a, b) => worthOfOld(b) - worthOfOld(a))[0];
  return {
    ...(old && ticket === null && entry === null && { old: { claims: old.claims as TicketClaims, kid: old.kid, token: old.text } }),
    pass: passed === null ? null : { claims: passed, expired: passed.exp <= atS },
    ticket: isEntry ? null : ticket,
    entry: isEntry ? entry : null,
    visitor: valid(best("visitor", place)),
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("[TOKEN-15][TOKEN-3][TOKEN-9][KEYS-4] whatever an isolate remembers, and whoever asks at the same time, cookies prove what was signed, here and now", async () => {
  const held = await allTokens();
  const token = fc.nat(held.length - 1).map((i) => held[i] as Held);
  const browser = fc.record({ place: fc.uniqueArray(token, { maxLength: 4 }), pass: fc.uniqueArray(token, { maxLength: 3 }) });
  const where: fc.Arbitrary<Where> = fc.record({
    room: fc.constantFrom(...ROOMS),
    domain: fc.constantFrom(...DOMAINS),
    secure: fc.boolean(),
    atS: fc.constantFrom(NOW, NOW + 9, NOW + 10, NOW + 9_999, NOW + 10_000),
    revoked: fc.constantFrom([], [], ["k1"], ["k2"]),
  });
  const asks = fc.array(fc.record({ who: fc.nat(2), named: where, where, isAsNamed: fc.boolean() }), { minLength: 1, maxLength: 12 });
  let proven = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(browser, { minLength: 3, maxLength: 3 }), asks, async (browsers, all) => {
      const ring = await ringOf(KEYS.join(","));
      const ask = async ({ who, named, where: at, isAsNamed }: (typeof all)[number]) => {
        // Cookies go by the names of one place, and are read, for the most part, at another.
        const asked = isAsNamed ? { ...at, room: named.room, domain: named.domain, secure: named.secure } : at;
        const { place, pass } = browsers[who] as (typeof browsers)[0];
        const line = (kind: "place" | "pass") => (kind === "place" ? place : pass).map(({ text }) => `${nameOf(kind, named)}=${text}`);
        const isRead = nameOf("place", named) === nameOf("place", asked);
        const { shown: _, ...identity } = await identify(visitTo(ring, asked, ["a=b", ...line("place"), ...line("pass")].join("; ")));
        if ((identity.pass ?? identity.ticket) !== null) proven += 1;
        expect(identity).toEqual(isRead ? expected(place, pass, asked) : expected([], [], asked));
      };
      await Promise.all(all.map(ask));
      for (const one of all) await ask(one);
    }),
    { numRuns: 500 },
  );
  expect(proven).toBeGreaterThan(100);
});

test("[P12][TOKEN-15] at most one HMAC for each value, none for a kind that counts for nothing there, and none for what was good before", async () => {
  const ring = await ringOf(KEYS.join(","));
  const verify = vi.spyOn(crypto.subtle, "verify");
  const hmacs = async (run: () => Promise<unknown> | unknown) => {
    const before = verify.mock.calls.length;
    await run();
    return verify.mock.calls.length - before;
  };
  const times = { room: "one", iat: NOW - 100, exp: NOW + 1_000 };
  const ticket = await signToken(ring, { kind: "ticket", generation: 3, slot: 1, ...times });
  const pass = await signToken(ring, { kind: "pass", generation: 3, slot: 1, serial: 7, end: NOW + 2_000, ...times });
  const forged = (token: string, i: number) => `${token.slice(0, -6)}AAAA${i}${token.at(-1)}`;
  for (const token of [ticket, pass]) {
    // As an app shows it: it may be either.
    const asBearer = (text: string) => hmacs(() => identityOfTokens(visitTo(ring, HERE), [text], [text]));
    expect(await asBearer(forged(token, 0))).toBe(1);
    expect(await asBearer(forged(token, 0))).toBe(1);
    expect(await asBearer(token)).toBe(1);
    expect(await asBearer(token)).toBe(0);
  }
  expect(await hmacs(() => verifyToken(ring, "pass", pass, NOW))).toBe(0);
  const eight = Array.from({ length: 9 }, (_, i) => i + 1);
  const bad = [
    ...eight.map((i) => `__Host-vestibule.one=${forged(ticket, i)}`),
    ...eight.map((i) => `__Host-vestibule-pass.one=${forged(pass, i)}`),
  ];
  const swapped = [
    ...eight.map((i) => `__Host-vestibule.one=${forged(pass, i)}`),
    ...eight.map((i) => `__Host-vestibule-pass.one=${forged(ticket, i)}`),
  ];
  const asCookies = (cookies: readonly string[]) => hmacs(() => identify(visitTo(ring, HERE, cookies.join("; "))));
  for (let time = 0; time < 2; time += 1) {
    expect(await asCookies(bad)).toBe(16);
    expect(await asCookies(swapped)).toBe(0);
  }
  const good = [`__Host-vestibule.one=${ticket}`, `__Host-vestibule-pass.one=${pass}`];
  expect(await asCookies([...bad.slice(0, 2), ...good])).toBe(2);
  expect(await asCookies([...bad.slice(0, 2), ...good])).toBe(2);
  expect(await asCookies(good)).toBe(0);
});

test("[TOKEN-15] headers that show no pass of the room are not remembered, and push nobody's out", async () => {
  const ring = await ringOf(KEYS.join(","));
  const times = { iat: NOW - 100, exp: NOW + 1_000 };
  const sign = (claims: Claims) => signToken(ring, claims);
  const pass = await sign({ kind: "pass", room: "one", generation: 3, slot: 1, serial: 7, end: NOW + 2_000, ...times });
  const elsewhere = await sign({ kind: "pass", room: "two", generation: 3, slot: 1, serial: 7, end: NOW + 2_000, ...times });
  const visitor = await sign({ kind: "visitor", room: "one", key: "AAECAwQFBgcICQoLDA0ODw", ...times });
  const ticket = await sign({ kind: "ticket", room: "one", generation: 3, slot: 1, ...times });
  const known = (header: string) => ring.shown.cookiesIn(header, nameOf("place", HERE)) !== null;
  const honest = `__Host-vestibule-pass.one=${pass}`;
  await identify(visitTo(ring, HERE, honest));
  const strange = [
    `__Host-vestibule.one=${visitor}`,
    `__Host-vestibule.one=${ticket}`,
    `__Host-vestibule-pass.one=${elsewhere}`,
    `__Host-vestibule-pass.one=${pass.slice(0, -6)}AAAAA${pass.at(-1)}`,
    `__Host-vestibule.one=${pass}`,
    `vestibule-pass.one=${pass}`,
  ];
  for (let i = 0; i < 2_500; i += 1) {
    const header = `i=${i}; ${strange[i % strange.length]}`;
    await identify(visitTo(ring, HERE, header));
    expect(known(header), header).toBe(false);
  }
  expect(known(honest)).toBe(true);
});
