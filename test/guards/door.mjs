/** Guards of the door: invitations, log-ins, and the places of guests (DOOR). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

export const guards = [
  ...guardsOf("src/door/minting.ts", "test/core/door.test.ts", [
    [
      "invitations: until a day that there is",
      "DOOR-7",
      "read?.ok ? read.ms / 1_000 : Number.NaN",
      "read === null ? Number.NaN : Date.parse(text) / 1_000",
      "[DOOR-7] what makes no sense is refused by its field",
    ],
  ]),
  ...guardsOf("src/core/door.ts", "test/core/door.test.ts", [
    ["door: for its room only", "DOOR-2", '  if (aud !== room) return "invitation-other-room";\n', "", "[DOOR-2] one that we made counts"],
    ["door: until its end", "DOOR-2", '  if (exp <= nowS) return "invitation-expired";\n', "", "[DOOR-2] one that we made counts"],
    ["door: uses in range", "DOOR-2", "    !isWithin(uses, 1, USES_MAX) ||\n", "", "[DOOR-2] K5 S11 every kind of bad token"],
    ["door: the parameter comes out", "DOOR-3", "      return false;\n", "      return true;\n", "[DOOR-3] the parameter comes out"],
    ["door: a person is named", "DOOR-4", ' && value !== "" && value.length <= SUBJECT_MAX', "", "[DOOR-4] a person is a text"],
  ]),
  ...guardsOf("src/door/invitations.ts", "test/core/door.test.ts", [
    ["door: one type of token", "DOOR-2", "      typ: TYPE,\n", "", "[DOOR-2] K5 S11 every kind of bad token"],
    [
      "door: the key of its kid",
      "DOOR-2",
      "invitationKey(ring, kid);\n    if",
      "invitationKey(ring, ring.signingKid);\n    if",
      "[DOOR-2]",
    ],
    [
      "door: no name in the token",
      "DOOR-7",
      'await subjectKey(ring, order.room, "invitation", order.subject)',
      "order.subject",
      "[DOOR-7] for a person",
    ],
  ]),
  ...guardsOf("src/keys.ts", "test/core/door.test.ts", [
    [
      "door: a person's key outlives a new key",
      "DOOR-7",
      'subKey(ring, ring.oldestKid, "subject")',
      'subKey(ring, ring.signingKid, "subject")',
      "[DOOR-7] for a person",
    ],
    [
      "door: a person's key does not follow from a key that is to sign later",
      "DOOR-7",
      'if (mark !== "next") oldestKid = kid;',
      "oldestKid = kid;",
      "[DOOR-7] for a person",
    ],
  ]),
  ...guardsOf("src/door/identity.ts", "test/core/identity.test.ts", [
    ["door: issuer", "DOOR-4", "    issuer: settings.issuer,\n", "", "[DOOR-4] K5 every kind of bad token"],
    ["door: audience", "DOOR-4", "    audience: settings.audience,\n", "", "[DOOR-4] K5 every kind of bad token"],
    [
      "door: no tolerance on the end",
      "DOOR-4",
      ' || checked.exp <= check.nowS) return "identity-expired"',
      ') return "identity-expired"',
      "[DOOR-4] K5 every kind of bad token",
    ],
    ["door: an unknown key is looked for", "DOOR-5", "!(error instanceof JWKSNoMatchingKey)", "true", "[DOOR-5] a key that is not known"],
  ]),
  ...guardsOf("src/door/jwks.ts", "test/core/identity.test.ts", [
    [
      "door: fetched at most once in the set time",
      "DOOR-5",
      "  if (Math.abs(now - entry.triedAt) < refetchMs) return;\n",
      "",
      "[DOOR-5] a key that is not known",
    ],
    [
      "door: requests share one fetch",
      "DOOR-5",
      "Math.abs(now - flight.startedAt) < FETCH_MS) return",
      "now < flight.startedAt) return",
      "[DOOR-5] W14 are fetched once",
    ],
    ["door: no redirect", "DOOR-5", ', redirect: "manual"', "", "[DOOR-5] W14 are fetched once"],
    [
      "door: keys are looked for again",
      "DOOR-5",
      "Math.abs(now - entry.fetchedAt) > REFRESH_AFTER_MS",
      "false",
      "[DOOR-5] a key that was taken back",
    ],
    [
      "door: keys are not fresh by a clock that was put back",
      "DOOR-5",
      "Math.abs(now - entry.fetchedAt) >",
      "now - entry.fetchedAt >",
      "[DOOR-5] a clock that is put back",
    ],
    [
      "door: a fetch does not count as just tried by a clock that was put back",
      "DOOR-5",
      "Math.abs(now - entry.triedAt) <",
      "now - entry.triedAt <",
      "[DOOR-5] a clock that is put back",
    ],
    [
      "door: not more keys than can be looked through",
      "DOOR-5",
      "  if (set?.keys?.length > KEYS_MAX) throw new Error(`more than ${KEYS_MAX} keys`);\n",
      "",
      "[DOOR-5] an answer that is no set of keys",
    ],
    [
      "door: not larger than can be kept",
      "DOOR-5",
      "bodyText(response, JWKS_MAX_BYTES)",
      "bodyText(response, 10 * JWKS_MAX_BYTES)",
      "[DOOR-5] an answer that is no set of keys",
    ],
  ]),
  ...guardsOf("durable/line/joins.ts", "test/line/guests.test.ts", [
    [
      "guests: no join without one",
      "DOOR-1",
      '  if (settings.entry !== "open") return refuse(line, "stopped", REFUSED_RETRY_MS);\n',
      "",
      "[DOOR-1] an invited room",
    ],
    [
      "guests: as many as there are uses",
      "DOOR-6",
      "guests.usesOf(counted) >= (invitation?.uses ?? 0)",
      "false",
      "[DOOR-6] S11 makes as many places",
    ],
    ["guests: an ended place is not given again", "DOOR-6", " && !isGone(line, standing))", ")", "[DOOR-6] S7 C87 shares one place"],
    [
      "guests: a place of the operator's ending is made good",
      "DOOR-6",
      '"number" ? isEnded(standing)',
      '"number" ? false',
      "[DOOR-6] S7 S11 leaving uses a place up",
    ],
    [
      "guests: a visit that was over before sessions were ended is not",
      "DOOR-6",
      " && line.gone.wasVisitEnded(slot)",
      "",
      "[DOOR-6] S11 ending sessions makes good",
    ],
    ["guests: an event called off gives it back", "DOOR-6", 'standing === "dropped";', "false;", "[DOOR-6] an event that is called off"],
    ["guests: the receipt stays the same", "DOOR-6", "  line.guests.sealEntries(chain);\n", "", "[DOOR-6] S6 S7 C71 entering again"],
  ]),
  ...guardsOf("durable/line/exchange.ts", "test/line/guests.test.ts", [
    [
      "guests: nothing is lent where nobody is vouched for",
      "DOOR-1",
      'settings.entry === "open" ? leaseUnits',
      "true ? leaseUnits",
      "[DOOR-1] an invited room",
    ],
  ]),
  ...guardsOf("durable/store.ts", "test/durable/guests.test.ts", [
    ["guests: a new line counts anew", "DOOR-6", '      sql.exec("DELETE FROM invitations");\n', "", "[DOOR-6] a new line counts anew"],
    ["guests: are forgotten with their line", "DOOR-6", '      sql.exec("DELETE FROM guests");\n', "", "[DOOR-6] a new line counts anew"],
  ]),
];
