/** Guards of the proof that newcomers are asked for (PROOF). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const PURE = "test/core/proof.test.ts";
const GATE = "test/worker/challenge.test.ts";
const HOST = "[PROOF-3] S5 a token counts with host, action and holder";

export const guards = [
  ...guardsOf("src/challenge/pow.ts", PURE, [
    [
      "proof: its holder's",
      "PROOF-1",
      '  if (data.holder !== (await holderOf(holder))) return "wrong";\n',
      "",
      "[PROOF-1] S5 of another room",
    ],
    ["proof: until its end", "PROOF-1", '  if (expiresAt <= nowS) return "expired";\n', "", "[PROOF-1] S5 an answer counts"],
    [
      "proof: as signed and solved",
      "PROOF-1",
      '  if (!result.verified) return result.expired ? "expired" : "wrong";\n',
      "",
      "[PROOF-1] S5 whatever is changed",
    ],
  ]),
  ...guardsOf("src/keys.ts", PURE, [
    [
      "proof: of no revoked key",
      "PROOF-1",
      'keyOf(ring, kid, "challenge")',
      'ring.keys.get(kid)?.get("challenge")',
      "[PROOF-1] S5 of another room",
    ],
  ]),
  ...guardsOf("src/core/proof.ts", PURE, [
    ["proof: not too long", "PROOF-1", "  if (header.length > PROOF_MAX) return null;\n", "", "[PROOF-1] S5 what is too long"],
    ["proof: no Turnstile token is longer", "PROOF-1", "value.length > TURNSTILE_TOKEN_MAX", "false", "[PROOF-1] S5 what is too long"],
    [
      "proof: the work has an end",
      "PROOF-2",
      "return Math.min(STEPS_MAX, Math.round(",
      "return Math.max(1, Math.round(",
      "[PROOF-2] a step of the cost",
    ],
    ["proof: work alone is nothing to Turnstile", "PROOF-2", "human ? Math.max(1, work) : 0", "Math.max(1, work)", "[PROOF-2] work alone"],
  ]),
  ...guardsOf("src/challenge/turnstile.ts", PURE, [
    ["turnstile: on a host of ours", "PROOF-3", "hostname === expected.hostname && ", "", HOST],
    ["turnstile: for our action", "PROOF-3", "action === expected.action && ", "", HOST],
    ["turnstile: for this visitor", "PROOF-3", " && cdata === expected.cdata;", ";", HOST],
    ["turnstile: nothing but success", "PROOF-3", 'reply["success"] === true', 'reply["success"]', HOST],
    [
      "turnstile: what was shown does not outlive the Room's memory of it",
      "PROOF-3",
      "const SEEN_MS = 30_000;",
      "const SEEN_MS = 300_000;",
      "[PROOF-3] S5 a token that was shown",
    ],
    [
      "turnstile: a token is one visitor's",
      "PROOF-3",
      'known.cdata === expected.cdata ? "passed" : "used"',
      '"passed"',
      "[PROOF-3] S5 a token that was shown",
    ],
    [
      "turnstile: no word of a service that fails",
      "PROOF-3",
      " || response.status >= 500) return null",
      ") return null",
      "[PROOF-3] an answer that is lost",
    ],
    [
      "turnstile: checks are left out for test secrets only",
      "PROOF-3",
      "return isOurs || isTest ?",
      "return isOurs || isTest || true ?",
      HOST,
    ],
    [
      "turnstile: not larger than an answer is",
      "PROOF-3",
      "bodyText(response, REPLY_MAX_BYTES)",
      "bodyText(response, 1e9)",
      "[PROOF-3] an answer that is lost",
    ],
  ]),
  ...guardsOf("src/env.ts", PURE, [
    ["turnstile: no room without its secret", "PROOF-3", "of isSet ? [] : rooms)", "of [])", "[PROOF-3] a room that asks for Turnstile"],
  ]),
  ...guardsOf("src/gate/decide.ts", "test/core/gate-decide.test.ts", [
    ["gate: who is asked is not let through before", "PROOF-4", " && facts.asksEveryone !== true;", ";", "[PROOF-4] on a quiet room"],
    [
      "gate: a refused network",
      "PROOF-6",
      '  if (facts.isRefused === true && place === null && identity.entry === null) return { do: "tell-network-refused" };\n',
      "",
      "[PROOF-6] newcomers of a refused network",
    ],
    [
      "gate: a refused network's holders go on",
      "PROOF-6",
      "facts.isRefused === true && place === null",
      "facts.isRefused === true",
      "[PROOF-6]",
    ],
    [
      "gate: a refused network's entries stand",
      "PROOF-6",
      "place === null && identity.entry === null) return { do",
      "place === null) return { do",
      "[PROOF-6]",
    ],
  ]),
  ...guardsOf("src/gate/challenge.ts", GATE, [
    [
      "proof: kept for its own key",
      "PROOF-5",
      " || checked.claims.key !== key) return null",
      ") return null",
      "[PROOF-5] keeps what was shown",
    ],
    ["proof: kept for its own room", "PROOF-1", " || checked.claims.room !== visit.room", "", "[PROOF-1] S5 with an answer"],
    [
      "proof: the header counts at our endpoints",
      "PROOF-1",
      "isReserved(url.path) ? request",
      "true ? request",
      "[PROOF-1] S5 with an answer",
    ],
    [
      "proof: no token where none is asked",
      "PROOF-3",
      'return kind === "turnstile" ? read',
      "return true ? read",
      "[PROOF-1] S5 with an answer",
    ],
    [
      "proof: an outage opens nothing that is closed",
      "PROOF-3",
      'turnstile.outage === "pow" ?',
      'turnstile.outage !== "none" ?',
      "[PROOF-3] while siteverify",
    ],
    [
      "proof: work stands in only where it was asked to",
      "PROOF-3",
      "human: checked.instead }",
      "human: true }",
      "[PROOF-2] where more is asked",
    ],
    [
      "proof: trusted networks are not asked",
      "PROOF-4",
      "!asks || kindOf(visit) === null || isTrusted(visit) ?",
      "!asks || kindOf(visit) === null ?",
      "[PROOF-4] T2 nobody is asked",
    ],
  ]),
  ...guardsOf("src/gate/joining.ts", GATE, [
    [
      "proof: nothing is asked of the Room before",
      "PROOF-4",
      "  if (asked === null) return join(",
      "  if (asked === null || true) return join(",
      "[PROOF-4] S1 S2",
    ],
    [
      "proof: whose place was taken is not asked",
      "PROOF-4",
      "const isExempt = !isNew || ",
      "const isExempt = ",
      "[PROOF-4] T2 nobody is asked",
    ],
    [
      "gate: a refused network gets no place after another",
      "PROOF-6",
      "if (isNew && isRefused(visit))",
      "if (false)",
      "[PROOF-6] a refused network's newcomers",
    ],
    ["proof: only as much as was shown", "PROOF-4", "proof: proof.cost }, proof", "proof: 8 }, proof", "[PROOF-4] S2 gets the check"],
    ["proof: goes with the place", "PROOF-5", "setCookies: proofCleared(visit) };", "setCookies: [] };", "[PROOF-5] keeps what was shown"],
    [
      "proof: used up, asked afresh",
      "PROOF-5",
      "return proof.cost > 0 ? afresh",
      "return proof.cost > 99 ? afresh",
      "[PROOF-5] whose proof",
    ],
    ["damper: slows a prefix", "PROOF-7", "config.joinDamper === null || prefix === null", "true", "[PROOF-7] the damper"],
  ]),
  ...guardsOf("src/gate/answer.ts", GATE, [
    [
      "page: no other site's scripts but for newcomers",
      "PROOF-3",
      'return state === "joining" && ',
      "return ",
      "[PROOF-3] S5 the page may load",
    ],
  ]),
];
