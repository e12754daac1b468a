/**
 * Does a real Room keep what it promises of its rate? Two minutes of its clock with a crowd that never runs out: in the second minute at least
 * 95 % of the rate goes in though 30 % have gone and 5 % vanish when called (P3), and no window of any length holds more than the rate times
 * its length and the burst (P2). Counted, not timed; the seed is fixed.
 */
import { startMeasuredRoom } from "../lib/measured-room.mjs";

const SECONDS = 120;
const RATES = [
  ["1000-a-minute", "1,000 a minute", 1_000],
  ["1000-a-second", "1,000 a second", 60_000],
];
const CROWDS = [
  ["honest", "everybody there", {}],
  ["gone", "30 % gone, 5 % vanishing", { gone: 0.3, vanishing: 0.05 }],
];
/** Sums of thousands of terms are exact to a millionth of an entry. */
const PARTS = 1e6;

export default {
  name: "accuracy",
  title: "entries against the rate that was set, in the second minute (counted, on the Room's clock)",

  async run({ smoke, progress }) {
    const rates = smoke ? RATES.slice(0, 1) : RATES;
    const runs = rates.flatMap(([rateId, rate, perMinute]) =>
      CROWDS.map(([crowdId, crowd, shares]) => ({ id: `${rateId}-${crowdId}`, title: `${rate}, ${crowd}`, perMinute, shares })),
    );
    const settings = { host: "*", total_active_users: 1_000_000 };
    const measured = await startMeasuredRoom(
      Object.fromEntries(runs.map(({ id, perMinute }) => [id, { ...settings, new_users_per_minute: perMinute }])),
    );
    try {
      const figures = [];
      for (const { id, title, perMinute, shares } of runs) {
        const people = Math.ceil((1.75 * perMinute * SECONDS) / 60);
        const found = await measured.call(id, "accuracy", { people, seconds: SECONDS, perMinute, seed: 7, ...shares });
        progress(`${title}: ${found.entered} of ${people} went in, in ${found.calls} calls`);
        figures.push(
          exact(id, `${title}: entries ÷ rate`, "×", found.inLastMinute / perMinute, { atLeast: 0.95 }, `${found.inLastMinute} went in`),
          exact(
            `${id}-excess`,
            `${title}: more than rate · w + burst in the worst window`,
            "entries",
            beyond(found.excess),
            { atMost: 0 },
            "",
          ),
        );
      }
      return { figures };
    } finally {
      await measured.stop();
    }
  },
};

function beyond(excess) {
  return Math.max(0, Math.round(excess * PARTS) / PARTS);
}

function exact(id, title, unit, value, bar, note) {
  return { id, title, unit, value, low: value, high: value, bar, note };
}
