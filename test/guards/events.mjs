/** Guards of events: how they are read, what holds when, and what may no longer change (EVENT). */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const reading = "test/core/events.test.ts";
const changing = "test/core/event-changes.test.ts";
const stored = "test/durable/events.test.ts";
const api = "test/worker/admin-events.test.ts";

export const guards = [
  ...guardsOf("src/core/rfc3339.ts", reading, [
    [
      "events: a time needs its offset",
      "EVENT-1",
      'if (offset === undefined) return refuse("without the offset nobody knows which hour is meant");',
      'if (offset === undefined) return readTime(text + "Z");',
      "is refused with the reason",
    ],
    [
      "events: no days that do not exist",
      "EVENT-1",
      "if (same.some((part, i) => part !== parts[i])",
      "if (same.length === 0",
      "is refused with the reason",
    ],
    [
      "events: the offset is taken off",
      "EVENT-1",
      " - offsetMinutes * MINUTE_MS, offsetMinutes };",
      ", offsetMinutes };",
      "is one instant",
    ],
  ]),
  ...guardsOf("src/core/settings-events.ts", reading, [
    [
      "events: a lobby is before the start",
      "EVENT-2",
      "timeOf(lobby).ms >= timeOf(start).ms)",
      "timeOf(lobby).ms > timeOf(start).ms)",
      "[EVENT-2] a lobby at the start",
    ],
    ["events: an end is after the start", "EVENT-2", "if (timeOf(end).ms <= timeOf(start).ms)", "if (end <= start)", "[EVENT-2] an"],
    ["events: none overlap", "EVENT-2", "opensAtMs(event) < latest.endMs) {", "event.startMs < latest.endMs) {", "[EVENT-2] an overlap"],
    [
      "events: not only with the one before",
      "EVENT-2",
      "if (latest === null || event.endMs > latest.endMs) latest",
      "latest",
      "[EVENT-2] an event may overlap",
    ],
    [
      "events: bonds hold after the merge",
      "EVENT-2",
      "const problems = brokenBindings(merged, NONE,",
      "const problems = brokenBindings(room, NONE,",
      "[EVENT-2] a bond broken",
    ],
    [
      "events: what is the room's alone",
      "EVENT-2",
      "[...given.keys()].filter((key) => !KNOWN.has(key))",
      "[...given.keys()].filter((key) => !(key in SETTINGS) && !KNOWN.has(key))",
      "[EVENT-2] another host",
    ],
    [
      "events: no lobby that nobody may join",
      "EVENT-2",
      'method === "passthrough" || method === "reject"',
      'method === "passthrough"',
      "[EVENT-2] a lobby that nobody may join",
    ],
    [
      "events: suspended ones are not there",
      "EVENT-4",
      "read.filter(({ suspended }) => !suspended).map",
      "read.map",
      "[EVENT-4] a suspended event",
    ],
  ]),
  ...guardsOf("src/core/schedule.ts", reading, [
    ["events: the end is not part of it", "EVENT-3", "now < endMs);", "now <= endMs);", "[EVENT-3] G16 the edges are exact"],
    [
      "events: the lobby ends at the start",
      "EVENT-3",
      "return now < event.startMs ?",
      "return now <= event.startMs ?",
      "[EVENT-3] G16 the edges are exact",
    ],
    [
      "events: the lobby has the event's settings",
      "EVENT-3",
      'return stage.in === "lobby" || stage.in',
      "return stage.in",
      "[EVENT-3] G16 the edges are exact",
    ],
    [
      "events: one called off changes nothing",
      "EVENT-4",
      "  if (event.cancelled !== null) return",
      "  if (event.cancelled === undefined) return",
      "[EVENT-4] a cancelled event",
    ],
  ]),
  ...guardsOf("src/core/event-changes.ts", changing, [
    ["events: not moved from the cut-off on", "EVENT-6", "if (start.ms <= now)", "if (start.ms < now)", "not from that millisecond on"],
    [
      "events: a moved one keeps its end",
      "EVENT-6",
      "end.ms > to.ms ? end.ms :",
      "end.ms < to.ms ? end.ms :",
      "[EVENT-6] is moved by minutes",
    ],
    [
      "events: not started before the lobby",
      "EVENT-6",
      "timeOf(lobby).ms >= now.ms",
      "timeOf(lobby).ms > now.ms",
      "[EVENT-6] is started now",
    ],
  ]),
  ...guardsOf("src/core/event-locks.ts", changing, [
    [
      "events: one that is on stays",
      "EVENT-7",
      "    if (event.prequeueStartMs === null) return [];\n",
      "    return [];\n",
      "[EVENT-7] keeps its name",
    ],
    [
      "events: no start is moved into the past",
      "EVENT-7",
      "else if (next.startMs < now) refuse",
      "else if (next.startMs === now) refuse",
      "but not into the past",
    ],
    ["events: no start is moved after it", "EVENT-7", "if (begun) refuse(", "if (event.shuffle && !begun) refuse(", "[EVENT-7] may change"],
    ["events: called off for good", "EVENT-7", "if (next?.cancelled === null)\n", "if (next === null)\n", "[EVENT-7] is called off"],
    [
      "events: the shuffle stays",
      "EVENT-7",
      "if (next.shuffle !== event.shuffle) refuse",
      "if (next.shuffle === null) refuse",
      "[EVENT-7] keeps what those",
    ],
    [
      "events: the beacon stays",
      "EVENT-7",
      "if (was.beacon !== is.beacon) refuse",
      "if (event.overrides.beacon !== next.overrides.beacon) refuse",
      "[EVENT-7] keeps what those",
    ],
    ["events: no lobby that is over", "EVENT-7", "event.startMs < now &&", "event.startMs > now &&", "[EVENT-7] has had its lobby"],
  ]),
  ...guardsOf("src/core/settings-warnings.ts", changing, [
    [
      "events: open draws are warned of",
      "EVENT-8",
      "shuffle && cancelled === null && now < endMs",
      "!shuffle && cancelled === null && now < endMs",
      "[EVENT-8]",
    ],
    [
      "events: people in front of a draw are warned of",
      "EVENT-8",
      "settings.closedOutsideEvents ? [] : draws.filter",
      "!settings.closedOutsideEvents ? [] : draws.filter",
      "[EVENT-8] until its lobby opens",
    ],
  ]),
  ...guardsOf("durable/config.ts", stored, [
    [
      "events: what is on is looked at with every change",
      "EVENT-7",
      'if (tooLate.length > 0) return { as: "too-late", problems: tooLate };',
      "",
      "[EVENT-7] that are on cannot be removed",
    ],
    [
      "events: what is on is looked at with every deploy",
      "EVENT-7",
      "first.ok ? locked(first) : [];",
      "[] as Problem[];",
      "[EVENT-7] that are on are not changed by a deploy",
    ],
  ]),
  ...guardsOf("durable/operate.ts", stored, [
    [
      "events: refused when somebody else changed the room",
      "EVENT-5",
      'if (ifRevision !== null && ifRevision !== config.revision) return { as: "conflict", revision: config.revision };',
      "",
      "[EVENT-5] are refused when somebody else",
    ],
  ]),
  ...guardsOf("src/routes/admin-events.ts", api, [
    [
      "events: DELETE needs a condition",
      "EVENT-5",
      'const asked = await ask(c, "DELETE takes the event away");',
      "const asked = await ask(c, null);",
      "[EVENT-5] PUT and DELETE",
    ],
  ]),
];
