/**
 * What reading the numbers costs a room of a million places: twenty reads of `stats` at once, and whether newcomers who join beside them
 * notice.
 */
import { startMeasuredRoom } from "../lib/measured-room.mjs";

const PEOPLE = 1_000_000;
/** By the Room's clock 50,000 a second. */
const CROWD = { batch: 1_000, stepMs: 20, enter: false };
const READERS = 20;
const JOINERS = 8;
/** The process of the load takes a moment to start; before that nothing would be read beside joins, but beside its start. */
const JOINS_BEGIN_MS = 700;
const ROOMS = { shop: { host: "*", total_active_users: 1, new_users_per_minute: 1 } };

export default {
  name: "stats",
  title: "reading the numbers of a million places, beside joins",

  async run({ rounds, seconds, smoke, progress, lib }) {
    const measured = await startMeasuredRoom(ROOMS);
    try {
      const people = smoke ? 20_000 : PEOPLE;
      progress(`${people} people come`);
      await measured.call("shop", "join", { people, ...CROWD });
      const { issued } = await lib.operate(measured, "shop", "GET", "stats");
      if (issued < people) throw new Error(`${issued} places instead of ${people}`);
      const source = await lib.newcomers("shop", { keep: false });
      const length = seconds ?? (smoke ? 0.5 : 2);
      const joining = () => lib.loadOf(measured, { connections: JOINERS, seconds: length, source, expect: 200 });
      const reads = [];
      const sides = {
        alone: joining,
        beside: async () => {
          const [joins, took] = await Promise.all([joining(), readFor(measured, 1_000 * length, lib)]);
          reads.push(median(took));
          return joins;
        },
      };
      const found = await lib.interleave({ rounds, progress }, sides);
      const of = (name) => found[name].map(({ p50Ms }) => p50Ms);
      const { figure, ratiosOf } = lib;
      return {
        figures: [
          figure("read-ms", `${READERS} reads at once: median of a read`, "ms", reads, { bar: { atMost: 200 } }),
          figure("join-ratio", "median of a join beside them ÷ alone", "×", ratiosOf(of("beside"), of("alone")), { bar: { atMost: 1.1 } }),
          figure("join-ms", "median of a join, alone", "ms", of("alone")),
        ],
      };
    } finally {
      await measured.stop();
    }
  },
};

/** Twenty at once, once a second as consoles do, until so long has passed. @returns how long each took, ms */
async function readFor(worker, ms, { operate }) {
  const took = [];
  const endsAt = performance.now() + ms;
  await new Promise((resolve) => setTimeout(resolve, Math.min(JOINS_BEGIN_MS, ms / 2)));
  do {
    const begun = performance.now();
    const read = async () => {
      await operate(worker, "shop", "GET", "stats");
      took.push(performance.now() - begun);
    };
    await Promise.all(Array.from({ length: READERS }, read));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(begun + 1_000, endsAt) - performance.now())));
  } while (performance.now() < endsAt);
  return took;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
