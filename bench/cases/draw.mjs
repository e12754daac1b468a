/**
 * What it costs an edge to tell one visitor the place that the draw gave them, of ten million: 180 hashes and what is around them; against the
 * hashes alone, and against a small draw.
 */
import { startMeasuredRoom } from "../lib/measured-room.mjs";

const MANY = 10_000_000;
const FEW = 1_000;

export default {
  name: "draw",
  title: "the place of one visitor in a draw, at the edge (CPU of workerd)",

  async run({ rounds, smoke, progress, lib }) {
    const measured = await startMeasuredRoom({ shop: { host: "*", total_active_users: 1, new_users_per_minute: 1 } });
    const visitors = smoke ? 100 : 600;
    /** µs for each visitor. */
    const cost = async (drawing) => {
      const before = measured.cpuMs();
      const different = await measured.draw({ visitors, hashesAlone: false, ...drawing });
      if (!drawing.hashesAlone && different !== Math.min(visitors, drawing.count))
        throw new Error(`${visitors} visitors got ${different} places`);
      return (1_000 * (measured.cpuMs() - before)) / visitors;
    };
    try {
      const found = await lib.interleave(
        { rounds, progress },
        {
          many: () => cost({ count: MANY }),
          few: () => cost({ count: FEW }),
          hashes: () => cost({ count: MANY, hashesAlone: true }),
        },
      );
      return {
        figures: [
          lib.figure("of-10M", "one visitor of ten million", "µs", found.many),
          lib.figure("of-1k", "one visitor of a thousand", "µs", found.few),
          lib.figure("hashes", "180 times SHA-256 alone", "µs", found.hashes),
          lib.figure("to-hashes", "one of ten million ÷ the hashes alone", "×", lib.ratiosOf(found.many, found.hashes)),
        ],
      };
    } finally {
      await measured.stop();
    }
  },
};
