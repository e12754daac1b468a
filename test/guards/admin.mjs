/**
 * Guards of the admin API's table of routes and of what hangs on it: roles, tokens, the logs, repeated requests, bans (ADMIN-9 and further).
 */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const api = "test/worker/admin.test.ts";
const roles = "test/worker/admin-roles.test.ts";
const acts = "test/durable/acts.test.ts";
const log = "test/durable/log.test.ts";
const parts = "test/core/admin-parts.test.ts";

export const guards = [
  ...guardsOf("src/routes/admin.ts", api, [
    [
      "admin: unknown parameters are refused",
      "ADMIN-9",
      "if (strange.length > 0) return invalid(",
      "if (strange.length > 99) return invalid(",
      "[ADMIN-9] parameters that a route does not take are refused by name",
    ],
  ]),
  ...guardsOf("src/routes/admin-access.ts", api, [
    [
      "admin: fields that the route does not take are refused",
      "ADMIN-9",
      "!known.includes(name) && (fields",
      'name === "" && (fields',
      "[ADMIN-5] unknown switches and fields do nothing",
    ],
  ]),
  ...guardsOf("src/routes/admin-who.ts", roles, [
    [
      "admin: roles are ranks",
      "ADMIN-10",
      "return ROLES.indexOf(role) >= ROLES.indexOf(wanted);",
      "return ROLES.indexOf(role) >= 0 || wanted === role;",
      "[ADMIN-10] POST /tokens",
    ],
    [
      "admin: a token that nobody made is refused",
      "ADMIN-11",
      "if (id === undefined || !(await sameSecret(",
      "if (id === undefined || !(await sameSecret(tag, tag)) || (await sameSecret(",
      "[ADMIN-11] one that was ended counts no more",
    ],
  ]),
  ...guardsOf("durable/tokens.ts", roles, [
    [
      "admin: an ended token counts no more",
      "ADMIN-11",
      ' || stateOf(token, now) !== "live") return null;',
      ") return null;",
      "[ADMIN-11] one that was ended counts no more",
    ],
    [
      "admin: what counts is never forgotten",
      "ADMIN-11",
      'if (stateOf(old, now) !== "live") this.#sql',
      "this.#sql",
      "[ADMIN-11] one that counts is kept",
    ],
  ]),
  ...guardsOf("src/routes/admin.ts", roles, [
    [
      "admin: invitations are made once under a key",
      "ADMIN-12",
      "const idOf = once === null ? newVisitorKey",
      'const idOf = once?.key !== "" ? newVisitorKey',
      "[ADMIN-12] invitations asked for again",
    ],
  ]),
  ...guardsOf("durable/operate.ts", "test/durable/config.test.ts", [
    [
      "admin: a change reads no revisions for the message's time",
      "PAGE-25",
      'if (moved.includes("message") || moved.includes("messages")) memory.messageAt = now;',
      "memory.messageAt = store.messageSince();",
      "[PAGE-25] the message's time",
    ],
  ]),
  ...guardsOf("durable/foresee.ts", acts, [
    [
      "admin: a forecast of a switch is refused as the switch is",
      "ADMIN-15",
      "if (refusal !== null) return refusal;",
      "if (refusal === undefined) return refusal;",
      "[ADMIN-15] warns where fewer places",
    ],
  ]),
  ...guardsOf("durable/log.ts", "test/durable/schema.test.ts", [
    [
      "log: begins with what was counted before there was one",
      "ADMIN-16",
      "last === undefined ? { generation, totals: countsOf(totals) } :",
      "last === null ? { generation, totals: countsOf(totals) } :",
      "[ROOM-6][ADMIN-16][P7] opens ../vectors/room-schema-7.json",
    ],
  ]),
  ...guardsOf("durable/line/claims.ts", log, [
    [
      "log: a wait is from joining to going in for the first time",
      "ADMIN-22",
      "counters.now - request.joinedAtS * 1_000, counters.now);\n  } else {",
      "counters.now - request.joinedAtS * 1_000, counters.now);\n  } else {\n    noteWait(counters.waits, 0, counters.now);",
      "[ADMIN-22] tell how long those who went in had waited",
    ],
  ]),
  ...guardsOf("durable/line/bans.ts", log, [
    ["bans: another's key stays banned", "ADMIN-19", "    this.load(this.all());\n", "", "[ADMIN-19] banned, is refused by its own key"],
  ]),
  ...guardsOf("durable/once.ts", acts, [
    [
      "admin: a repeated request is not done again",
      "ADMIN-12",
      "  if (kept !== null) {\n",
      "  if (kept !== null && kept.print !== asked.print) {\n",
      "[ADMIN-12] is done once",
    ],
    [
      "admin: keys are each caller's own",
      "ADMIN-12",
      "JSON.stringify([name, asked.key])",
      'JSON.stringify([name === "" ? name : "", asked.key])',
      "[ADMIN-12] is another's with another name",
    ],
  ]),
  ...guardsOf("durable/operate.ts", acts, [
    [
      "admin: a change is audited",
      "ADMIN-13",
      "  audit(on, action, change.actor, rampMs > 0 ? { ...effects, after: { ...effects.after, ramp_minutes: rampMs / 60_000 } } : effects);\n",
      "",
      "[ADMIN-13] has every act",
    ],
    [
      "admin: restoring leaves alone what only a deployment may change",
      "ADMIN-14",
      ".filter(([setting]) => !(DEPLOY_ONLY as readonly string[]).includes(setting));",
      ";",
      "[ADMIN-14] leaves alone",
    ],
  ]),
  ...guardsOf("durable/steps.ts", acts, [
    [
      "admin: a full storage keeps nobody from a switch",
      "ADMIN-13",
      "for (const audits of [true, false]) {",
      "for (const audits of [true]) {",
      "[ADMIN-13] a full storage still lets the operator",
    ],
  ]),
  ...guardsOf("durable/steps.ts", "test/durable/full-store.test.ts", [
    [
      "admin: a full storage makes nothing again that was made under its key",
      "ADMIN-12",
      "return once(this.#store.acts, by, now, () => decide(on), audits);",
      "return audits ? once(this.#store.acts, by, now, () => decide(on)) : decide(on);",
      "[ADMIN-12][FAIL-6] an act asked for again",
    ],
  ]),
  ...guardsOf("durable/log.ts", log, [
    [
      "log: counts go on from what was logged",
      "ADMIN-16",
      "const from = mark.generation === counters.generation ? mark.totals : newTotals();",
      "const from = mark.generation === counters.generation + 1 ? mark.totals : newTotals();",
      "[ADMIN-16] counts everything that happened exactly",
    ],
    ["log: minutes are closed as they ended", "ADMIN-17", "  log.counted = mark;\n", "", "[ADMIN-17] have counts of each minute"],
    [
      "log: a minute tells only of those who went in within it",
      "ADMIN-22",
      "waits: [...waits.counts] };",
      "waits: [] };",
      "[ADMIN-22] tell how long those who went in had waited",
    ],
  ]),
  ...guardsOf("durable/turn.ts", log, [
    [
      "log: what happened before a new line is written down",
      "ADMIN-16",
      "  if (audits) logStep(memory, store, now, true);\n",
      "",
      "[ADMIN-16] begins anew with a new line",
    ],
  ]),
  ...guardsOf("durable/line/joins.ts", log, [
    [
      "bans: are refused",
      "ADMIN-19",
      "if (line.bans.has(request.key))",
      'if (request.key === "")',
      "[ADMIN-19] banned, is refused by its own key",
    ],
  ]),
  ...guardsOf("durable/places.ts", log, [
    ["bans: of the guest", "ADMIN-19", ", store.acts.guestOf(got) ?? []]", "]", "[ADMIN-19] banned in a room that asks who somebody is"],
    [
      "bans: of whoever got the place by a draw",
      "ADMIN-19",
      "drawn === null ? { draw: null, number: slot }",
      "drawn !== undefined ? { draw: null, number: slot }",
      "[ADMIN-19][DRAW-1] banned by a place that was drawn",
    ],
  ]),
  ...guardsOf("durable/line/switches.ts", log, [
    ["bans: outlive a reset", "ADMIN-19", "  fresh.bans.load(line.bans.all());\n", "", "[ADMIN-19] banned, is refused by its own key"],
  ]),
  ...guardsOf("src/core/csv.ts", parts, [["csv: no formulas", "ADMIN-20", 'text.replace(FORMULA, "\'")', "text", "[ADMIN-20] a cell"]]),
  ...guardsOf("src/core/access.ts", parts, [
    [
      "access: the address before its domain",
      "ADMIN-21",
      "roles.get(who) ?? roles.get(who.slice",
      "roles.get(who.slice",
      "[ADMIN-21] gives roles",
    ],
  ]),
  ...guardsOf("durable/store.ts", "test/durable/config.test.ts", [
    [
      "admin: revisions do not grow without end",
      "ROOM-7",
      "const last = revision.revision - REVISIONS_KEPT;",
      "const last = 0 * REVISIONS_KEPT;",
      "[ROOM-7] [PAGE-25] the newest 1,000 revisions are kept",
    ],
    [
      "admin: the revision that tells the message's time stays",
      "PAGE-25",
      "last, messageAt);",
      "last, null ?? (messageAt && null));",
      "[ROOM-7] [PAGE-25] the newest 1,000 revisions are kept",
    ],
  ]),
  ...guardsOf("durable/stored-acts.ts", acts, [
    [
      "admin: a page of the audit log fits into one reply",
      "ADMIN-13",
      "return fitting(rows, ({ entry }) => entry.length)",
      "return fitting(rows, () => 0)",
      "[ADMIN-13] entries that are too long for one reply",
    ],
  ]),
  ...guardsOf("src/routes/admin-tokens.ts", roles, [
    [
      "admin: a token asked for again under a key is the same one",
      "ADMIN-12",
      "const bytes = once === null ? null",
      "const bytes = once !== undefined ? null",
      "[ADMIN-12] a token asked for again under it",
    ],
  ]),
  ...guardsOf("src/room/shared-read.ts", "test/core/shared-read.test.ts", [
    [
      "admin: numbers are never older than the question",
      "ADMIN-30",
      "const group = this.#next;\n    this.#next = null;",
      "const group = { turn: signal<void>(), done: signal<Outcome<T>>() };\n    this.#next = group;",
      "[ADMIN-30] twenty at once",
    ],
  ]),
  ...guardsOf("src/routes/admin-room.ts", "test/worker/admin.test.ts", [
    [
      "admin: those who ask for the numbers at once share a call",
      "ADMIN-30",
      "return shared.read(() => read(c, room, (rpc) => rpc.stats()));",
      "return shared && read(c, room, (rpc) => rpc.stats());",
      "[ADMIN-30] twenty who ask for the numbers at once",
    ],
  ]),
  ...guardsOf("src/routes/admin-who.ts", "test/worker/admin-access.test.ts", [
    [
      "access: beside a password of the site's own",
      "ADMIN-21",
      "return !isBearer && assertion",
      "return authorization === undefined && assertion",
      "[ADMIN-21] counts beside a password",
    ],
  ]),
];
