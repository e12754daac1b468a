/** Guards of what the page says and shows (PAGE). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const script = "test/core/page-script.test.ts";
const tabs = "test/e2e/tabs.test.ts";
const turn = "test/e2e/page-turn.test.ts";

export const guards = [
  ...guardsOf("src/core/settings-bindings.ts", "test/core/look.test.ts", [
    [
      "colours: what cannot be read is refused",
      "LOOK-1",
      "if (found === null) return null;",
      "return null;",
      "[LOOK-1] by name, with the ratio",
    ],
  ]),
  ...guardsOf("static/wait.ts", "test/e2e/look.test.ts", [
    ["look: asked for once", "LOOK-2", "look = found.look;", "", "[LOOK-2] title, colours, words and numbers"],
    [
      "look: takes nobody in",
      "LOOK-2",
      " && !telling.enters) return turn.goIn",
      ") return turn.goIn",
      "loads nothing anew while it is the turn",
    ],
  ]),
  ...guardsOf("durable/store.ts", "test/durable/config.test.ts", [
    [
      "message: its time is its own",
      "PAGE-25",
      ", 0) ORDER BY revision LIMIT 1`",
      ", 0) ORDER BY revision DESC LIMIT 1`",
      "[PAGE-25] the message's time",
    ],
  ]),
  ...guardsOf("static/wait.ts", "test/e2e/page.test.ts", [
    [
      "offline: no longer than it is",
      "PAGE-1",
      "  trouble(null);\n  poller.now();",
      "  poller.now();",
      "[PAGE-1] a page that asks nothing",
    ],
    [
      "pause: proof is asked for all the same",
      "PAGE-33",
      "telling.ask === null || isAsked) setPaused",
      "telling.ask === null) setPaused",
      "[PAGE-19] [PAGE-33] who has paused",
    ],
    ["pause: and again", "PAGE-33", "  askProof(status);\n", "  if (!isPaused) askProof(status);\n", "[PAGE-19] [PAGE-33] who has paused"],
  ]),
  ...guardsOf("src/core/position.ts", "test/core/languages.test.ts", [
    [
      "number: words of what is shown",
      "PAGE-2",
      "{ n: up, text:",
      "{ n: ahead, text:",
      "[PAGE-2] [PAGE-21] pl, rounded: words stand in the form",
    ],
  ]),
  ...guardsOf("src/core/telling.ts", "test/core/languages.test.ts", [
    [
      "spoken: marks of every script end a sentence",
      "PAGE-12",
      "\\p{Sentence_Terminal}\\u2026",
      ".\\u3002!?\\u2026",
      "[PAGE-12] what is said ends",
    ],
  ]),
  ...guardsOf("src/core/languages/ar.ts", "test/core/languages.test.ts", [
    ["reference: from left to right", "PAGE-27", "\\u200e{code}", "{code}", "[PAGE-27] a code that begins with digits"],
  ]),
  ...guardsOf("static/verify.ts", "test/e2e/lobby-page.test.ts", [
    [
      "verify page: another's number is nothing against the record",
      "PAGE-18",
      'isOwn || problem !== "entry"',
      "problem",
      "[PAGE-18] without an entry of one's own",
    ],
    ["verify page: one's own is", "PAGE-18", 'isOwn || problem !== "entry"', 'problem !== "entry"', "[PAGE-18] what was asked last"],
    ["verify page: what was asked last", "PAGE-18", "mine === begun && say", "say", "[PAGE-18] what was asked last"],
  ]),
  ...guardsOf("static/wait/glide.ts", script, [
    ["number: never less than what was told", "PAGE-23", "Math.min(1, share)", "share", "ends at what was told, never less"],
  ]),
  ...guardsOf("static/wait/rise.ts", script, [
    ["estimate: explained once in ten minutes", "PAGE-24", " && now - this.#saidAt > QUIET_MS", "", "not again within ten"],
    ["estimate: another place explains nothing", "PAGE-24", "slot !== this.#slot", "false", "not again within ten"],
  ]),
  ...guardsOf("static/wait/poller.ts", tabs, [
    ["tabs: what is urgent is not put off", "PAGE-10", " || this.#isUrgent) return", ") return", "wants to know at once"],
    [
      "lost: what is wanted now is asked again soon",
      "PAGE-10",
      "this.#isUrgent ? Math.min(pollAfterMs, URGENT_MS) : pollAfterMs",
      "pollAfterMs",
      "and got no answer to",
    ],
    [
      "lost: however often it was in vain before",
      "PAGE-10",
      "    this.#failures = 0;\n    this.#after(0);",
      "    this.#after(0);",
      "and got no answer to",
    ],
    ["tabs: told is as good as asked", "PAGE-10", "    this.#after(afterAnswer(told, Math.random()));\n", "", "ten of them ask as one"],
  ]),
  ...guardsOf("static/wait/tabs.ts", tabs, [
    ["tabs: nothing of before", "PAGE-10", "told.now >= known.now && ", "", "news is what concerns the same place"],
    [
      "tabs: whoever is called waits no more",
      "PAGE-10",
      `  if (told.state === "waiting" && known.state === "called") return false;\n`,
      "",
      "news is what concerns the same place",
    ],
    [
      "tabs: left is told in every language",
      "STREAM-7",
      `      else if (data.status.reason === "left") heard({ ...data.status, message: "" });\n`,
      "",
      "[PAGE-10] [STREAM-7] of a page in another language",
    ],
    [
      "tabs: another language's message is not shown",
      "PAGE-10",
      `      if (data.lang === lang) heard(data.status);\n      else if`,
      `      if (data.lang !== "") heard(data.status);\n      else if`,
      "[PAGE-10] [STREAM-7] of a page in another language",
    ],
    ["tabs: nothing of another place", "PAGE-10", " && told.slot === known.slot", "", "news is what concerns the same place"],
  ]),
  ...guardsOf("static/wait.ts", turn, [
    ["turn: offline nobody goes in", "PAGE-13", "  turn.putOff();\n});", "});", "lost in the last seconds"],
    ["turn: for one turn", "PAGE-30", ` || status.state === "returning" ||`, " ||", "it holds for one turn"],
    [
      "turn: what stands still is not over",
      "PAGE-30",
      "  if (telling.ask === null || status",
      "  if (!telling.enters || status",
      "a turn that stands still",
    ],
    ["turn: too late is said", "PAGE-31", `answer.as === "status" && telling.enters)`, `answer.as === "status")`, "pressed too late"],
    [
      "turn: looked at, it asks",
      "PAGE-13",
      "  if (telling.enters) poller.now();\n  else poller.look();\n",
      "  poller.look();\n",
      "a hidden tab that follows",
    ],
    ["pause: nothing shown changes", "PAGE-33", "  if (!isPaused) renderAndSay", "  renderAndSay", "nothing shown changes"],
    [
      "pause: the turn ends it",
      "PAGE-33",
      "  if (telling.enters || telling.ask === null || isAsked) setPaused(false);\n",
      "  if (isAsked) setPaused(false);\n",
      "the turn ends the pause",
    ],
    [
      "alerts: quiet when looked at",
      "PAGE-32",
      "  else poller.look();\n  attention.rest();\n",
      "  else poller.look();\n",
      "what was ticked calls",
    ],
  ]),
  ...guardsOf("static/wait/turn.ts", turn, [
    [
      "turn: a slow site is not asked over and over",
      "PAGE-13",
      " || isOnItsWay) return;",
      ") return;",
      "is not asked again while it may still answer",
    ],
    [
      "turn: who stays is not taken in",
      "PAGE-30",
      "holdsForm || this.stays || isOnItsWay) return;",
      "holdsForm || isOnItsWay) return;",
      "whoever stays is not taken in",
    ],
  ]),
  ...guardsOf("static/wait/countdown.ts", turn, [
    [
      "countdown: each of the last minutes once",
      "PAGE-30",
      "    if (!isSame) this.#leastMs",
      "    this.#leastMs",
      "whoever stays is not taken in",
    ],
  ]),
  ...guardsOf("static/wait/turn.ts", "test/e2e/robust.test.ts", [
    [
      "hidden: the turn is held",
      "PAGE-34",
      `if (!enters || document.visibilityState !== "visible") {`,
      "if (!enters) {",
      "hidden for ten minutes",
    ],
  ]),
  ...guardsOf("static/wait.ts", "test/e2e/page.test.ts", [
    ["offline: the tab says it", "PAGE-1", "isOffline = text === words.offline;", "", "offline, the tab says so too"],
    [
      "pause: the title stands too",
      "PAGE-33",
      "`${words.offlineTab} · ${tab}` : tab",
      "`${words.offlineTab} · ${tab}` : telling.title",
      "offline, the tab says so too",
    ],
  ]),
  ...guardsOf("static/wait/memory.ts", "test/e2e/robust.test.ts", [
    [
      "storage: blocked, it costs nothing",
      "PAGE-34",
      "  } catch {\n    return null;\n  }",
      "  } finally {\n  }",
      "storage, locks and channels",
    ],
  ]),
  ...guardsOf("src/routes/page-style.ts", "test/e2e/accessibility.test.ts", [
    ["focus: is seen", "PAGE-35", ":focus-visible{outline:3px solid var(--accent);outline-offset:3px}\n", "", "in the order of reading"],
    ["zoom: long words break", "PAGE-35", ";overflow-wrap:anywhere}", "}", "nothing is cut off, nothing scrolls sideways"],
  ]),
  ...guardsOf("static/wait/attention.ts", turn, [
    [
      "alerts: quiet once somebody moves",
      "PAGE-32",
      "      for (const sign of SIGNS) addEventListener(sign, () => this.rest(), { once: true });\n",
      "",
      "is quiet once somebody moves",
    ],
  ]),
  ...guardsOf("static/prove.ts", "test/e2e/page.test.ts", [
    [
      "proof: what stands in for Turnstile goes on",
      "PAGE-19",
      "if (challenge !== undefined && work.covers",
      'if (challenge?.kind === "pow" && work.covers',
      "work that stands in for Turnstile goes on",
    ],
  ]),
  ...guardsOf("static/alerts.ts", turn, [
    [
      "alerts: what is refused calls nobody",
      "PAGE-32",
      "if (await way.begin().catch(() => false)) {",
      "await way.begin();\n      {",
      "what the browser refuses",
    ],
  ]),
  ...guardsOf("src/core/languages.ts", "test/core/languages.test.ts", [
    [
      "languages: the one that weighs most",
      "PAGE-20",
      "toSorted((a, b) => b.weight - a.weight)",
      "slice()",
      "then the browser's languages by weight",
    ],
  ]),
];
