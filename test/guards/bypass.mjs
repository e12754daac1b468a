/** Guards of what goes past the line by a rule of the room (BYPASS). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

export const guards = [
  ...guardsOf("src/core/bypass.ts", "test/core/bypass.test.ts", [
    ["bypass: no ambiguous path", "BYPASS-1", "  if (facts.url.ambiguous) return [];\n", "", "[BYPASS-1] G8 a prefix ends"],
    [
      "bypass: no folded dot segments",
      "BYPASS-1",
      "  if (climbsWhenFolded(facts.url.path)) return [];\n",
      "",
      "[BYPASS-1] G8 a prefix ends",
    ],
    ["bypass: a segment's border", "BYPASS-1", '"/" : `${rule}/`;', '"/" : rule;', "[BYPASS-1] G8 a prefix ends"],
    [
      "bypass: exact",
      "BYPASS-1",
      "(exact ? asked === below : asked.startsWith(below))",
      "asked.startsWith(below)",
      "[BYPASS-1] G8 a rule opens",
    ],
    ["bypass: methods", "BYPASS-1", "    (methods === null || methods.includes(method)) &&\n", "", "[BYPASS-1] all of a rule must hold"],
    ["bypass: networks", "BYPASS-1", "(ip !== null && contains(networks, ip))", "true", "[BYPASS-1] all of a rule must hold"],
    ["bypass: verified bots", "BYPASS-1", "    (!rule.verifiedBot || verifiedBot) &&\n", "", "[BYPASS-1] G8 a verified bot"],
    ["bypass: the cookie is there", "BYPASS-1", "cookie(rule.cookie.name).length > 0", "true", "[BYPASS-1] all of a rule must hold"],
    [
      "bypass: a log-in for everybody",
      "BYPASS-4",
      "  if (isForKnownSenders(rule) || cookie !== null || (methods",
      "  if ((methods",
      "[BYPASS-4]",
    ],
  ]),
  ...guardsOf("src/core/bypass-schema.ts", "test/core/bypass.test.ts", [
    [
      "bypass: no empty rule",
      "BYPASS-2",
      "CONDITIONS.some((name) => rule[name] !== undefined)",
      "CONDITIONS.length > 0",
      "[BYPASS-2] W10 a hundred rules and",
    ],
    ["bypass: no cookie of ours", "BYPASS-2", "!isOurs(rule.cookie)", "true", "[BYPASS-2] W10 a hundred rules and"],
  ]),
  ...guardsOf("src/core/bypass-signature.ts", "test/core/bypass.test.ts", [
    [
      "bypass: a signature grows old",
      "BYPASS-3",
      " || Math.abs(nowS - Number(at)) > TOLERANCE_S",
      "",
      "[BYPASS-3] a signature is one line",
    ],
  ]),
  ...guardsOf("src/env.ts", "test/core/bypass.test.ts", [
    ["bypass: keys that rules name", "BYPASS-3", "(name) => !keys.has(name));\n    if", "() => false);\n    if", "[BYPASS-3] BYPASS_KEYS"],
  ]),
  ...guardsOf("src/gate/bypass.ts", "test/worker/bypass.test.ts", [
    ["bypass: the signature's key", "BYPASS-3", "shown.key !== key || ", "", "[BYPASS-3] K6 a signature"],
    [
      "bypass: the signature",
      "BYPASS-3",
      "signedBy !== null && !(await isSignedBy(visit, signedBy))",
      "signedBy === undefined",
      "[BYPASS-3] K6 a signature",
    ],
    ["bypass: the token", "BYPASS-3", " || !(await sameSecret(secret, token))", "", "[BYPASS-3] K6 a token"],
    [
      "bypass: the cookie's value",
      "BYPASS-1",
      "await sameSecret(cookie.value, value)",
      "value.length > 0",
      "[BYPASS-1] networks and cookies",
    ],
    [
      "bypass: rules not older than the bound",
      "BYPASS-6",
      "  await client.manifest(life, client.settings.revokeBoundMs);\n",
      "",
      "[BYPASS-6] rules that are changed live",
    ],
    [
      "bypass: a room that is off",
      "BYPASS-1",
      "  if (isOffNow({ manifest: null, ...client.known(), settings })) return false;\n",
      "",
      "[BYPASS-1] [GATE-19] a room that is off",
    ],
  ]),
  ...guardsOf("src/http/cors.ts", "test/worker/bypass.test.ts", [
    ["cors: listed origins alone", "CORS-2", "origin !== null && origins.includes(origin) ? origin : null", "origin", "[CORS-2] C27"],
    ["cors: only what is a preflight", "CORS-1", ' && headers.has("Access-Control-Request-Method")', "", "[CORS-1] G7 any other OPTIONS"],
    ["cors: the site's replies are its own", "CORS-3", " || !isOwnReply(reply)", "", "[CORS-3]"],
    ["cors: caches tell origins apart", "CORS-2", '  reply.headers.append("Vary", "Origin");\n', "", "[CORS-2] C27"],
  ]),
  ...guardsOf("src/gate/carry-out.ts", "test/worker/bypass.test.ts", [
    ["cors: a preflight is not forwarded", "CORS-1", "  if (preflight !== null) return preflight;\n", "", "[CORS-1] G7 a preflight"],
    ["cors: a room that is off", "CORS-3", "isOffNow(facts) ? null : preflightReply", "preflightReply", "[CORS-3]"],
  ]),
  ...guardsOf("src/routes/context.ts", "test/worker/bypass.test.ts", [
    [
      "cors: only listed origins act by cookie",
      "CORS-2",
      "visit.client.settings.corsOrigins) !== null;",
      "visit.client.settings.corsOrigins) !== undefined;",
      "[CORS-2] W4",
    ],
    [
      "cors: by a list no older than the bound",
      "CORS-2",
      "origin !== originOf(c.env.url)) await",
      "client.known() === null) await",
      "[CORS-2] [P8] W4",
    ],
  ]),
];
