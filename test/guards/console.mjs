/**
 * Guards of the console (CONSOLE): what it says of numbers, and that nobody overwrites another by it.
 */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const core = "test/core/console.test.ts";
const page = "test/e2e/console.test.ts";
const ramp = "test/line/ramp.test.ts";
const acts = "test/e2e/console-acts.test.ts";

export const guards = [
  ...guardsOf("static/console/words.ts", core, [
    [
      "console: numbers are red past ten seconds",
      "CONSOLE-2",
      "isStale: seconds > STALE_S",
      "isStale: seconds > 10 * STALE_S",
      "[CONSOLE-2] numbers are stale past ten seconds, and say how old they are",
    ],
    [
      "console: entries of a lobby are people who lose something",
      "CONSOLE-3",
      '(draw?.state === "collecting" ? draw.entries : 0)',
      "0",
      "[CONSOLE-3] whoever has entered a lobby",
    ],
  ]),
  ...guardsOf("static/console/points.ts", core, [
    [
      "console: a minute without numbers is a gap in the chart",
      "CONSOLE-9",
      "point.at - last.at > 1.5 * MINUTE_S",
      "point.at - last.at > 150 * MINUTE_S",
      "[CONSOLE-9] a minute stands at its end, a gap is a gap, and now stands in for the minute that runs",
    ],
  ]),
  ...guardsOf("durable/line/ramp.ts", ramp, [
    [
      "ramp: a value that somebody sets ends it",
      "LINE-8",
      "return span.to === set ? span : null;",
      "return span;",
      "[LINE-8] a deployment with another value",
    ],
    [
      "ramp: an event's own value holds, whatever it is",
      "LINE-8",
      "    if (name in ofEvent) return [];\n",
      "",
      "[LINE-8] an event's own value holds",
    ],
    [
      "ramp: by the time alone",
      "LINE-8",
      "Math.floor(Math.max(0, at - startMs) / RAMP_STEP_MS) + 1",
      "Math.min(3, Math.floor(Math.max(0, at - startMs) / RAMP_STEP_MS)) + 1",
      "[LINE-8] the first step is taken at once",
    ],
  ]),
  ...guardsOf("src/core/settings-events.ts", "test/durable/ramp.test.ts", [
    [
      "ramp: an event's own value holds, as its settings are read",
      "LINE-8",
      "isNamed(name) || ",
      "",
      "[LINE-8][EVENT-3] an event that names the very values",
    ],
  ]),
  ...guardsOf("durable/line/schedule.ts", ramp, [
    [
      "ramp: ended for good",
      "LINE-8",
      "rampOf(line, settings) === null) counters.ramp",
      "counters.now >= counters.ramp.endMs) counters.ramp",
      "[LINE-8] a deployment with another value",
    ],
    ["ramp: nothing is reached on time", "LINE-8", ", standstillMs(counters)]", "]", "[LINE-8] at nothing the line's clock stands still"],
    [
      "ramp: a step gives nothing for the time before it",
      "LINE-8",
      "settingsNow(line, settings, beforeMs);",
      "settingsNow(line, settings);",
      "[LINE-8][P2] a step counts from when it is taken",
    ],
  ]),
  ...guardsOf("durable/turn.ts", "test/durable/ramp.test.ts", [
    [
      "ramp: stopped where the settings are it names no revision",
      "ADMIN-5",
      "memory.config.revision === held ? null : memory.config.revision",
      "changed && isSetting ? memory.config.revision : null",
      "stop-ramp keeps where it is",
    ],
  ]),
  ...guardsOf("durable/operate.ts", "test/durable/ramp.test.ts", [
    [
      "ramp: is told in the audit log",
      "ADMIN-23",
      "ramp_minutes: rampMs / 60_000",
      "",
      "[ADMIN-23] is one revision and one entry of the audit log",
    ],
  ]),
  ...guardsOf("static/console/little.ts", core, [
    [
      "console: a tenth of the places is kept for calls",
      "CONSOLE-10",
      "const USABLE_SHARE = 0.9;",
      "const USABLE_SHARE = 1;",
      "[CONSOLE-10] the calculator: Little's law with a tenth of the places kept for calls",
    ],
  ]),
  ...guardsOf("static/console/operator.ts", page, [
    [
      "console: a change is made against the revision that was seen",
      "CONSOLE-4",
      '"PATCH", "", said, { body: fields, ifRevision: seen }',
      '"PATCH", "", said, { body: fields }',
      "[CONSOLE-2] [CONSOLE-4] two operators at once",
    ],
    [
      "console: what this screen did is nobody else's change",
      "CONSOLE-4",
      "    while (this.#own.has(seen + 1)) seen++;\n",
      "",
      "[CONSOLE-4] what this screen does",
    ],
    ["console: nor is it shown as that", "CONSOLE-4", "!this.#own.has(revision) && all", "all", "[CONSOLE-4] what this screen does"],
    [
      "console: every change that has a way back offers it",
      "CONSOLE-3",
      "if (changed === false || undo === null || undo === undefined) return null;",
      'if (changed === false || typeof undo !== "string") return null;',
      "[CONSOLE-3] [CONSOLE-6] a change is undone by one press",
    ],
  ]),
  ...guardsOf("static/console/toasts.ts", page, [
    [
      "console: no notice pushes the way back out",
      "CONSOLE-3",
      '(this.#first(":not(.has-undo, .bad)") ?? this.#first(":not(.has-undo)"))',
      'this.#first("")',
      "[CONSOLE-3] [CONSOLE-21] news of others",
    ],
  ]),
  ...guardsOf("static/console/rooms.ts", acts, [
    [
      "console: a room that was paused before stays paused",
      "CONSOLE-14",
      "answers[i].value.changed",
      "true",
      "[CONSOLE-14] all rooms are paused by one press",
    ],
  ]),
  ...guardsOf("static/console/operator.ts", acts, [
    [
      "console: keeping a preset is no conflict with what is being edited",
      "CONSOLE-18",
      "    while (this.#own.has(seen + 1)) seen++;\n",
      "",
      "[CONSOLE-11][CONSOLE-18] a rate in steps",
    ],
  ]),
  ...guardsOf("static/console/limits.ts", page, [
    [
      "console: what the other one has set is not taken back",
      "CONSOLE-4",
      "value === null || value === held ? []",
      "value === null || value === last?.room?.settings[name] ? []",
      "[CONSOLE-4] mine as well as theirs",
    ],
  ]),
  ...guardsOf("static/console/preview.ts", page, [
    [
      "console: words that come late are not shown",
      "CONSOLE-12",
      "    if (lang.value !== code) return;\n",
      "",
      "[CONSOLE-12] the language that was chosen last",
    ],
  ]),
  ...guardsOf("static/console/visitor.ts", acts, [
    [
      "console: whoever is shown is meant",
      "CONSOLE-13",
      '"POST", `${path}/${what}`',
      '"POST", `/places/${encodeURIComponent(code.value.trim())}/${what}`',
      "[CONSOLE-13][PAGE-27] one visitor is found",
    ],
    [
      "console: who was asked about last is shown",
      "CONSOLE-13",
      "    if (mine !== asked) return;\n",
      "",
      "[CONSOLE-13][PAGE-27] one visitor is found",
    ],
  ]),
  ...guardsOf("static/console/events.ts", acts, [
    [
      "console: an hour that clocks skip",
      "EVENT-1",
      "withOffset(Date.parse(value), -new",
      "withOffset(Date.parse(`${value}Z`) + 60_000 * new Date(value).getTimezoneOffset(), -new",
      "[CONSOLE-8] [EVENT-1] an hour that",
    ],
  ]),
  ...guardsOf("static/console.ts", acts, [
    [
      "console: a wall has nothing to press",
      "CONSOLE-17",
      'if (kind === "room" && name !== "" && isWall()) {',
      'if (kind === "room" && name === "" && isWall()) {',
      "[CONSOLE-17] ?wall shows one room's numbers",
    ],
    [
      "console: a token that has ended signs nobody else out",
      "CONSOLE-1",
      "api === current && signOut()",
      "signOut()",
      "[CONSOLE-1] [CONSOLE-13] a token is shown once",
    ],
  ]),
  ...guardsOf("src/gate/answer.ts", acts, [
    [
      "page: the reference code is on the page",
      "PAGE-27",
      "await withReference(visit, status)",
      "status",
      "[CONSOLE-13][PAGE-27] one visitor is found",
    ],
  ]),
  ...guardsOf("static/console/switches.ts", page, [
    [
      "console: a viewer has no Pause",
      "CONSOLE-5",
      'if (!may(me, "operator")) return { node: null, show: () => undefined };\n  let isPaused',
      "let isPaused",
      "[CONSOLE-5] a viewer sees everything and has no control",
    ],
  ]),
];
