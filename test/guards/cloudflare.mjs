/** Guards of what apps and sites made for Cloudflare Waiting Room meet (CF). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

export const guards = [
  ...guardsOf("src/gate/decide.ts", "test/core/gate-decide.test.ts", [
    [
      "app: any method waits",
      "CF-2",
      'return asked.method === "write" && asked.app !== true;',
      'return asked.method === "write";',
      "[CF-2] wait, join",
    ],
    ["app: only apps", "CF-2", 'asked.method === "write" && asked.app !== true', "false", "[GATE-16] no body is held"],
    [
      "app: a place after an ended one",
      "CF-2",
      "return asked.app === true ? {",
      "return asked.app === undefined ? {",
      "[CF-2] get the place",
    ],
  ]),
  ...guardsOf("src/gate/visit.ts", "test/worker/cloudflare.test.ts", [
    ["app: only where the room says so", "CF-1", "client.settings.jsonResponseEnabled && ", "", "[CF-1] nobody gets it"],
    [
      "app: page loads get the page",
      "CF-1",
      "!asked.navigation && !asked.form && asks",
      "asks",
      "[CF-1] is what they get who ask for it: a page load",
    ],
  ]),
  ...guardsOf("src/gate/enter.ts", "test/worker/cloudflare.test.ts", [
    [
      "app: void is no entry",
      "CF-2",
      ' || (verdict.as === "void" && !isQuestion(verdict))',
      "",
      "[CF-2] a place or a visit that has ended",
    ],
    ["app: a network costs no place", "BIND-2", " && !isQuestion(verdict)", "", "[CF-2] [BIND-2] who is only asked"],
  ]),
  ...guardsOf("src/core/cf-waiting-room.ts", "test/core/cf-waiting-room.test.ts", [
    [
      "app: who has a place goes on asking",
      "CF-1",
      'own === "reject" && (slot !== null || state === "joining") ? "fifo" : own',
      "own",
      "[CF-1] only those who get no place",
    ],
  ]),
  ...guardsOf("src/core/origin-commands.ts", "test/core/origin-commands.test.ts", [
    [
      "command: only what is enabled",
      "CF-3",
      "said.filter((command) => enabled.includes(command))",
      "[...said]",
      "[CF-3] only what is enabled",
    ],
    [
      "command: not out of a cache",
      "CF-3",
      'FROM_CACHE.test(headers.get("CF-Cache-Status") ?? "") || ',
      "",
      "[CF-3] [P10] a reply out of a cache",
    ],
    ["command: each in its header", "CF-3", 'command === "revoke" ? cf : own', "own", "[CF-3]"],
  ]),
  ...guardsOf("src/gate/inside.ts", "test/worker/cloudflare.test.ts", [
    [
      "command: not by a void pass",
      "CF-3",
      "  if (refusal !== null) return withCookies(visit, reply, NO_COOKIES);\n",
      "",
      "[CF-3] whose visit it is not",
    ],
    ["command: by the newest pass", "CF-3", "isRenewed ? outcome.verdict.pass.serial : serial", "serial", "[CF-3] what renews or goes in"],
  ]),
  ...guardsOf("src/http/origin-headers.ts", "test/worker/cloudflare.test.ts", [
    [
      "command: never seen by the visitor",
      "CF-3",
      ' || (role === "command" && how.status !== "untouched");',
      ";",
      "[CF-3] whose visit it is not",
    ],
  ]),
  ...guardsOf("src/gate/commands.ts", "test/worker/cloudflare.test.ts", [
    ["command: said again", "CF-3", 'if (outcome.as === "answered") return;', "return;", "[CF-3] [P7] a command"],
    ["command: done is over", "CF-3", "endsAtS: end }", "endsAtS: end + 99_999 }", "[CF-3] C5 done"],
    ["command: done is over now", "CF-3", "Math.min(iat, nowS(visit))", "iat", "[CF-3] done ends a visit that has just begun as well, 5 s"],
  ]),
  ...guardsOf("scripts/lib/cf-rules.mjs", "test/core/import-cloudflare.test.ts", [
    [
      "import: no rule without one of its conditions",
      "CF-5",
      'if (typeof part === "string") return part;',
      'if (typeof part === "string") continue;',
      "[CF-5] G8 whatever is written",
    ],
    [
      "import: not outside of networks",
      "CF-5",
      'if (not || !(is === "eq" || is === "in"))',
      'if (!(is === "eq" || is === "in"))',
      "[CF-5] G8 whatever is written",
    ],
    [
      "import: no second path",
      "CF-5",
      "return `it has two conditions on ${name}`;",
      "rule[name] = value;",
      "[CF-5] G8 whatever is written",
    ],
    ["import: rules that are off", "CF-5", "rule.enabled === false || ", "", "[CF-5] of several alternatives"],
  ]),
  ...guardsOf("scripts/lib/cf-room.mjs", "test/core/import-cloudflare.test.ts", [
    ["import: nothing dropped in silence", "CF-5", "    leftOut.push(removed);\n", "", "[CF-5] what our own validation refuses"],
  ]),
  ...guardsOf("src/core/settings-values.ts", "test/core/origin-commands.test.ts", [
    ["sessions: not renewed", "CF-6", "values.disable_session_renewal ? values.session_duration : ", "", "[CF-6]"],
  ]),
  ...guardsOf("scripts/lib/cf-room.mjs", "test/core/import-cloudflare.test.ts", [
    [
      "import: a page keeps to its event",
      "CF-5",
      "({ event: settings.events[i].name, html })",
      '({ event: nameFrom(events[i].name, 64, ""), html })',
      "[CF-5] pages of events keep to their event",
    ],
    [
      "import: no page of an event that is left out",
      "CF-5",
      "...pages.filter(isKept)]",
      "...pages]",
      "[CF-5] pages of events keep to their event",
    ],
  ]),
  ...guardsOf("src/routes/admin.ts", "test/worker/cloudflare.test.ts", [
    [
      "numbers: suspended by the Room's word",
      "CF-4",
      'now.value.settings["suspended"] === true',
      'now.value.settings["suspended"] === "no"',
      "[CF-4] a room that was switched off live",
    ],
  ]),
];
