/** P12 and P4 as proofs: thousands of isolates with the real client keep within what one Room can answer. */
import { type IsolateOutcome, type IsolateRun, runIsolates } from "./isolates-sim";
import { atMost, type Check, noted, type Proof } from "./proof";

const BASE = { colos: 250, joinsPerSecond: 1_000, asksPerSecond: 1_000, cache: true, seed: 5, rampMs: 1_000 };
const ALL = 5_000;

/** How the isolates come to be there. */
export const STARTS: Readonly<Record<string, IsolateRun>> = {
  "all have served visitors before": { ...BASE, isolates: ALL, warm: ALL, seconds: 20 },
  "250 there, the others come within a minute": { ...BASE, isolates: ALL, warm: 250, rampMs: 60_000, seconds: 75 },
  "250 there, the others come within a minute, no cache in the colos": {
    ...BASE,
    isolates: ALL,
    warm: 250,
    rampMs: 60_000,
    seconds: 75,
    cache: false,
  },
  "250 there, the others come within ten seconds": { ...BASE, isolates: ALL, warm: 250, rampMs: 10_000, seconds: 40 },
  "250 there, the others come within one second": { ...BASE, isolates: ALL, warm: 250, rampMs: 1_000, seconds: 30 },
  "none there, all come within one second": { ...BASE, isolates: ALL, warm: 0, rampMs: 1_000, seconds: 30 },
};

const CALLS_MAX = 299;
const ANSWER_MS = 2_000;

/** Virtual time: nothing else may run beside it in this process. */
export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}

function pacingChecks(name: string, outcome: IsolateOutcome): Check[] {
  const inversions = (100 * outcome.inversions) / Math.max(1, outcome.inRoom);
  return [
    atMost(`${name}: calls in the busiest second`, Math.max(...outcome.callsBySecond), CALLS_MAX),
    atMost(
      `${name}: longest that a visitor waits for a place or the “joining” page`,
      outcome.longestWaitMs / 1_000,
      ANSWER_MS / 1_000,
      "s",
      2,
    ),
    atMost(`${name}: visitors told that the line cannot be reached`, outcome.unreachable, 0),
    atMost(`${name}: people behind somebody whose join began after theirs was answered`, outcome.overtakenAfterAnswer, 0),
    noted(`${name}: places told at once, and “joining” pages, of ${outcome.joins} joins`, `${outcome.placed}, ${outcome.joining}`),
    noted(`${name}: people behind somebody who came later, while both joins were on their way`, inversions, "%"),
    noted(`${name}: most by which one was overtaken`, outcome.worstOvertakingMs / 1_000, "s"),
    noted(`${name}: longest that a call waited for its turn at the Room`, Math.max(...outcome.backlogBySecond), "ms"),
  ];
}

export async function pacingProof(starts: Readonly<Record<string, IsolateRun>> = STARTS): Promise<Proof> {
  const checks: Check[] = [];
  const series = [];
  for (const [name, run] of Object.entries(starts)) {
    const outcome = await quietly(() => runIsolates(run));
    checks.push(...pacingChecks(name, outcome));
    series.push({
      name,
      points: [...outcome.callsBySecond.slice(0, run.seconds)].map((calls, second): [number, number] => [second + 1, calls]),
    });
  }
  return {
    title: `${ALL.toLocaleString("en-US")} isolates and one Room`,
    rules: ["P4", "P12"],
    about:
      "The real client (src/room-client.ts) in each isolate, 250 colos with a cache each, 1,000 joins and 1,000 other requests a second; the Room " +
      "answers one call after the other, 1.5 ms each, with the real pacing. Order is exact between exchanges only: whoever is overtaken was " +
      "waiting for an answer at the same time as the other, since isolates that share the pace send their joins in turn.",
    checks,
    charts: [
      {
        file: "pacing",
        title: "Calls to the Room",
        x: "seconds",
        y: "calls per second",
        series: [
          {
            name: "promised: fewer than 300",
            points: [
              [1, 300],
              [75, 300],
            ],
            dashed: true,
          },
          ...series,
        ],
      },
    ],
  };
}
