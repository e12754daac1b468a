/** Guards of the stream of visitor events (FEED). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const core = "test/core/visitor-events.test.ts";

export const guards = [
  ...guardsOf("src/room/event-stream.ts", core, [
    ["feed: bounded", "FEED-3", "Math.max(0, WAITING_MAX - this.#waiting.length);", "events.length;", "[FEED-3] that takes nothing"],
    [
      "feed: what is lost is counted",
      "FEED-3",
      "if (!isTaken) return this.#drop(batch.length, now);",
      "if (!isTaken) return;",
      "[FEED-3] that hangs or breaks",
    ],
    [
      "feed: a queue that breaks",
      "FEED-3",
      "  } catch {\n    return false;\n",
      "  } catch (error) {\n    throw error;\n",
      "[FEED-3] that hangs or breaks",
    ],
  ]),
  ...guardsOf("src/core/visitor-events.ts", core, [
    ["feed: who gave up did not leave", "FEED-1", 'serial === 0 ? "gave-up" : "left"', '"left"', "[FEED-1] say who joined"],
  ]),
];
