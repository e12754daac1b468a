/** Framing of tokens: one text for each set of claims, and nothing else is a token. The signature is checked in keys.test.ts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromBase64url, fromBase64urlAscii, toBase64url } from "../../src/core/base64url";
import { decodeToken, encodeUnsigned, IAT_TOLERANCE_S, judgeTimes, TOKEN_MAX_BYTES, TOKEN_MAX_LIFE_S } from "../../src/core/token";
import type { Claims } from "../../src/core/token-types";
import { anyClaims } from "../support/claims";

const SIGNATURE = "A".repeat(43);
const NOW = 1_764_400_000;
const ticket: Claims = { kind: "ticket", room: "demo", generation: 3, slot: 1342, iat: NOW, exp: NOW + 86_400 };
const pass: Claims = { ...ticket, kind: "pass", serial: 7, end: NOW + 90_000 };

const part = (value: unknown) => toBase64url(new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)));
const framed = (header: unknown, claims: unknown) => `${part(header)}.${part(claims)}.${SIGNATURE}`;
const header = (kind: string, kid = "k1") => ({ alg: "HS256", kid, typ: `vst+${kind}` });

describe("framing", () => {
  test("[TOKEN-1] the header is exactly ours and the claims have short names", () => {
    const [head, body] = encodeUnsigned(pass, "k1")
      .split(".")
      .map((text) => Buffer.from(text, "base64url").toString());
    expect(head).toBe('{"alg":"HS256","kid":"k1","typ":"vst+pass"}');
    expect(body).toBe(`{"r":"demo","g":3,"s":1342,"n":7,"iat":${NOW},"exp":${NOW + 86_400},"end":${NOW + 90_000}}`);
  });

  test("[TOKEN-1] [TOKEN-2] networks are eight bytes in one spelling, and none at all is said by leaving them out", () => {
    const bodyOf = (claims: Claims) => Buffer.from(encodeUnsigned(claims, "k1").split(".")[1] ?? "", "base64url").toString();
    const bound = { ...pass, networks: { v4: 1, v6: 0xfffefdfc } };
    expect(bodyOf(bound)).toBe(
      `{"r":"demo","g":3,"s":1342,"n":7,"b":"AAAAAf_-_fw","iat":${NOW},"exp":${NOW + 86_400},"end":${NOW + 90_000}}`,
    );
    expect(bodyOf({ ...ticket, networks: { v4: 0, v6: 2 } })).toContain('"s":1342,"b":"AAAAAAAAAAI","iat"');
    for (const b of ["AAAAAAAAAAA", "AAAAAf_-_fx", "AAAAAf_-_fw=", "AAAAAf_-_f", "AAAAAf/-/fw", 1, null, ["AAAAAf_-_fw"], ""]) {
      const text = framed(header("pass"), { r: "demo", g: 3, s: 1342, n: 7, b, iat: NOW, exp: NOW + 86_400, end: NOW + 90_000 });
      expect(decodeToken(text), String(b)).toBeNull();
    }
    for (const networks of [
      { v4: 0, v6: 0 },
      { v4: -1, v6: 1 },
      { v4: 2 ** 32, v6: 1 },
      { v4: 0.5, v6: 1 },
    ])
      expect(() => encodeUnsigned({ ...pass, networks }, "k1")).toThrow(RangeError);
  });

  test("[TOKEN-2] any claims survive the round trip", () => {
    fc.assert(
      fc.property(anyClaims(), (claims) => {
        expect(decodeToken(`${encodeUnsigned(claims, "k1")}.${SIGNATURE}`)?.claims).toEqual(claims);
      }),
    );
  });

  test("[TOKEN-2] K3 different claims have different texts, whatever is moved between neighbouring fields", () => {
    fc.assert(
      fc.property(anyClaims(), anyClaims(), (a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b);
        expect(encodeUnsigned(a, "k1") === encodeUnsigned(b, "k1")).toBe(isSame);
      }),
      { examples: [[ticket, { ...ticket, room: "demo3", generation: 1, slot: 342 }]] },
    );
  });

  test("[TOKEN-2] K2 text that is no token is null and never throws", () => {
    const whole = `${encodeUnsigned(ticket, "k1")}.${SIGNATURE}`;
    const corpus = [
      "",
      ".",
      "..",
      "...",
      "%",
      "%00",
      "null",
      "{}",
      "é",
      "\u0000",
      "a.b.c",
      whole.replaceAll(".", ".."),
      `${whole}.`,
      `.${whole}`,
    ];
    for (let length = 0; length < whole.length; length++) corpus.push(whole.slice(0, length));
    for (const text of corpus) expect(decodeToken(text), text).toBeNull();
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => decodeToken(text) === null));
  });

  test("[TOKEN-2] K2 other encodings of a good token are no token", () => {
    const good = `${encodeUnsigned({ ...ticket, slot: 13 }, "k1")}.${"_-".repeat(21)}8`;
    expect(decodeToken(good)).not.toBeNull();
    const [head = "", body = "", tail = ""] = good.split(".");
    const others = [
      `${good}=`,
      `${head}==.${body}.${tail}`,
      `${head}.${body}=.${tail}`,
      `${head}.${body}.${tail.replaceAll("-", "+").replaceAll("_", "/")}`,
      ` ${good}`,
      `${good} `,
      `${good}\n`,
      `"${good}"`,
      `${head}.${body}.${tail.slice(0, -1)}9`, // the last character of 32 bytes carries four bits
      framed(header("ticket"), `${Buffer.from(body, "base64url").toString()} `),
      framed(header("ticket"), { g: 3, r: "demo", s: 13, iat: NOW, exp: NOW + 86_400 }),
      framed(header("ticket"), { r: "demo", g: 3, s: 13, iat: NOW, exp: NOW + 86_400, end: NOW }),
      framed(header("ticket"), { r: "demo", g: 3, s: 13, d: 1, e: 2, iat: NOW, exp: NOW + 86_400 }),
      framed(header("ticket"), { r: "demo", g: 3, s: 13, e: 2, c: "A".repeat(43), iat: NOW, exp: NOW + 86_400 }),
      framed(header("ticket"), `{"r":"demo","g":3,"s":13.0,"iat":${NOW},"exp":${NOW + 86_400}}`),
      framed(header("ticket"), `{"r":"demo","g":3,"s":1,"s":13,"iat":${NOW},"exp":${NOW + 86_400}}`),
      framed(header("ticket"), `{"r":"d\\u0065mo","g":3,"s":13,"iat":${NOW},"exp":${NOW + 86_400}}`),
      framed(header("ticket"), `{"r":"demo","g":3,"s":13,"iat":${NOW},"exp":${NOW + 86_400},"__proto__":{}}`),
    ];
    for (const other of others) expect(decodeToken(other), other).toBeNull();
  });

  test("[TOKEN-2] K2 with any character changed, more or less it is other claims, written as we would, or no token", () => {
    const plain = anyClaims().filter(({ kind }) => kind === "visitor" || kind === "ticket" || kind === "pass");
    const character = fc.constantFrom(...'0123456789{}[]":,.-+eE \\u"abrgsniatxpd');
    fc.assert(
      fc.property(plain, fc.nat(), fc.nat({ max: 2 }), character, (claims, at, cut, put) => {
        const [head = "", body = ""] = encodeUnsigned(claims, "k1").split(".");
        const json = Buffer.from(body, "base64url").toString();
        const i = at % json.length;
        const other = `${head}.${part(`${json.slice(0, i)}${put}${json.slice(i + cut)}`)}`;
        const read = decodeToken(`${other}.${SIGNATURE}`);
        if (read !== null) expect(encodeUnsigned(read.claims, "k1")).toBe(other);
      }),
      { numRuns: 5_000 },
    );
  });

  test("[TOKEN-3] K5 headers that are not ours are no token", () => {
    const claims = { r: "demo", g: 3, s: 1342, iat: NOW, exp: NOW + 86_400 };
    expect(decodeToken(framed(header("ticket"), claims))).not.toBeNull();
    const others: unknown[] = [
      ...["none", "None", "HS512", "RS256", "", "hs256"].map((alg) => ({ ...header("ticket"), alg })),
      ...["", "k 1", "k\n1", "../k", "k".repeat(17), "k".repeat(9_999)].map((kid) => header("ticket", kid)),
      ...["JWT", "vst+entry", "vst+admin", "vst+", "ticket", "vst+ticket+pass"].map((typ) => ({ ...header("ticket"), typ })),
      { typ: "vst+ticket", alg: "HS256", kid: "k1" },
      { ...header("ticket"), jku: "https://evil.example" },
      '{"alg": "HS256","kid":"k1","typ":"vst+ticket"}',
      null,
      [],
    ];
    for (const other of others) expect(decodeToken(framed(other, claims)), JSON.stringify(other).slice(0, 80)).toBeNull();
  });

  test("[TOKEN-4] K15 absurd numbers are no token", () => {
    const good = { r: "demo", g: 3, s: 5, n: 1, iat: NOW, exp: NOW + 60, end: NOW + 90 };
    expect(decodeToken(framed(header("pass"), good))).not.toBeNull();
    const absurd = [
      "-1",
      "-0",
      "00",
      "05",
      "1e3",
      "1.5",
      "9007199254740993",
      "90071992547409931",
      "1e999",
      '"5"',
      "null",
      "true",
      "[]",
      "{}",
    ];
    for (const name of ["g", "s", "n", "iat", "exp", "end"]) {
      for (const number of absurd) {
        const claims = JSON.stringify(good).replace(new RegExp(`"${name}":\\d+`), `"${name}":${number}`);
        expect(decodeToken(framed(header("pass"), claims)), claims).toBeNull();
      }
    }
    const impossible = [
      { exp: NOW },
      { exp: 2 ** 53 - 1, end: 2 ** 53 - 1 },
      { end: NOW + 59 },
      { iat: NOW * 1_000, exp: NOW * 1_000 + 60, end: NOW * 1_000 + 90 },
      { n: 0 },
      { g: 2 ** 32 },
      { r: "" },
      { r: "a/b" },
      { r: "r".repeat(33) },
    ];
    for (const wrong of impossible) expect(decodeToken(framed(header("pass"), { ...good, ...wrong })), JSON.stringify(wrong)).toBeNull();
    expect(() => encodeUnsigned({ ...pass, serial: 0 } as Claims, "k1")).toThrow(RangeError);
    expect(() => encodeUnsigned(pass, "k 1")).toThrow(RangeError);
  });

  test("[TOKEN-4] K15 accepted times always lie between now and the longest life; only a past exp is `expired`", () => {
    const nearNow = fc.oneof(fc.integer({ min: NOW - 200, max: NOW + 200 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }));
    fc.assert(
      fc.property(anyClaims(), nearNow, fc.integer({ min: -40, max: TOKEN_MAX_LIFE_S + 40 }), (claims, iat, life) => {
        const exp = NOW + life;
        const judged = judgeTimes({ ...claims, iat, exp }, NOW);
        if (judged === "valid") expect(exp > NOW && exp <= NOW + TOKEN_MAX_LIFE_S).toBe(true);
        if (judged !== "impossible") expect(iat).toBeLessThanOrEqual(NOW + IAT_TOLERANCE_S);
        if (judged === "expired") expect(exp).toBeLessThanOrEqual(NOW);
      }),
      { numRuns: 1_000 },
    );
    expect(judgeTimes({ ...ticket, iat: NOW + 30, exp: NOW + 60 }, NOW)).toBe("valid");
    expect(judgeTimes({ ...ticket, iat: NOW + 31, exp: NOW + 60 }, NOW)).toBe("impossible");
    expect(judgeTimes({ ...ticket, exp: NOW + 1 }, NOW)).toBe("valid");
    expect(judgeTimes({ ...ticket, exp: NOW }, NOW)).toBe("expired");
    expect(judgeTimes({ ...ticket, exp: NOW + TOKEN_MAX_LIFE_S + 1 }, NOW)).toBe("impossible");
    // A ticket keeps its time of joining for as long as it is renewed; a pass does not.
    const old = { iat: NOW - 2 * TOKEN_MAX_LIFE_S, exp: NOW + 60 };
    expect(judgeTimes({ ...ticket, ...old }, NOW)).toBe("valid");
    expect(judgeTimes({ ...pass, ...old }, NOW)).toBe("impossible");
  });

  test("[TOKEN-5] K2 no valid claims make a token over 384 bytes, and anything longer is refused", () => {
    fc.assert(
      fc.property(anyClaims(), (claims) => encodeUnsigned(claims, "k".repeat(16)).length + 44 <= TOKEN_MAX_BYTES),
      { numRuns: 500 },
    );
    const u32 = 2 ** 32 - 1;
    const place = { room: "r".repeat(32), generation: u32, slot: Number.MAX_SAFE_INTEGER, serial: u32, iat: u32 - 1, exp: u32, end: u32 };
    const receipt = { draw: u32, entry: u32, chain: `${"-".repeat(42)}8` };
    const { serial: _, end: __, ...ticketed } = place;
    const networks = { v4: u32, v6: u32 };
    for (const claims of [{ kind: "pass", ...place, networks } as const, { kind: "ticket", ...ticketed, receipt } as const]) {
      const longest = `${encodeUnsigned(claims, "k".repeat(16))}.${SIGNATURE}`;
      expect(longest.length).toBeLessThanOrEqual(TOKEN_MAX_BYTES);
    }
    // Beside a receipt networks have room while the numbers are small.
    const small = { ...ticketed, generation: 99_999, slot: 9_999_999_999, receipt: { ...receipt, draw: 9_999_999 }, networks };
    expect(`${encodeUnsigned({ kind: "ticket", ...small }, "k".repeat(16))}.${SIGNATURE}`.length).toBeLessThanOrEqual(TOKEN_MAX_BYTES);
    for (const large of [{ generation: 100_000 }, { slot: 10_000_000_000 }, { receipt: { ...receipt, draw: 10_000_000 } }])
      expect(() => encodeUnsigned({ kind: "ticket", ...small, ...large }, "k1")).toThrow(RangeError);
    const padded = { ...header("pass"), pad: "x".repeat(8_000) };
    expect(decodeToken(framed(padded, place))).toBeNull();
    // Before any work: nothing but the length of longer input is looked at.
    const untouchable = new Proxy({}, { get: (_, name) => (name === "length" ? TOKEN_MAX_BYTES + 1 : expect.fail(String(name))) });
    expect(decodeToken(untouchable as string)).toBeNull();
  });
});

describe("base64url", () => {
  test("[TOKEN-2] agrees with Node on all bytes, and takes nothing but its own output", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ minLength: 380, maxLength: 900 })), (bytes) => {
        expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
        expect(fromBase64url(toBase64url(bytes))).toEqual(new Uint8Array(bytes));
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        const bytes = fromBase64url(text);
        expect(bytes === null || toBase64url(bytes) === text).toBe(true);
      }),
      { examples: [["AB"], ["AA=="], ["A"], ["AAAAA"], ["AA A"]] },
    );
  });

  test("[TOKEN-2] ASCII in base64url is read, other bytes and other texts are not", () => {
    const anyLength = fc.oneof(
      fc.string({ unit: "binary-ascii", maxLength: 40 }),
      fc.string({ unit: "binary-ascii", minLength: 380, maxLength: 900 }),
    );
    fc.assert(
      fc.property(anyLength, (text) => {
        const encoded = Buffer.from(text).toString("base64url");
        expect(fromBase64urlAscii(encoded)).toBe(text.includes("\x7f") ? null : text);
        expect(fromBase64urlAscii(`${encoded}=`)).toBeNull();
        expect(fromBase64urlAscii(Buffer.from(`${text}é`).toString("base64url"))).toBeNull();
      }),
    );
  });
});
