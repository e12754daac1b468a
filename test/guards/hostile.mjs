/** Guards of a hostile day: who asks too often (GATE-60), what becomes a word of a header. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const damper = "test/core/poll-damper.test.ts";
const routes = "test/worker/routes.test.ts";

export const guards = [
  ...guardsOf("src/room/poll-damper.ts", damper, [
    [
      "damper: only as many at once",
      "GATE-60",
      "    if (waitMs > 0) return waitMs;\n",
      "",
      "[GATE-60] one question a second is always answered, five at once are, and the sixth hears when to come",
    ],
    [
      "damper: refused questions do not count",
      "GATE-60",
      "    if (waitMs > 0) return waitMs;\n",
      "    if (waitMs > 0) {\n      this.#fullAt.set(key, fullAt + GAP_MS);\n      return waitMs;\n    }\n",
      "[GATE-60] ten a second: one in a second is answered all the time",
    ],
    [
      "damper: nobody waits for a clock that was put back",
      "GATE-60",
      "known - now > BURST * GAP_MS + CLOCK_BACK_MS ? now : ",
      "",
      "[GATE-60] a clock that is put back",
    ],
    [
      "damper: bounded",
      "GATE-60",
      "if (fullAt > now && this.#fullAt.size <= KEYS_MAX) return;",
      "if (fullAt > now) return;",
      "[GATE-60] it remembers those of the last seconds, and 16,384 of them at most",
    ],
    [
      "damper: forgets who has not asked lately",
      "GATE-60",
      "if (fullAt > now && this.#fullAt.size <= KEYS_MAX) return;",
      "if (this.#fullAt.size <= KEYS_MAX) return;",
      "[GATE-60] it remembers those of the last seconds, and 16,384 of them at most",
    ],
  ]),
  ...guardsOf("src/routes/visitor.ts", routes, [
    [
      "status: who asks too often is not answered",
      "GATE-60",
      "  if (waitMs > 0) return problem(429,",
      "  if (waitMs > 1e9) return problem(429,",
      "[GATE-60] C12 O2 is 429 with Retry-After",
    ],
    [
      "status: counted by the place",
      "GATE-60",
      "visit.client.polls.take(key, visit.nowMs)",
      'visit.client.polls.take(key + visit.request.headers.get("CF-Connecting-IP"), visit.nowMs)',
      "[GATE-60] S4 it counts by the place",
    ],
  ]),
  {
    name: "settings: an origin holds nothing that ends a directive",
    rule: "PROXY-10",
    file: "src/core/settings-kinds.ts",
    find: "/^https?:\\/\\/[a-z0-9.:[\\]_-]+$/.test(url.origin)",
    replace: "/^https?:/.test(url.origin)",
    test: ["test/core/settings.test.ts", "[PROXY-10] W12 frame_ancestors"],
  },
];
