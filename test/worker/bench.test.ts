/** `npm run bench`: its arithmetic, what becomes of cases that go wrong, and one smoke of a real one. No test looks at how fast anything is. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { figure, interleave, judged, median, perSecond, ratiosOf } from "../../bench/lib/figures.mjs";
import { load } from "../../bench/lib/load.mjs";
import { amount, formatReport } from "../../bench/lib/report.mjs";
import { findCases, runCases } from "../../bench/lib/run-cases.mjs";
import { root } from "../support/bundle";
import { type Origin, startOrigin } from "../support/origin";

describe("figures", () => {
  test("[BENCH-2] medians, spreads, and quotients of one round each", () => {
    expect([median([3]), median([9, 1, 5]), median([4, 1, 3, 2])]).toEqual([3, 5, 2.5]);
    expect(() => median([])).toThrow();
    expect(ratiosOf([2, 9], [4, 3])).toEqual([0.5, 3]);
    expect(() => ratiosOf([1], [1, 2])).toThrow();
    expect([perSecond([]), perSecond([7]), perSecond([7, 1_007, 2_007]), perSecond([0, 500])]).toEqual([0, 0, 1, 2]);
    expect(figure("x", "X", "/s", [3, 1, 2])).toMatchObject({ value: 2, low: 1, high: 3, bar: null });
  });

  test("[BENCH-2] a bar is judged by the median, whatever the best round was", () => {
    const met = (value: number, bar: { atLeast: number } | { atMost: number } | null) =>
      judged(figure("x", "X", "", [value - 9, value, value + 9], { bar })).met;
    expect([met(5, { atLeast: 5 }), met(4.9, { atLeast: 5 }), met(5, { atMost: 5 }), met(5.1, { atMost: 5 }), met(5, null)]).toEqual([
      true,
      false,
      true,
      false,
      null,
    ]);
  });

  test("[BENCH-2] sides take turns, and the first turn of each does not count", async () => {
    const turns: string[] = [];
    const side = (name: string) => async () => turns.push(name);
    const found = await interleave({ rounds: 2, progress: () => undefined }, { a: side("a"), b: side("b") });
    expect(turns.join("")).toBe("ababab");
    expect(found).toEqual({ a: [3, 5], b: [4, 6] });
  });

  test("[BENCH-2] the table says what was missed, what failed and what was skipped", () => {
    expect([0, 0.05, 1, 9.876, 1_234.5, 12_345_678].map(amount)).toEqual(["0", "0.0500", "1.00", "9.88", "1,235", "12,345,678"]);
    const one = { name: "one", title: "first", tookS: 1, skipped: null, error: null };
    const figures = [
      judged(figure("x", "speed", "×", [0.5], { bar: { atLeast: 0.9 } })),
      judged(figure("y", "size", "B", [5], { bar: { atMost: 9 } })),
    ];
    const report = {
      at: "2026-01-01T00:00:00Z",
      tookS: 1,
      options: { rounds: 5, smoke: false },
      machine: { cpu: "c", cores: 2, memoryGb: 8, node: "22", workerd: "1", pageFaultUs: 0.5, readUs: 1 },
      cases: [
        { ...one, figures },
        { ...one, figures: [], skipped: "no redis" },
        { ...one, figures: [], error: "broke" },
      ],
    };
    expect(formatReport(report)).toMatch(
      /speed .*0\.500 ×.*≥ 0\.900 MISSED\n.*size .*≤ 9\.00 met\n[\s\S]*skipped: no redis[\s\S]*FAILED: broke/,
    );
  });
});

describe("cases", () => {
  const dir = mkdtempSync(join(tmpdir(), "vestibule-bench-"));
  afterAll(() => rmSync(dir, { recursive: true }));

  test("[BENCH-1] whatever becomes of a case, the others' results stay", async () => {
    const given = (name: string, body: string) =>
      writeFileSync(join(dir, `${name}.mjs`), `export default { name: "${name}", title: "t", ${body} };`);
    const good = '{ figures: [{ id: "x", title: "x", unit: "", value: 2, low: 2, high: 2, bar: { atLeast: 1 }, note: "" }] }';
    given("a", `async run({ progress }) { progress("on it"); return ${good}; }`);
    given("b", 'async run() { throw new Error("broke"); }');
    given("c", "async run() { process.exit(3); }");
    given("d", 'async needs() { return "no such thing here"; }');
    given("e", "run: () => new Promise((resolve) => setTimeout(resolve, 600_000))");
    given("f", `async run() { return ${good}; }`);
    const said: string[] = [];
    const cases = await findCases(dir);
    const run = (some: (name: string) => boolean, mostMs?: number) =>
      runCases(
        new Map([...cases].filter(([name]) => some(name))),
        { rounds: 1, seconds: null, smoke: true },
        (line) => said.push(line),
        mostMs,
      );
    const results = [
      ...(await run((name) => name < "e")),
      ...(await run((name) => name === "e", 500)),
      ...(await run((name) => name > "e")),
    ];
    const short = results.map(({ name, figures, skipped, error }) => [
      name,
      figures.map(({ met }) => met),
      skipped,
      error?.split("\n")[0] ?? null,
    ]);
    expect(short).toEqual([
      ["a", [true], null, null],
      ["b", [], null, "Error: broke"],
      ["c", [], null, "its process ended with 3 before it was done"],
      ["d", [], "no such thing here", null],
      ["e", [], null, "not done after 0.5 s"],
      ["f", [true], null, null],
    ]);
    expect(said).toContain("a: on it");
  });

  test("[BENCH-2] a real one gives figures of this Worker", () => {
    const child = spawnSync(process.execPath, ["scripts/bench.mjs", "--smoke", "--only", "gate"], {
      cwd: root,
      env: { ...process.env, VESTIBULE_BENCH: "1" },
      encoding: "utf8",
    });
    expect(child.stdout, child.stderr).toMatch(/gate ÷ forwarding alone, requests\/s +\d/);
    expect([child.status, child.stdout.includes("FAILED")]).toEqual([0, false]);
    const unknown = spawnSync(process.execPath, ["scripts/bench.mjs", "--only", "gaet"], {
      cwd: root,
      env: { ...process.env, VESTIBULE_BENCH: "1" },
      encoding: "utf8",
    });
    expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining("no case is named gaet; there are: ")]);
  });
});

describe("load", () => {
  let site: Origin;
  beforeAll(async () => {
    site = await startOrigin((request, response) => {
      response.statusCode = request.url === "/busy" ? 429 : 200;
      response.end("ok");
    });
  });
  afterAll(() => site.stop());
  const requests = (path: string) => [{ method: "GET", path, headers: { "X-A": "b" } }];

  test("[BENCH-3] goes to this computer only", () => {
    for (const url of ["http://example.com/", "http://192.0.2.1/", "http://127.0.0.1.example/"])
      expect(() => load({ url, connections: 1, amount: 1, requests: requests("/"), expect: 200 })).toThrow("127.0.0.1 only");
  });

  test("[BENCH-3] counts the expected answer, and gives no figure for any other", async () => {
    const wanted = { url: site.url, connections: 2, amount: 20, expect: 200 };
    expect((await load({ ...wanted, requests: requests("/") })).count).toBe(20);
    await expect(load({ ...wanted, requests: [...requests("/"), ...requests("/busy")] })).rejects.toThrow(
      /expected nothing but 200, and got .*429/,
    );
  });
});
