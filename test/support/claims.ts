/** Arbitrary claims for property tests of tokens: every field within its range, edges included. */
import fc from "fast-check";
import type { Claims } from "../../src/core/token-types";

const U32_MAX = 2 ** 32 - 1;

/** Claims that a token can carry; `iat < exp ≤ end`. */
export function anyClaims(): fc.Arbitrary<Claims> {
  const room = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789-"), minLength: 1, maxLength: 32 });
  const times = fc
    .uniqueArray(fc.integer({ min: 1, max: U32_MAX }), { minLength: 3, maxLength: 3 })
    .map((all) => all.sort((a, b) => a - b) as [number, number, number]);
  const key = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString("base64url"));
  const place = fc.record({ generation: fc.nat({ max: U32_MAX }), slot: fc.maxSafeNat() });
  const chain = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("base64url"));
  const receipt = fc.record({ draw: fc.integer({ min: 1, max: U32_MAX }), entry: fc.nat({ max: U32_MAX }), chain });
  const networks = fc
    .record({ v4: fc.nat({ max: U32_MAX }), v6: fc.nat({ max: U32_MAX }) })
    .filter(({ v4, v6 }) => v4 + v6 > 0)
    .map((both) => ({ networks: both }));
  const bound = fc.option(networks).map((one) => one ?? {});
  return fc.oneof(
    fc.tuple(room, key, times).map(([r, k, [iat, exp]]): Claims => ({ kind: "visitor", room: r, key: k, iat, exp })),
    fc
      .tuple(room, key, key, fc.integer({ min: 1, max: 1_000_000 }), times)
      .map(([r, k, invitation, uses, [iat, exp]]): Claims => ({ kind: "door", room: r, key: k, invitation, uses, iat, exp })),
    fc
      .tuple(room, fc.integer({ min: 1, max: U32_MAX }), fc.option(key), times)
      .map(([r, link, k, [iat, exp]]): Claims => ({ kind: "staff", room: r, link, key: k, iat, exp })),
    fc
      .tuple(room, key, fc.nat({ max: 8 }), fc.boolean(), times)
      .map(([r, k, work, human, [iat, exp]]): Claims => ({ kind: "proof", room: r, key: k, work, human, iat, exp })),
    fc.tuple(room, place, bound, times).map(([r, p, b, [iat, exp]]): Claims => ({ kind: "ticket", room: r, ...p, ...b, iat, exp })),
    fc.tuple(room, place, receipt, bound, times).map(([r, p, own, b, [iat, exp]]): Claims => {
      // Both have room in one token while the numbers are small.
      const small = "networks" in b ? { generation: p.generation % 100_000, slot: p.slot % 10_000_000_000 } : p;
      const drawn = "networks" in b ? { ...own, draw: 1 + (own.draw % 9_999_999) } : own;
      return { kind: "ticket", room: r, ...small, receipt: drawn, ...b, iat, exp };
    }),
    fc
      .tuple(room, place, receipt, times)
      .map(([r, { generation }, own, [iat, exp]]): Claims => ({ kind: "entry", room: r, generation, ...own, iat, exp })),
    fc
      .tuple(room, place, fc.integer({ min: 1, max: U32_MAX }), bound, times)
      .map(([r, p, serial, b, [iat, exp, end]]): Claims => ({ kind: "pass", room: r, ...p, serial, ...b, iat, exp, end })),
  );
}
