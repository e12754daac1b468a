/** Guards of events and draws in the line (LOBBY, P13). Read by scripts/test-guards.mjs. */
const advance = "durable/line/advance.ts";
const draws = "durable/line/draws.ts";
const schedule = "durable/line/schedule.ts";
const state = "durable/line/state.ts";
const lobby = "test/line/lobby.test.ts";
const draw = "test/line/lobby-draw.test.ts";
const windows = "test/line/windows.test.ts";

export const guards = [
  [
    "lobby: nobody enters",
    "LOBBY-1",
    state,
    ' || stageAt(settings, line.counters.now).in === "lobby"',
    "",
    [lobby, "holds everybody in the lobby"],
  ],
  [
    "lobby: sessions are kept where the event says so",
    "LOBBY-2",
    schedule,
    "if (!event.keepSessions) endSessions",
    "endSessions",
    [lobby, "stay where the event keeps them"],
  ],
  ["lobby: sessions end once", "LOBBY-2", schedule, "event.name !== counters.lobby?.event", "true", [lobby, "end once when it opens"]],
  [
    "draw: the drawn have slots of their own",
    "LOBBY-5",
    draws,
    "  counters.tail += draw.count;\n",
    "",
    [draw, "gives the entries the slots behind those who waited"],
  ],
  [
    "draw: once",
    "LOBBY-5",
    draws,
    "  line.counters.drawing = line.counters.awaiting.shift() ?? null;\n",
    "",
    [draw, "keeps the rule of its opening"],
  ],
  [
    "draw: nobody from its base on is called before it",
    "LOBBY-6",
    advance,
    "[drawing, ...awaiting].find((draw) => draw !== null && draw.base >= epoch)?.base ?? tail",
    "tail",
    [draw, "the doors open when the round is known"],
  ],
  [
    "draw: no other round",
    "LOBBY-6",
    draws,
    "line.counters.drawing?.round === round",
    "line.counters.drawing !== null",
    [draw, "takes no other round"],
  ],
  [
    "draw: the wait begins when the Room is awake",
    "LOBBY-6",
    draws,
    "Math.max(publishedAtMs(round), heardAtMs)",
    "publishedAtMs(round)",
    [draw, "a Room that slept over the cut-off still waits"],
  ],
  [
    "settle: not because slots were nobody's before",
    "LOBBY-7",
    draws,
    "    line.sightings.forgetMarks();\n",
    "",
    [draw, "nor because slots were nobody's before"],
  ],
  [
    "settle: 0 is never",
    "LINE-2",
    "durable/line/advance.ts",
    "settling === null || settings.settleMs === 0 ||",
    "settling === null ||",
    [draw, "with settle_seconds 0"],
  ],
  [
    "settle: not after a restart",
    "LOBBY-7",
    "durable/line/sightings.ts",
    "if (this.#since > sinceMs || now",
    "if (now",
    [draw, "nor after a restart"],
  ],
  [
    "windows: closed before somebody gets past them",
    "LOBBY-8",
    schedule,
    ' || settings.queueingMethod !== "random"',
    "",
    [windows, "closes at once when newcomers would get past it"],
  ],
  [
    "windows: not overtaken",
    "LOBBY-8",
    state,
    "    line.counters.collecting === null &&\n",
    "",
    [windows, "is not overtaken by whoever would go straight in"],
  ],
  [
    "entries: their chain comes back after a restart",
    "LOBBY-3",
    "durable/line/recent-joins.ts",
    "batch.chain = toBase64url(chain);",
    "void chain;",
    [lobby, "are counted, the same key the same entry"],
  ],
].map(([name, rule, file, find, replace, test]) => ({ name, rule, file, find, replace, test }));
