/** P13, and P1 to P4 around it, as a proof: a sale with a lobby, a draw and latecomers by simulation. */
import { isPermutation, type LobbyOutcome, type LobbyRun, runLobby } from "./lobby-sim";
import { atLeast, atMost, type Check, noted, type Proof } from "./proof";
import { worstExcess } from "./rate-check";

/** A million in the lobby, and a tenth as many late; two in ten have closed the tab. */
const BIG_SALE: LobbyRun = {
  entrants: 1_000_000,
  latecomers: 100_000,
  lateS: 120,
  lobbyS: 300,
  saleS: 1_500,
  ratePerMinute: 60_000,
  // Inside for a minute, and the place of whoever leaves with the button rests for up to 40 s.
  places: 160_000,
  visitS: 60,
  absent: 0.2,
  seed: 11,
};

/** The same at a fiftieth, for every test run. */
export const SMALL_SALE: LobbyRun = { ...BIG_SALE, entrants: 20_000, latecomers: 2_000, ratePerMinute: 1_500, places: 4_000, saleS: 900 };

/** The news of the doors is spread over 15 s for a million people and over a second at least: so many ask in the busiest second at most. */
const REQUESTS_MOST = 80_000;
/** From the draw on, everybody present who was told their time has heard of it within this long, s. */
const HEARD_S = 40;
/** Of the object's 128 MB. */
const MEMORY_MOST_MB = 40;

export function lobbyProof(run: LobbyRun = BIG_SALE): Proof {
  const outcome = runLobby(run);
  const people = run.entrants + run.latecomers;
  const { draw, requestsBySecond: requests } = outcome;
  const perMinute: [number, number][] = [];
  for (let minute = 0; minute < run.saleS / 60; minute++) {
    perMinute.push([minute + 1, outcome.entered.filter((at) => at >= minute * 60_000 && at < (minute + 1) * 60_000).length]);
  }
  const seconds = [...requests].slice(0, 240).map((count, second): [number, number] => [second, count]);
  return {
    title: `A sale for ${people.toLocaleString("en-US")} people`,
    rules: ["P1", "P2", "P3", "P4", "P13"],
    about:
      `${run.entrants.toLocaleString("en-US")} people enter a lobby within ${run.lobbyS / 60} minutes, ${run.absent * 100} % of them close the tab, ` +
      `${run.latecomers.toLocaleString("en-US")} come after the doors. The public random number is there 13 s after the cut-off. Edges know what was ` +
      "true up to two seconds ago; pages ask again when they are told to. Everybody goes in after the page's five seconds of notice.",
    checks: [...drawChecks(run, outcome), ...saleChecks(run, outcome), ...loadChecks(run, outcome, people)],
    charts: [
      {
        file: "sale-requests",
        title: `Requests of waiting people after the doors, ${draw.count.toLocaleString("en-US")} in the lobby`,
        x: "seconds after the doors",
        y: "requests per second",
        series: [{ name: "requests", points: seconds }],
      },
      {
        file: "sale-entries",
        title: "Entries of the sale",
        x: "minutes after the doors",
        y: "entries per minute",
        series: [
          {
            name: "the rate",
            points: [
              [1, run.ratePerMinute],
              [run.saleS / 60, run.ratePerMinute],
            ],
            dashed: true,
          },
          { name: "entries", points: perMinute },
        ],
      },
    ],
  };
}

function drawChecks(run: LobbyRun, outcome: LobbyOutcome): Check[] {
  const { draw, entries, slots, gone, lateSlots } = outcome;
  const left = gone.reduce((sum, each) => sum + each, 0);
  const present = [...slots.keys()].filter((who) => who < run.entrants && gone[who] === 0);
  const unheard = present.filter((who) => (slots[who] as number) < 0).length;
  const pairs = present.filter((who) => (slots[who] as number) >= 0).map((who) => [entries[who] as number, slots[who] as number] as const);
  const distinct = new Set(pairs.map(([, slot]) => slot)).size;
  const outside = pairs.filter(([, slot]) => slot < draw.base || slot >= draw.base + draw.count).length;
  const overtaken = lateSlots.filter((slot) => slot < draw.base + draw.count).length;
  const early = lateSlots.map((slot) => slot);
  return [
    atMost("entries that were counted more or less than there were people in the lobby", Math.abs(draw.count - run.entrants), 0),
    atLeast("entries that the operator is told are unseen, of those whose tab was closed", outcome.unseenAtCutoff ?? 0, left),
    atMost(
      "entries told to be unseen too many, but for those of the last seconds",
      (outcome.unseenAtCutoff ?? 0) - left,
      outcome.lateEntries,
    ),
    atMost("people who never heard of their place", unheard, 0),
    atMost("places that two people share, or outside the draw", pairs.length - distinct + outside, 0),
    atMost("latecomers in front of somebody who was drawn", overtaken, 0),
    atMost("latecomers out of order", isPermutation(early, draw.base + draw.count) ? outOfOrder(early) : early.length, 0),
    // A correlation of independent numbers is below 4 / √n but for one run in 15,000.
    atMost("correlation of entering early and being in front, times √n", Math.abs(correlation(pairs)) * Math.sqrt(pairs.length), 4, "", 2),
  ];
}

function saleChecks(run: LobbyRun, outcome: LobbyOutcome): Check[] {
  const { entered, enteredSlots, drawnAtMs, draw } = outcome;
  const excess = worstExcess(entered, [{ at: 0, perMinute: run.ratePerMinute }]);
  // From the second minute after the draw on, while somebody still waits.
  const waiting = run.entrants * (1 - run.absent) + run.latecomers;
  const fullUntilMs = Math.min(run.saleS * 1_000, drawnAtMs + (waiting / run.ratePerMinute) * 60_000 * 0.9);
  const fromMs = drawnAtMs + 60_000;
  const during = entered.filter((at) => at >= fromMs && at < fullUntilMs).length;
  const lateIn = enteredSlots.findIndex((slot) => slot >= draw.base + draw.count);
  const before = lateIn < 0 ? enteredSlots.length : lateIn;
  return [
    atMost("places in use at most", outcome.peakInUse, run.places),
    atMost("entries beyond rate · w + burst in the worst of all windows", excess, 1e-6, "", 2),
    atLeast(
      "entries from the second minute after the draw, while people wait",
      (100 * during) / ((run.ratePerMinute / 60_000) * (fullUntilMs - fromMs)),
      95,
      "% of the rate",
    ),
    atMost("times the admitted epoch went back, or past a place that was not drawn", outcome.epochFaults, 0),
    noted("people of the lobby who went in before the first latecomer", before),
  ];
}

function loadChecks(run: LobbyRun, outcome: LobbyOutcome, people: number): Check[] {
  const { requestsBySecond: requests, heardAt, drawnAtMs, gone } = outcome;
  const busiest = Math.max(...requests);
  const heard = [...heardAt.keys()].filter((who) => who < run.entrants && gone[who] === 0 && (heardAt[who] as number) >= 0);
  const last = heard.reduce((latest, who) => Math.max(latest, heardAt[who] as number), 0);
  const total = requests.reduce((sum, each) => sum + each, 0);
  return [
    atMost("requests in the busiest second after the doors", busiest, REQUESTS_MOST),
    noted("these, of all people", (100 * busiest) / people, "%"),
    atMost("from the draw until the last one present has heard of their place", (last - drawnAtMs) / 1_000, HEARD_S, "s"),
    noted("requests of waiting people, a person", total / people),
    noted("exchanges with the Room, a second", outcome.exchanges / (run.lobbyS + run.saleS)),
    atMost("memory of a Room loaded at the cut-off: heap and typed arrays", outcome.memoryBytes / 1_048_576, MEMORY_MOST_MB, "MB"),
    noted("stored at the end", outcome.storedBytes / 1_024, "KiB"),
  ];
}

function outOfOrder(slots: readonly number[]): number {
  return slots.filter((slot, i) => i > 0 && slot < (slots[i - 1] as number)).length;
}

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const n = pairs.length;
  const mean = (of: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[of], 0) / n;
  const [meanX, meanY] = [mean(0), mean(1)];
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (const [x, y] of pairs) {
    xy += (x - meanX) * (y - meanY);
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}
