/** Figures that documents quote from bench/results: that they agree, and that nothing can be quoted that is not there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { marksIn, mergeCases, type QuotedReport, quoteFigures, type SimulatedReport } from "../../bench/lib/quoted-figures.mjs";
import { outdatedDocuments } from "../../scripts/figures.mjs";
import { root } from "../support/bundle";

const figure = (id: string, value: number, met: boolean | null = null) => ({ id, value, low: value / 2, high: 2 * value, met });
const bench: QuotedReport = {
  machine: { cpu: "A(R) Processor", cores: 2 },
  cases: [
    { name: "gate", figures: [figure("rate", 0.98765, true), figure("each", 12_345.6, false)] },
    { name: "peer", figures: [] },
  ],
};
const simulate: SimulatedReport = {
  scenarios: [
    { name: "doors", rooms: [{ checks: [{ holds: true }], figures: { callsPerSecondMost: 283, isProjected: true } }] },
    { name: "botnet", rooms: [{ checks: [{ holds: true }, { holds: false }], figures: {} }] },
  ],
};
const quote = (text: string) => quoteFigures(text, { bench, simulate });

describe("[BENCH-4] quoted figures", () => {
  test("every document says what the results say", () => {
    expect(
      outdatedDocuments().map(([name]) => name),
      "npm run figures",
    ).toEqual([]);
    expect(marksIn(readFileSync(join(root, "README.md"), "utf8")).length).toBeGreaterThan(10);
  });

  test("the word in front of a mark is written anew, and nothing else", () => {
    const text = "| rate | **0.5<!-- bench.gate.rate -->** × of 3 | no<!-- bench.gate.rate.met --> |\n<!-- Made by a.b of c.d -->";
    expect(quote(text)).toBe(
      "| rate | **0.988<!-- bench.gate.rate -->** × of 3 | yes<!-- bench.gate.rate.met --> |\n<!-- Made by a.b of c.d -->",
    );
    expect(
      quote("1<!-- bench.gate.each -->, 1<!-- bench.gate.each.low -->–1<!-- bench.gate.each.high -->, x<!-- bench.gate.each.met -->"),
    ).toBe(
      "12,346<!-- bench.gate.each -->, 6,173<!-- bench.gate.each.low -->–24,691<!-- bench.gate.each.high -->, no<!-- bench.gate.each.met -->",
    );
    expect(quote(quote(text))).toBe(quote(text));
  });

  test("names of the computer are one word, and what could not be measured says so", () => {
    const text = "on x<!-- bench.machine.cpu -->, 1<!-- bench.machine.cores --> cores: 7<!-- bench.peer.join-rate -->";
    const right =
      "on A\u00a0Processor<!-- bench.machine.cpu -->, 2<!-- bench.machine.cores --> cores: unmeasured<!-- bench.peer.join-rate -->";
    expect(quote(text)).toBe(right);
    expect(quote(right)).toBe(right);
  });

  test("what was simulated, and whether it holds", () => {
    expect(quote("1<!-- simulate.doors.callsPerSecondMost -->, x<!-- simulate.doors.holds -->, x<!-- simulate.botnet.holds -->")).toBe(
      "283<!-- simulate.doors.callsPerSecondMost -->, yes<!-- simulate.doors.holds -->, no<!-- simulate.botnet.holds -->",
    );
  });

  test.each([
    ["1<!-- bench.gate.speed -->", "bench.gate.speed: gate has no speed; it has: rate, each"],
    ["1<!-- bench.gaet.rate -->", "bench.gaet.rate: no case is named gaet; there are: gate, peer"],
    ["1<!-- measured.gate.rate -->", "measured.gate.rate: there are no results named measured; there are: bench, simulate"],
    ["1<!-- simulate.dors.holds -->", "simulate.dors.holds: no scenario is named dors; there are: doors, botnet"],
    ["1<!-- simulate.doors.calls -->", "simulate.doors.calls: doors has no calls; it has: holds, callsPerSecondMost, isProjected"],
    ["1<!-- bench.gate.rate.mean -->", "bench.gate.rate.mean: a figure has value, low, high and met, not mean"],
    ["1<!-- bench.machine.name -->", "bench.machine.name: the machine has cpu, cores"],
    ["| <!-- bench.gate.rate --> |", "bench.gate.rate: there is no word right in front of the mark"],
  ])("%s is refused by name", (text, message) => {
    expect(() => quote(text)).toThrow(message);
  });

  test("cases that are measured alone take the place of what they had found before", () => {
    const [a, b, c] = ["a", "b", "c"].map((name) => ({ name, at: 1 }));
    expect(mergeCases([b, c] as { name: string; at: number }[], [{ name: "b", at: 2 }, a as { name: string; at: number }])).toEqual([
      a,
      { name: "b", at: 2 },
      c,
    ]);
  });
});
