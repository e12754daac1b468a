/** `npm run rotate-keys -- --revoke`: ring and rooms, with a wrangler and a network of our own. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as rotation from "../../scripts/lib/key-rotation.mjs";
import { type RevokeOptions, revoke } from "../../scripts/lib/revoke-steps.mjs";
import { parseRooms } from "../../src/core/settings";
import { importKeyRing } from "../../src/keys";

const newKey = () => randomBytes(32).toString("base64url");
const shapeOf = (ring: readonly rotation.RingEntry[]) =>
  ring.map(({ kid, mark }) => (mark === undefined ? kid : `${kid}:${mark}`)).join(" ");

describe("--revoke", () => {
  let root: string;
  let now: number;
  let said: string;
  let exitCode: number;
  let handed: string[];
  let asked: { url: string; authorization: string; body: unknown }[];
  let answers: (url: string, body: unknown) => Response;
  let question: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "vestibule-revoke-"));
    [now, said, exitCode, handed, asked, question] = [Date.UTC(2026, 10, 29), "", 0, [], [], ""];
    writeFileSync(
      join(root, "wrangler.toml"),
      'name = "x"\n[vars.ROOMS.shop]\nhost = "shop.example.com"\ntotal_active_users = 5\nnew_users_per_minute = 5\n',
    );
    answers = (url, body) =>
      url.endsWith("/rooms")
        ? Response.json({ rooms: [{ room: "shop" }, { room: "till" }] })
        : Response.json({ ...(body as object), issued: 12, effective_within_seconds: 5 });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const file = () => join(root, "production.secrets");
  const keep = (ring: string) => writeFileSync(file(), `VESTIBULE_KEYS=${ring}\nADMIN_TOKEN=the-token\n`);
  const ringNow = () => rotation.parseRing(/^VESTIBULE_KEYS=(.*)$/m.exec(readFileSync(file(), "utf8"))?.[1] ?? "");
  const say = (text: string) => {
    said += `${text}\n`;
  };
  const run = (options: Partial<RevokeOptions>) =>
    revoke(
      { secretsFile: file(), lifeHours: 24, dryRun: false, revoke: ["k1"], line: "keep", ...options },
      {
        root,
        readers: { importKeyRing, parseRooms },
        wrangler: async (args) => {
          handed.push(
            shapeOf(rotation.parseRing((JSON.parse(readFileSync(args[2] ?? "", "utf8")) as { VESTIBULE_KEYS: string }).VESTIBULE_KEYS)),
          );
          return exitCode;
        },
        now: () => now,
        newKey,
        fetch: async (url, { headers, body }) => {
          asked.push({ url, authorization: headers["Authorization"] ?? "", body: body === undefined ? null : JSON.parse(body) });
          return answers(url, body === undefined ? null : JSON.parse(body));
        },
        wait: async (ms) => {
          now += ms;
        },
        ask: async (text) => {
          question = text;
          return "keep\n";
        },
        say,
        complain: say,
      },
    );

  test("[KEYS-8] K8 a new key is published and heard of, then signs, with the leaked one marked; then every room is told", async () => {
    keep(`k1:${newKey()}`);
    const before = now;
    const old = ringNow()[0]?.key ?? "";
    expect(await run({})).toBe(0);
    expect(handed).toEqual(["k1 k2:next", "k2 k1:revoked"]);
    expect(now - before).toBe(60_000);
    const api = "https://shop.example.com/__vestibule/admin/api/rooms";
    expect(asked.map(({ url }) => url)).toEqual([api, `${api}/shop/revoke-key`, `${api}/till/revoke-key`]);
    expect(asked[1]).toMatchObject({ authorization: "Bearer the-token", body: { kid: "k1", line: "keep" } });
    expect(said).toContain("Room till: k1 revoked, keep the line; 12 places had been given out");
    for (const secret of [old, ...ringNow().map(({ key }) => key), "the-token"]) expect(said).not.toContain(secret);
    // Again: nothing but telling the rooms, who know.
    expect(await run({})).toBe(0);
    expect(handed).toHaveLength(2);
    expect(asked).toHaveLength(6);
  });

  test("[KEYS-8] K8 a key that was published before signs at once; of a whole ring that got out, a new one", async () => {
    keep(`k1:${newKey()},k2:${newKey()}:next`);
    writeFileSync(
      `${file()}.rotation`,
      JSON.stringify({ v: 1, keys: { k2: { publishedAt: now - 60_000 } }, highest: 2, handedOver: true }),
    );
    const before = now;
    await run({});
    expect([handed, now]).toEqual([["k2 k1:revoked"], before]);
    handed = [];
    await run({ revoke: ["k1", "k2"] });
    expect(handed).toEqual(["k2 k1:revoked k3:next", "k3 k2:revoked k1:revoked"]);
    expect(rotation.oldestOf(ringNow())).toBe("k1");
  });

  test("[KEYS-8] K8 the key that signs, with an older one behind: a new one signs, and the oldest stays the last", async () => {
    keep(`k2:${newKey()},k1:${newKey()}`);
    expect(await run({ revoke: ["k2"] })).toBe(0);
    expect(handed).toEqual(["k2 k1 k3:next", "k3 k2:revoked k1"]);
  });

  test("[KEYS-8] a ring that no Worker would serve with is not handed over: what to do is said", async () => {
    const full = ["k8", ...Array.from({ length: 7 }, (_, i) => `k${i + 1}`)].map(
      (kid, i) => `${kid}:${newKey()}${i > 0 ? ":revoked" : ""}`,
    );
    keep(full.join(","));
    expect(await run({ revoke: ["k8"] })).toBe(1);
    expect([handed, asked, ringNow().length]).toEqual([[], [], 8]);
    expect(said).toContain("holds more than 8 keys");
    expect(said).toContain("--retire KID");
  });

  test("[KEYS-8] K8 asks what becomes of the line; a new one is told to each room with its name", async () => {
    keep(`k2:${newKey()},k1:${newKey()}`);
    const { line: _, ...unanswered } = { line: "keep" };
    expect(await revokeWithout(unanswered)).toBe(0);
    expect(question).toContain("Keep the line, or begin a new one?");
    expect(handed).toEqual(["k2 k1:revoked"]);
    expect(await run({ line: "new" })).toBe(0);
    expect(asked.at(-1)?.body).toMatchObject({ kid: "k1", line: "new", confirm: "till" });
  });
  const revokeWithout = (options: object) => run({ ...options, line: undefined } as never);

  test("[KEYS-8] K8 a new line is begun once, however many keys got out: nobody loses a place in it to the second one", async () => {
    keep(`k3:${newKey()},k2:${newKey()},k1:${newKey()}`);
    expect(await run({ revoke: ["k1", "k2"], line: "new" })).toBe(0);
    const told = asked.filter(({ url }) => url.includes("/shop/")).map(({ body }) => body);
    expect(told).toMatchObject([
      { kid: "k1", line: "keep" },
      { kid: "k2", line: "new", confirm: "shop" },
    ]);
  });

  test("[KEYS-8] K8 a key that has never signed is told to no room; where none answers the commands name every key", async () => {
    keep(`k2:${newKey()},k1:${newKey()},k3:${newKey()}:next`);
    expect(await run({ revoke: ["k3"] })).toBe(0);
    expect(asked).toEqual([]);
    answers = () => Response.json({}, { status: 404 });
    expect(await run({ revoke: ["k1", "k2"] })).toBe(1);
    expect([said.includes('"kid": "k1"'), said.includes('"kid": "k2"')]).toEqual([true, true]);
  });

  test("[KEYS-8] K8 rooms that do not answer, or Workers that have not heard yet, are asked again; what stays untold is said with the command for it", async () => {
    keep(`k2:${newKey()},k1:${newKey()}`);
    let calls = 0;
    const fine = answers;
    answers = (url, body) => {
      calls += 1;
      return calls % 3 === 0 ? fine(url, body) : Response.json({ detail: "not yet" }, { status: calls % 3 === 1 ? 422 : 503 });
    };
    expect(await run({})).toBe(0);
    expect(asked).toHaveLength(9);
    answers = (url, body) => (url.includes("till") ? Response.json({ detail: "no" }, { status: 503 }) : fine(url, body));
    expect(await run({})).toBe(1);
    expect(said).toContain("Room till has not been told of k1: it answers 503, no");
    expect(said).toMatch(/curl -X POST .*\/rooms\/till\/revoke-key -d '\{"kid": "k1", "line": "keep"\}'/);
    answers = () => Response.json({ detail: "wrong" }, { status: 401 });
    asked = [];
    expect(await run({})).toBe(1);
    expect(asked).toHaveLength(1);
  });

  test("[KEYS-2] K8 what wrangler did not take is handed over again, and no room is told before", async () => {
    keep(`k2:${newKey()},k1:${newKey()}`);
    exitCode = 1;
    expect(await run({})).toBe(1);
    expect(asked).toEqual([]);
    exitCode = 0;
    expect(await run({})).toBe(0);
    expect(handed).toEqual(["k2 k1:revoked", "k2 k1:revoked"]);
    expect(asked).toHaveLength(3);
  });

  test("[KEYS-8] K8 refused before anything is done: an unknown key, an address that the token must not go to, no token", async () => {
    keep(`k2:${newKey()},k1:${newKey()}`);
    const before = readFileSync(file(), "utf8");
    for (const options of [
      { revoke: ["k9"] },
      { url: "http://shop.example.com" },
      { url: "https://shop.example.com/admin" },
      { url: "shop" },
      { line: "maybe" },
    ])
      expect(await run(options), JSON.stringify(options)).toBe(1);
    expect(await run({ dryRun: true })).toBe(0);
    expect(readFileSync(file(), "utf8")).toBe(before);
    writeFileSync(file(), before.replace(/^ADMIN.*\n/m, ""));
    expect(await run({})).toBe(1);
    expect([handed, asked]).toEqual([[], []]);
  });
});

test("[KEYS-8] whichever keys are revoked whenever, one that is not signs, and the oldest stays the oldest", () => {
  const act = fc.record({ what: fc.constantFrom("publish", "sign", "abort", "revoke"), which: fc.nat(7), afterMs: fc.nat(100) });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
      let now = 1_000;
      let turned: rotation.Turned = { ring: rotation.parseRing("k1:a"), record: rotation.completed(null, rotation.parseRing("k1:a"), now) };
      for (const { what, which, afterMs } of acts) {
        now += afterMs;
        const { ring, record } = turned;
        const fresh = ring.find(({ kid, mark }) => mark === "next" && record.keys[kid]?.signedUntil === undefined);
        if (what === "publish" && fresh === undefined && ring.length < 8) turned = rotation.published(ring, record, "b", now);
        if (what === "sign" && fresh !== undefined) turned = rotation.signingWith(ring, record, fresh.kid, now);
        if (what === "abort") turned = rotation.aborted(ring, record, now) ?? turned;
        const kid = ring[which % ring.length]?.kid ?? "";
        if (what === "revoke" && ring.length < 8) {
          let to = turned;
          if (rotation.needsNewSigner(ring, record, [kid])) {
            if (rotation.nextSigner(ring, [kid]) === null) to = rotation.published(ring, record, "c", now);
            to = rotation.signingWith(to.ring, to.record, rotation.nextSigner(to.ring, [kid])?.kid ?? "", now);
          }
          turned = rotation.revoked(to.ring, to.record, [kid], now);
          expect(turned.ring.find((entry) => entry.kid === kid)?.mark ?? "revoked").toBe("revoked");
        }
        expect(turned.ring[0]?.mark).toBeUndefined();
        expect(rotation.oldestOf(turned.ring)).toBe("k1");
        expect(Object.keys(turned.record.keys).sort()).toEqual(turned.ring.map((entry) => entry.kid).sort());
      }
    }),
    { numRuns: 1_000 },
  );
});
