/** Reading what a neighbouring version says: nothing it adds is in the way, nothing it leaves out lets anybody in. */
import { describe, expect, test } from "vitest";
import { type Batch, EXCHANGE_VERSION, type Reply, readBatch, readReply, replyVersion } from "../../src/core/exchange";
import { type Manifest, readManifest } from "../../src/core/manifest";
import { isNeighbour } from "../../src/core/versions";
import { type Asked, decide, type Identity } from "../../src/gate/decide";

const NEEDED = { v: 1, room: "r", generation: 1, config: 1, at: 5, admittedEpoch: 7 };
/** As a Room of another version may send it. */
const manifestOf = (said: object): Manifest => ({ ...NEEDED, ...said }) as unknown as Manifest;

describe("versions next to each other", () => {
  test("[ROOM-13] are this one, the one before and the one after, and nothing else", () => {
    for (const v of [1, 2, 3]) expect(isNeighbour(v, 2)).toBe(true);
    for (const v of [0, 4, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "2", null, undefined])
      expect(isNeighbour(v, 2), String(v)).toBe(false);
  });

  test("[ROOM-13] a batch that says less is a batch with nothing in it, and one that says more is read as far as it is known", () => {
    const short = { v: EXCHANGE_VERSION - 1, isolate: 7, generation: 3 } as Batch;
    const empty = {
      colo: null,
      config: null,
      joins: [],
      claims: [],
      renewals: [],
      leaves: [],
      reissues: [],
      sightings: [],
      entriesSeen: null,
      leaseWanted: 0,
      origin: { ok: 0, failed: 0, slow: 0 },
      failedOpen: null,
    };
    expect(readBatch(short)).toEqual({ ...short, ...empty });
    expect(replyVersion(short)).toBe(EXCHANGE_VERSION - 1);
    const long = { ...readBatch(short), v: EXCHANGE_VERSION + 1, leaseWanted: 2, entries: ["new"] };
    expect(readBatch(long)).toEqual(long);
    expect(replyVersion(long)).toBe(EXCHANGE_VERSION);
    for (const v of [EXCHANGE_VERSION + 2, EXCHANGE_VERSION - 2, Number.NaN]) expect(() => readBatch({ ...short, v })).toThrow(RangeError);
  });

  test("[ROOM-13] a reply without a lease lends nothing, and one without verdicts answers nobody", () => {
    const reply = { v: EXCHANGE_VERSION - 1, manifest: manifestOf({}) } as Reply;
    expect(readReply(reply)).toMatchObject({ lease: null, joins: [], claims: [], renewals: [], leaves: [], reissues: [] });
    expect(readReply({ ...reply, added: 1 } as Reply)).toMatchObject({ added: 1 });
    for (const v of [EXCHANGE_VERSION + 2, EXCHANGE_VERSION - 2]) expect(() => readReply({ ...reply, v })).toThrow(RangeError);
  });

  test("[ROOM-13] a verdict on a join in a word that is not known here makes no place: that join was not answered", () => {
    const placed = { as: "placed", slot: 3, joinedAtS: 5 } as const;
    const reply = {
      v: EXCHANGE_VERSION + 1,
      manifest: manifestOf({}),
      joins: [{ as: "seated", row: 3 }, placed, { as: "challenge", cost: 2 }],
    };
    expect(readReply(reply as unknown as Reply).joins).toEqual([undefined, placed, { as: "challenge", cost: 2 }]);
  });

  test("[ROOM-13] a manifest without what everything hangs on is none", () => {
    for (const name of ["generation", "config", "at", "admittedEpoch"]) {
      expect(() => readManifest(manifestOf({ [name]: undefined })), name).toThrow(TypeError);
    }
    for (const none of [null, undefined]) expect(() => readManifest(none as unknown as Manifest)).toThrow(TypeError);
  });
});

describe("a manifest of another version", () => {
  const nobody: Identity = { pass: null, ticket: null, entry: null, visitor: null };
  const ticket = (slot: number) => ({ ...nobody, ticket: { kind: "ticket", room: "r", generation: 1, slot, iat: 1, exp: 9_999 } }) as const;
  const pass = {
    ...nobody,
    pass: { expired: false, claims: { kind: "pass", room: "r", generation: 1, slot: 2, serial: 1, iat: 90, exp: 900, end: 999 } },
  } as const;
  const asked: Asked = { method: "read", navigation: true, form: false, prefetch: false, crawler: false };
  const stepOf = (identity: Identity, said: object) =>
    decide({
      identity,
      asked,
      manifest: readManifest(manifestOf(said)),
      settings: { suspended: false, queueingMethod: "fifo" as const, revokeBoundMs: 5_000, passRefreshMs: 30_000 },
      nowS: 100,
    }).do;

  test.each([
    ["that says no more than it must", {}],
    ["with a phase and a state of joining that are not known here", { phase: "lobby", joins: "invited", quiet: true }],
    ["with an unknown phase on a quiet room", { phase: "lobby", joins: "open", quiet: true }],
  ])("[ROOM-13] [P8] %s lets nobody in without asking, and turns nobody out", (_, said) => {
    expect(["cookie-check", "tell-closed"]).toContain(stepOf(nobody, said));
    expect(stepOf(ticket(7), said)).toBe("wait");
    expect(stepOf(ticket(6), said)).toBe("claim");
    expect(stepOf(pass, said)).toBe("forward-inside");
  });

  test("[ROOM-13] says what it says", () => {
    expect(readManifest(manifestOf({ phase: "paused", tail: 12, revoked: [[1, 2]] }))).toMatchObject({
      phase: "paused",
      tail: 12,
      revoked: [[1, 2]],
    });
    expect(stepOf(pass, { revoked: [[1, 2]] })).toBe("tell-ended");
    expect(stepOf(pass, { endSessionsBefore: 95 })).toBe("rejoin");
  });
});
