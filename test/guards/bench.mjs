/** Guards of what is measured and quoted (BENCH-4, BENCH-5), and of what makes a Room small. Read by scripts/test-guards.mjs. */
const quoted = "bench/lib/quoted-figures.mjs";
const quotedTest = "test/core/quoted-figures.test.ts";
const counts = "bench/room/storage-counts.ts";
const countsTest = "test/durable/storage-counts.test.ts";
const kept = "test/line/recent-joins.test.ts";

export const guards = [
  [
    "quotes: a mark behind no word is an error",
    "BENCH-4",
    quoted,
    "if (lonely !== null) throw",
    "if (false) throw",
    [quotedTest, "is refused by name"],
  ],
  [
    "quotes: a figure that is not there is an error",
    "BENCH-4",
    quoted,
    "if (figure === undefined)",
    "if (figure === undefined) return UNMEASURED;\n  if (false)",
    [quotedTest, "is refused by name"],
  ],
  [
    "quotes: what could not be measured says so",
    "BENCH-4",
    quoted,
    "if (found.figures.length === 0) return UNMEASURED;",
    "",
    [quotedTest, "what could not be measured says so"],
  ],
  ["storage: an alarm is counted", "BENCH-5", counts, "counts.alarmsSet += 1;", "", [countsTest, "a batch of joins writes one row"]],
  [
    "storage: rows are counted",
    "BENCH-5",
    counts,
    "counts.rowsWritten += cursor.rowsWritten;",
    "",
    [countsTest, "a batch of joins writes one row"],
  ],
  [
    "joins: a number is counted from its batch's first",
    "P5",
    "durable/line/recent-joins.ts",
    "return known(batch, batch.firstNumber + kept.place);",
    "return known(batch, kept.place);",
    [kept, "keep the newest 262,144"],
  ],
].map(([name, rule, file, find, replace, test]) => ({ name, rule, file, find, replace, test }));
