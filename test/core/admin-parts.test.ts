/** The small parts of the admin API: CSV, Cloudflare Access, forecasts. */
import { describe, expect, test } from "vitest";
import { readAccess, roleOf } from "../../src/core/access";
import { toCsv } from "../../src/core/csv";
import { outlook, type Room } from "../../src/core/outlook";

describe("CSV", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t'=1"],
    ["\r=1", `"'\r'=1"`],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ["a,b", '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ["two\nlines", '"two\nlines"'],
    ["\n=1", `"'\n'=1"`],
    ["＝1+1", "'＝1+1"],
    // A spreadsheet of a country with decimal commas begins a cell at each semicolon, and a row at each line break.
    ["a;=1+1", `"a;'=1+1"`],
    ["a\n@b", `"a\n'@b"`],
    ["a\t-1", "a\t'-1"],
    ["one\r\ntwo", '"one\r\ntwo"'],
    ["plain = text; more", '"plain = text; more"'],
    ["plain = text", "plain = text"],
    [-1, "-1"],
    [true, "true"],
    [null, ""],
    [undefined, ""],
    [{ a: "=1" }, '"{""a"":""=1""}"'],
  ])("[ADMIN-20] a cell with %j opens as what it is", (value, cell) => {
    expect(toCsv(["x"], [{ x: value }])).toBe(`x\r\n${cell}\r\n`);
  });
});

describe("Cloudflare Access", () => {
  const ACCESS = {
    team_domain: "team.cloudflareaccess.com",
    audience: "a".repeat(64),
    roles: { "Ana@example.com": "admin", "@example.com": "viewer" },
  };

  test("[ADMIN-21] gives roles by address, by domain, by default, the most particular first", () => {
    const read = readAccess(JSON.stringify({ ...ACCESS, roles: { ...ACCESS.roles, "*": "operator" } }));
    if (!read.ok || read.value === null) throw new Error("refused");
    expect(read.value.issuer).toBe("https://team.cloudflareaccess.com");
    const { value } = read;
    expect(["ana@EXAMPLE.com", "ben@example.com", "eve@example.org"].map((who) => roleOf(value, who))).toEqual([
      "admin",
      "viewer",
      "operator",
    ]);
    const strict = readAccess(ACCESS);
    expect(strict.ok && strict.value && roleOf(strict.value, "eve@example.org")).toBeNull();
    expect(strict.ok && strict.value && roleOf(strict.value, "ana@evil.example.com")).toBeNull();
    expect(readAccess(undefined)).toEqual({ ok: true, value: null });
  });

  test.each<[object | string, string]>([
    ["{", "ACCESS"],
    [{ ...ACCESS, team_domain: "http://team.example.com" }, "ACCESS.team_domain"],
    [{ ...ACCESS, team_domain: "team.example.com/path" }, "ACCESS.team_domain"],
    [{ ...ACCESS, audience: "" }, "ACCESS.audience"],
    [{ ...ACCESS, roles: {} }, "ACCESS.roles"],
    [{ ...ACCESS, roles: { "ana@example.com": "root" } }, "ACCESS.roles.ana@example.com"],
    [{ ...ACCESS, roles: { "not an address": "viewer" } }, "ACCESS.roles.not an address"],
    [{ ...ACCESS, issuer: "x" }, "ACCESS.issuer"],
  ])("[ADMIN-21] refuses %j by name", (raw, setting) => {
    const read = readAccess(raw);
    expect(read.ok ? [] : read.problems.map((problem) => problem.setting)).toEqual([setting]);
  });
});

describe("an outlook", () => {
  const ROOM: Room = {
    isFrozen: false,
    ratePerMinute: 60,
    places: 1_000,
    waiting: 120,
    inside: 100,
    joinsPerMinute: 10,
    slotsPerEntry: 1,
    visitMinutes: 5,
  };

  test.each<[string, Partial<Room>, object]>([
    ["the rate binds", {}, { newcomer_wait_minutes: 2, entering_per_minute: 60, expected_inside: 300, limited_by: "rate" }],
    [
      "the places bind",
      { places: 100 },
      { newcomer_wait_minutes: 6.7, entering_per_minute: 18, expected_inside: 90, limited_by: "capacity" },
    ],
    ["half of them have gone", { slotsPerEntry: 2 }, { newcomer_wait_minutes: 1 }],
    [
      "nobody waits",
      { waiting: 0 },
      { newcomer_wait_minutes: 0, entering_per_minute: 10, expected_inside: 50, limited_by: "nobody-waits" },
    ],
    ["paused", { isFrozen: true }, { newcomer_wait_minutes: null, expected_inside: 0, limited_by: "stopped" }],
    ["rate 0", { ratePerMinute: 0 }, { newcomer_wait_minutes: null, limited_by: "stopped" }],
  ])("[ADMIN-15] %s", (_, room, told) => {
    expect(outlook({ ...ROOM, ...room })).toMatchObject(told);
  });
});
