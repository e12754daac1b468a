/** Guards of webhooks (TELL). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const core = "test/core/webhooks.test.ts";
const room = "test/durable/webhooks.test.ts";

export const guards = [
  ...guardsOf("src/core/webhook-target.ts", core, [
    ["webhooks: addresses that are not public", "TELL-4", 'range() === "unicast"', 'range() !== ""', "[TELL-4] W7"],
    ["webhooks: local names", "TELL-4", " && !LOCAL_NAME.test(host)", "", "[TELL-4] W7"],
    ["webhooks: this computer only where allowed", "TELL-4", "return local ? null :", "return local || true ? null :", "[TELL-4] W7"],
    ["webhooks: https", "TELL-4", 'protocol === "https:" && isPublic', "isPublic", "[TELL-4] W7"],
  ]),
  ...guardsOf("durable/webhook-post.ts", core, [
    ["webhooks: no redirects", "TELL-4", 'redirect: "manual"', 'redirect: "follow"', "[TELL-4] a redirect is not followed"],
    [
      "webhooks: an old secret does not sign for ever",
      "TELL-2",
      "secretVersion > 1 ? [secretVersion, secretVersion - 1]",
      "secretVersion > 1 ? [secretVersion, secretVersion - 1, 1]",
      "[TELL-2] with another secret_version",
    ],
    ["webhooks: revoked keys do not sign", "TELL-2", 'mark === "revoked" ? null : ', "", "[TELL-2] is signed by every key"],
    [
      "webhooks: judged again when sent",
      "TELL-4",
      '  if (targetProblem(letter.url, sender.local) !== null) return { as: "forbidden" };\n',
      "",
      "[TELL-4] a redirect is not followed",
    ],
  ]),
  ...guardsOf("durable/line/watch.ts", room, [
    ["webhooks: not twice a minute", "TELL-6", ", latch.toldMs + GAP_MS);", ", 0);", "[TELL-6]"],
    [
      "webhooks: changes of a minute together",
      "TELL-5",
      " || counters.now - changesToldMs < GAP_MS",
      "",
      "[TELL-5] tells who changed what",
    ],
    [
      "webhooks: patience",
      "TELL-5",
      "queueing: { on: 5_000, off: 60_000 }",
      "queueing: { on: 5_000, off: 0 }",
      "[TELL-5] tells that a line has formed",
    ],
    [
      "webhooks: wakes up to tell",
      "TELL-5",
      "  return due.length === 0 ? null : Math.min(...due);",
      "  return null;",
      "[TELL-5] tells who changed what",
    ],
  ]),
  ...guardsOf("durable/stored-outbox.ts", room, [
    ["webhooks: an id of its own", "TELL-3", '_${type.replaceAll(".", "_")}`', "`", "[TELL-3] gives no two messages one id"],
    ["webhooks: bounded", "TELL-7", "if (waiting >= WAITING_MAX) {", "if (waiting < 0) {", "[TELL-7] costs at most a hundred"],
    [
      "webhooks: the rest follows at once",
      "TELL-3",
      '      sql.exec("UPDATE outbox SET due = ? WHERE webhook = ?", now, webhook);\n',
      "",
      "[TELL-3] gets everything that waits",
    ],
    [
      "webhooks: given up",
      "TELL-3",
      'if (againMs === null) sql.exec("DELETE FROM outbox WHERE id = ?", row);\n    else ',
      "if (againMs !== null) ",
      "[TELL-3] is tried again as stated",
    ],
  ]),
  ...guardsOf("durable/post-office.ts", room, [
    [
      "webhooks: a test asked for again is not sent again",
      "ADMIN-12",
      'if (kept.as !== "unknown-webhook" || webhook === undefined) return kept;',
      "if (webhook === undefined) return kept;",
      "[TELL-8] [ADMIN-12] asked for again under its key",
    ],
    [
      "webhooks: nor while it is under way",
      "ADMIN-12",
      "if (under !== undefined) return under",
      "if (under === null) return under",
      "[TELL-8] [ADMIN-12] asked for again under its key",
    ],
    [
      "webhooks: nor another one under its key",
      "ADMIN-12",
      '    if (under !== undefined && under.print !== print) return { as: "key-reused" };\n',
      "",
      "asked for otherwise under the key of one that is under way",
    ],
    [
      "webhooks: what became of a test is told without room for the answer",
      "ADMIN-12",
      "      if (!isStorageFull(error)) throw error;\n",
      "      throw error;\n",
      "what became of it is told although storage takes no row",
    ],
    [
      "webhooks: one try under way",
      "TELL-7",
      "if (this.#sending !== null || due === null",
      "if (due === null",
      "[TELL-7] that hangs holds up no call",
    ],
    [
      "webhooks: a full storage keeps nobody from anything by them",
      "FAIL-6",
      "const isTold = writes ||",
      "const isTold = true ||",
      "[FAIL-6][ADMIN-13][TELL-7] whose storage takes no new row",
    ],
  ]),
  ...guardsOf("durable/line/switches.ts", room, [
    [
      "webhooks: what was told is kept through a reset",
      "TELL-6",
      "  fresh.counters.watch = line.counters.watch;\n",
      "",
      "[TELL-6] is not told anew after a reset",
    ],
  ]),
];
