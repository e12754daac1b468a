/** Guards of a room that may run open without the Room, and of a storage that is full (FAIL). */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const own = "test/core/failure.test.ts";
const matrix = "test/core/fault-matrix.test.ts";

export const guards = [
  ...guardsOf("src/core/failure.ts", own, [
    ["open: only where the room says so", "FAIL-1", 'failurePolicy !== "open" || ', "", "[FAIL-1] runs open once"],
    ["open: not by a failure long ago", "FAIL-1", " || now - silence.lastMs > RECENT_MS", "", "[FAIL-1] runs open once"],
    ["open: only after open_after_seconds", "FAIL-1", "silence.lastMs - silence.sinceMs >= openAfterMs", "true", "[FAIL-1] runs open once"],
    [
      "open: not without a word of the Room",
      "FAIL-2",
      "isLong && last !== null && ",
      "isLong && last === null || ",
      "[FAIL-2] lets nobody in if it has never heard",
    ],
    [
      "open: not by an old word",
      "FAIL-2",
      "silence.sinceMs - last.heardAtMs <= KNOWN_MS",
      "true",
      "[FAIL-2] lets nobody in if it has never heard",
    ],
    ["open: not where others hear of the Room", "FAIL-2", "heardAtMs > sinceMs || ", "", "[FAIL-2] lets nobody in if it has never heard"],
    ["open: not by settings that are not known", "FAIL-2", "!isSettled || ", "", "[FAIL-2] lets nobody in if it has never heard"],
    [
      "open: not after a pause, a lobby, an end",
      "FAIL-2",
      'manifest.phase !== "open" || ',
      "",
      "[FAIL-2] lets nobody in where the Room's last word",
    ],
    ["open: not with a lobby's entries", "FAIL-2", " || manifest.lobby !== null", "", "[FAIL-2] lets nobody in where the Room's last word"],
    [
      "open: not where the settings let nobody in",
      "FAIL-2",
      'if (mode === "shadow" || queueAll || !(newUsersPerMinute > 0) || queueingMethod === "reject" || isOff(settings)) return true;',
      "",
      "[FAIL-2] nor by its settings",
    ],
    [
      "open: not in an event's first ten minutes",
      "FAIL-2",
      "at < stage.event.startMs + EVENT_CALM_MS",
      "false",
      "[FAIL-2] never in its lobby nor in its first ten minutes",
    ],
    [
      "open: clocks differ",
      "FAIL-2",
      "[now - CLOCKS_MS, now, now + CLOCKS_MS]",
      "[now]",
      "[FAIL-2] never in its lobby nor in its first ten minutes",
    ],
    [
      "open: not in an event that the Room never spoke of",
      "FAIL-2",
      " || manifest.at >= stage.event.startMs",
      " || true",
      "[FAIL-2] never in one whose doors",
    ],
  ]),
  ...guardsOf("src/room/outage.ts", own, [
    [
      "outage: unbroken",
      "FAIL-1",
      " && now - this.#silence.lastMs <= RECENT_MS",
      "",
      "[FAIL-1] is not made of failures with half a minute",
    ],
    [
      "outage: ended by a sign of life",
      "FAIL-1",
      '      case "overloaded":\n      case "full":\n      case "remote":\n        this.#silence = null;',
      "        this.#silence = null;",
      "[FAIL-1] O5 is an unbroken run",
    ],
    [
      "outage: silence is none",
      "FAIL-1",
      '      case "other":\n        return;\n',
      '      case "other":\n',
      "[FAIL-1] is neither made nor ended by silence",
    ],
  ]),
  ...guardsOf("src/room/call.ts", matrix, [
    [
      "outage: only lost connections",
      "FAIL-1",
      'flag(error, "retryable") ? "transport" : "other"',
      '"transport"',
      "[GATE-32][FAIL-1][P11] C51 O5",
    ],
    [
      "outage: no answer is no lost connection",
      "FAIL-1",
      'new RoomFailure("late",',
      'new RoomFailure("transport",',
      "[GATE-32][FAIL-1][P11] C51 O5",
    ],
    ["outage: a full storage is none", "FAIL-6", '  if (isStorageFull(error)) return "full";\n', "", "[GATE-32][FAIL-1][P11] C51 O5"],
  ]),
  ...guardsOf("src/room/exchange-queue.ts", matrix, [
    [
      "full: joins are held back",
      "FAIL-6",
      'if (ask.kind === "join" && now < this.#fullUntil)',
      "if (false)",
      "keeps joins back for five seconds",
    ],
  ]),
  ...guardsOf("src/room/open-door.ts", own, [
    [
      "open: a fiftieth of the rate",
      "FAIL-3",
      " || now - this.#lastAt < 60_000 / (perMinute * OPEN_SHARE)",
      "",
      "[FAIL-3] in any stretch of time",
    ],
    ["open: nobody at rate zero", "FAIL-3", "!(perMinute > 0) || ", "", "[FAIL-3] in any stretch of time"],
    [
      "open: one cookie is no key for all",
      "FAIL-3",
      "if (backAt - now > REQUESTS_AT_ONCE * REQUEST_EVERY_MS) return false;",
      "",
      "[FAIL-3] each of them may load pages",
    ],
  ]),
  ...guardsOf("src/gate/decide.ts", own, [
    [
      "open: the cookie is worth nothing once the Room answers",
      "FAIL-4",
      'if (open === "shut" || step.do',
      "if (step.do",
      "[FAIL-4] whoever was let in goes on",
    ],
    [
      "open: nobody enters by a body",
      "FAIL-4",
      ' && asked.method === "read" && NEEDS_ROOM',
      " && NEEDS_ROOM",
      "[FAIL-4] T1 the cookie check stays",
    ],
    ["open: only who waits for the Room", "FAIL-4", " && NEEDS_ROOM.has(step.do) ?", " ?", "[FAIL-4] T1 the cookie check stays"],
    [
      "open: isolates that know nothing let nobody in",
      "FAIL-2",
      'return open === "open" && asked',
      "return asked",
      "[FAIL-2] an isolate that only goes on lets nobody in",
    ],
  ]),
  ...guardsOf("durable/exchanges.ts", "test/durable/full-store.test.ts", [
    [
      "full: is not an error",
      "FAIL-6",
      "        if (!isStorageFull(error)) throw error;\n        tried",
      "        throw error;\n        tried",
      "O5 that takes no new row",
    ],
  ]),
  ...guardsOf("durable/steps.ts", "test/durable/full-store.test.ts", [
    [
      "full: a replaced instance answers nothing",
      "ROOM-2",
      "    this.#store.lastRevision();\n",
      "",
      "[FAIL-6][ROOM-2] answers nothing where storage cannot even be read",
    ],
  ]),
  ...guardsOf("durable/steps.ts", "test/durable/full-store.test.ts", [
    ["full: a row alone is tried first", "FAIL-6", "if (!this.#full.mayTakeAgain(now)) return", "return", "not loaded again and again"],
    [
      "full: looking tries no step",
      "FAIL-6",
      '    if (this.tries() === "nothing") return this.unwritten(file, look);\n',
      "",
      "not loaded again and again",
    ],
    ["full: nor does the alarm", "FAIL-6", '      if (this.tries() === "nothing") return;\n', "", "not loaded again and again"],
  ]),
  ...guardsOf("durable/store.ts", "test/durable/full-store.test.ts", [
    ["full: of a new Room too", "FAIL-6", "    schemaVersion(this.#sql);\n", "", "of a new Room takes it once"],
  ]),
  ...guardsOf("durable/full-store.ts", "test/durable/full-store.test.ts", [
    ["full: joins apart from the rest", "FAIL-6", 'failed === "all" ? "no-joins" : "nothing"', '"nothing"', "O5 that takes no new row"],
    ["full: less is tried for a while", "FAIL-6", "this.#until = now + AGAIN_MS;", "this.#until = now;", "O5 a join gets its place"],
    [
      "full: for no longer by a clock that is set back",
      "FAIL-6",
      " && this.#until - now <= AGAIN_MS",
      "",
      "host's clock was set back an hour",
    ],
    ["full: told by such a clock too", "FAIL-6", "Math.abs(now - this.#toldAt)", "now - this.#toldAt", "host's clock was set back an hour"],
  ]),
  ...guardsOf("src/gate/proof.ts", "test/worker/client.test.ts", [
    [
      "open: not without the proof that is asked for",
      "FAIL-4",
      "  return cost === 0 || (key !== null && (await proofOf(visit, key)).cost >= cost);\n",
      "  return true;\n",
      "nobody goes in with closed, where calls are turned away, nor without the proof",
    ],
  ]),
  ...guardsOf("scripts/lib/drill-run.mjs", "test/worker/drill.test.ts", [
    ["drill: counts who was let in", "FAIL-8", "if (isLetIn) this.#letIn.add(visitor);", "", "finds out a room that lets people in"],
  ]),
  ...guardsOf("src/gate/open.ts", "test/worker/client.test.ts", [
    [
      "open: the site is told",
      "PROXY-2",
      '{ status: "failed-open" }, { lines: [await openCookie',
      '{ status: "unproven" }, { lines: [await openCookie',
      "a few go in, with whole pages",
    ],
  ]),
];
