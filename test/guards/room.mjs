/** Guards of the Room: transactions, time, alarm, settings, switches, stored format (ROOM). They run inside workerd. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const atomic = "test/durable/atomic.test.ts";
const config = "test/durable/config.test.ts";
const switches = "test/durable/switches.test.ts";
const alarm = "test/durable/alarm.test.ts";

export const guards = [
  ...guardsOf("durable/clock.ts", "test/durable/clock.test.ts", [
    [
      "Room time: never back",
      "ROOM-4",
      "now: Math.max(clock.now, Math.min(now, wall)),",
      "now: Math.min(now, wall),",
      "[ROOM-4] O7 never goes back",
    ],
    [
      "Room time: a jump is doubted",
      "ROOM-4",
      "return believed ? at(wall) : at(clock.now + STEP_MS, wall);",
      "return at(wall);",
      "[ROOM-4] O7 a jump that is taken back costs a minute",
    ],
    [
      "Room time: a jump that stands is taken",
      "ROOM-4",
      "if (ahead <= STEP_MS || wall - clock.doubtSince >= STEP_MS) return at(wall);",
      "if (ahead <= STEP_MS) return at(wall);",
      "[ROOM-4] O7 a jump that stands for a minute is taken whole",
    ],
    [
      "Room time: a new doubt has its own minute",
      "ROOM-4",
      "  if (wall < clock.doubtSince) return at(clock.now, wall);\n",
      "",
      "[ROOM-4] a clock that is set again while in doubt starts a new minute",
    ],
    [
      "Room time: all of it after a load",
      "ROOM-4",
      "  if (clock.wall === null) return at(wall);\n",
      "  if (clock.wall === null) return at(Math.min(wall, clock.now + STEP_MS));\n",
      "[ROOM-4] takes all the time that passed while the object was out of memory",
    ],
  ]),
  ...guardsOf("durable/store.ts", atomic, [
    [
      "transactions: all or nothing",
      "ROOM-1",
      "    return this.#transaction(work);\n",
      "    return work();\n",
      "[ROOM-1][P7] O5 leaves what was before",
    ],
    [
      "transactions: every call writes",
      "ROOM-2",
      "    this.#steps.save(changes, now);\n",
      "    if (changes.record.length > 20) this.#steps.save(changes, now);\n",
      "[ROOM-2] that hands out a slot or an epoch has written in the same step",
    ],
  ]),
  ...guardsOf("durable/store.ts", switches, [
    [
      "reset: the old line's rows go",
      "ROOM-11",
      "    if (changes.cleared) {\n",
      "    if (false) {\n",
      "[ROOM-11] reset needs the room's name typed",
    ],
  ]),
  ...guardsOf("durable/store.ts", "test/durable/eviction.test.ts", [
    [
      "joins: old ones are deleted",
      "P12",
      "    this.#sql.exec(`DELETE FROM joins WHERE first_slot < (${begun})`, forgetJoinsBelow);\n",
      "",
      "[ROOM-3][P12] is bounded, and is never less than what a restart needs",
    ],
    [
      "joins: a row goes when nothing in it is needed",
      "ROOM-3",
      "WHERE first_slot < (${begun})`",
      "WHERE first_slot < ?`",
      "[ROOM-3][P12] is bounded, and is never less than what a restart needs",
    ],
  ]),
  ...guardsOf("durable/steps.ts", atomic, [
    [
      "transactions: memory is dropped after a failure",
      "ROOM-1",
      "      this.#memory = null;\n      throw error;",
      "      throw error;",
      "[ROOM-1][P7] O5 leaves what was before",
    ],
  ]),
  ...guardsOf("durable/steps.ts", alarm, [
    [
      "alarm: set again before anything can fail",
      "ROOM-5",
      "      await this.#watchdog.arm(this.#from.wall());\n",
      "",
      "[ROOM-5] that fails re-arms all the same",
    ],
    [
      "alarm: a call is not lost because it cannot be set",
      "ROOM-5",
      'await due.catch((error: unknown) => {\n      console.error(JSON.stringify({ event: "alarm-not-set", room: this.#name, error: String(error) }));\n    });',
      "await due;",
      "[ROOM-5] that fails re-arms all the same",
    ],
    [
      "alarm: rests",
      "ROOM-5",
      '      if (next !== "soon") await this.#watchdog.rest(next === null ? null : this.#wallOf(next));\n',
      "",
      "[ROOM-5] is set while somebody waits, and rests when nobody does",
    ],
  ]),
  ...guardsOf("durable/watchdog.ts", alarm, [
    [
      "alarm: a lost one is repaired",
      "ROOM-5",
      "return dueAt !== null && Math.abs(dueAt - wall) <= 2 * ALARM_EVERY_MS;",
      "return dueAt !== null && wall > 0;",
      "is repaired by any call when it is lost",
    ],
    [
      "alarm: one that is on time costs nothing",
      "ROOM-5",
      "    if (onTime(this.#dueAt, wall)) return;\n",
      "",
      "[ROOM-5] C91 costs calls nothing while it is on time",
    ],
    [
      "alarm: one that is stored is found",
      "ROOM-5",
      "if (!onTime(stored, wall)) return",
      "if (stored !== 0) return",
      "[ROOM-5] that is on time is found after a restart",
    ],
  ]),
  ...guardsOf("durable/memory.ts", alarm, [
    [
      "alarm: not while the edges are silent",
      "ROOM-5",
      "(isHeard && !isFrozen(line, settings)",
      "(!isFrozen(line, settings)",
      "[ROOM-5] calls nobody once the edges have been silent",
    ],
    ["alarm: not while nobody may enter", "ROOM-5", "&& !isFrozen(line, settings) && (", "&& (", "[ROOM-5] rests while nobody may enter"],
  ]),
  ...guardsOf("durable/memory.ts", switches, [
    [
      "Room time: not before the stored one",
      "ROOM-4",
      "const at = Math.max(now, stored?.now ?? 0);",
      "const at = now;",
      "[ROOM-4] goes on from the stored time on a host whose clock is behind",
    ],
  ]),
  ...guardsOf("durable/schema.ts", "test/durable/schema.test.ts", [
    [
      "schema: a newer one is refused",
      "ROOM-6",
      "  if (version > SCHEMA_VERSION) {\n",
      "  if (version > SCHEMA_VERSION + 99) {\n",
      "[ROOM-6] of a newer version is refused, and nothing is touched",
    ],
  ]),
  ...guardsOf("durable/turn.ts", switches, [
    [
      "reset: needs the name",
      "ROOM-11",
      'if (name === "reset" && confirm !== on.room) return',
      'if (name === "reset" && confirm === "") return',
      "[ROOM-11] reset needs the room's name typed",
    ],
  ]),
  ...guardsOf("durable/memory.ts", switches, [
    [
      "switches: concern those who have entered a draw",
      "ROOM-11",
      "waiting + (memory.line.counters.collecting?.count ?? 0)",
      "waiting",
      "[ROOM-11][ADMIN-15] flush in a lobby",
    ],
  ]),
  ...guardsOf("durable/operate.ts", config, [
    [
      "settings: those of cookies stay while somebody has a place",
      "ROOM-9",
      "return issued > ended;",
      "return issued < ended;",
      "[ROOM-9]",
    ],
  ]),
  ...guardsOf("durable/config.ts", config, [
    [
      "settings: refused when somebody else changed them",
      "ROOM-8",
      'if (change.ifRevision !== null && change.ifRevision !== config.revision) return { as: "conflict", revision: config.revision };',
      "",
      "[ROOM-8] W15 are refused when somebody else changed them meanwhile",
    ],
    [
      "settings: no revision where nothing changes",
      "ROOM-8",
      'return Object.keys(moved).length === 0 ? { as: "same" } : { as: "changed"',
      'return moved === null ? { as: "same" } : { as: "changed"',
      "[ROOM-8] C15 put back as they were read change nothing",
    ],
    [
      "settings: null does not hide a name that does not exist",
      "ROOM-8",
      "if (!parsed.ok || unknown.length > 0) {",
      "if (!parsed.ok) {",
      "[ROOM-8]",
    ],
    ["settings: a forced change is one", "ROOM-9", "occupied && change.force !== true", "occupied", "[ROOM-9]"],
    [
      "settings: a deploy that no longer fits changes nothing",
      "ROOM-10",
      "    { ...last?.effective, ...only(file.operator, (setting) => isDeployOnly(setting)) },\n",
      "",
      "[ROOM-10] that no longer fits the live values leaves in force what was",
    ],
    [
      "settings: only what is not accepted any more is dropped",
      "ROOM-10",
      "      only(overrides, (setting) => !refused.has(setting)),\n",
      "      {},\n",
      "[ROOM-10] of code that no longer knows a live value drops that value only",
    ],
  ]),
];
