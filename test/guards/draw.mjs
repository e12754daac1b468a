/** Guards of draws: arithmetic, checks of records, the question to drand (DRAW). */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const VECTORS = "[DRAW-1] [DRAW-3]";
const FIELDS = "[DRAW-5]";

export const guards = [
  ...guardsOf("src/core/shuffle.ts", "test/core/draw.test.ts", [
    ["draw: ninety rounds", "DRAW-1", "export const SHUFFLE_ROUNDS = 90;", "export const SHUFFLE_ROUNDS = 89;", VECTORS],
    ["draw: both partners read the same bit", "DRAW-1", "Math.max(at, partner)", "Math.min(at, partner)", VECTORS],
    ["draw: bits of the position's own block", "DRAW-1", "Math.floor(position / 256), true", "0, true", VECTORS],
    ["draw: another pivot each round", "DRAW-1", "    forPivot[32] = round;\n", "", VECTORS],
    ["draw: no place outside of the draw", "DRAW-1", "index >= 0 && index < count && ", "", VECTORS],
  ]),
  ...guardsOf("src/core/draw-rules.ts", "test/core/draw.test.ts", [
    ["chain of entries: a batch has its number", "DRAW-2", "concat([chain, u64(first), digest])", "concat([chain, digest])", "[DRAW-2]"],
    ["chain of entries: begins with its draw", "DRAW-2", ", ...openingParts(opening)]", "]", "[DRAW-2] S8 C70 another key, order"],
    ["chain of entries: begins with the promise", "DRAW-2", "    fromHex(commitment),\n", "", "[DRAW-2] S8 C70 another key, order"],
    ["chain of entries: begins with the beacon", "DRAW-2", "    lengthPrefixed(source),\n", "", "[DRAW-2] S8 C70 another key, order"],
    ["cut-off: fixes the base", "DRAW-5", "u64(base), u64(count)", "u64(count)", FIELDS],
    ["cut-off: fixes its time", "DRAW-5", "u64(closedAtMs), u64(beaconWaitMs)]", "u64(beaconWaitMs)]", FIELDS],
    ["cut-off: fixes the wait", "DRAW-5", ", u64(beaconWaitMs)]", "]", FIELDS],
    ["seed: the beacon is in it", "DRAW-3", "fromHex(entriesHash), beacon]", "fromHex(entriesHash)]", "[DRAW-3]"],
    ["seed: the entries are in it", "DRAW-3", "u64(count), fromHex(entriesHash), beacon", "u64(count), beacon", "[DRAW-3]"],
    [
      "record: a result of the beacon that was promised",
      "DRAW-3",
      '(cutoff.beacon === "none") !== (result === null)',
      "false",
      "[DRAW-3] a draw by drand has a round",
    ],
  ]),
  ...guardsOf("src/core/draw-check.ts", "test/core/draw.test.ts", [
    ["check: the rules", "DRAW-5", 'problems.push("algorithm");', "void 0;", FIELDS],
    ["check: the promise", "DRAW-5", 'problems.push("commitment");', "void 0;", "[DRAW-5] says which part"],
    ["check: the cut-off", "DRAW-5", 'problems.push("entries-hash");', "void 0;", "[DRAW-5] says which part"],
    ["check: the round", "DRAW-5", 'problems.push("round");', "void 0;", FIELDS],
    ["check: the times", "DRAW-5", 'problems.push("times");', "void 0;", FIELDS],
    ["check: the random number", "DRAW-5", 'problems.push("randomness");', "void 0;", FIELDS],
    ["check: the seed", "DRAW-5", 'problems.push("seed");', "void 0;", FIELDS],
    [
      "check: a fallback not before its round",
      "DRAW-5",
      '"fallback" in beacon ? publishedAtMs(round) + record.beaconWaitMs : cutoff.closedAtMs',
      "cutoff.closedAtMs",
      "[DRAW-5] says which part",
    ],
    ["check: one text for each time", "DRAW-5", " && new Date(ms).toISOString() === value", "", FIELDS],
    [
      "check: the slot by the seed that follows",
      "DRAW-6",
      "placing({ base, count, seed }, entry)",
      "placing(raw, entry)",
      "[DRAW-6] with a seed",
    ],
    ["check: an entry of the draw", "DRAW-6", " || entry < 0 || entry >= count", "", "[DRAW-6] an entry outside"],
    ["list: leads to the chain", "DRAW-7", 'toHex(replayed.last) === record.chain ? [] : ["chain"]', "[]", "[DRAW-7] a list that was"],
    ["list: in order from the first entry", "DRAW-7", "!isLog || ", "", "[DRAW-7] a list that was"],
    ["list: the receipt is in it", "DRAW-7", 'problems.push("receipt");', "void 0;", "[DRAW-7] the list of entries"],
  ]),
  ...guardsOf("src/core/drand.ts", "test/core/draw.test.ts", [
    ["round: ten seconds after the cut-off", "DRAW-4", "cutoffMs + BEACON_DISTANCE_MS - ", "cutoffMs - ", "[DRAW-4]"],
    ["round: the first of them", "DRAW-4", "QUICKNET.periodMs) + 1", "QUICKNET.periodMs) + 2", "[DRAW-4]"],
  ]),
  ...guardsOf("src/core/drand.ts", "test/worker/beacon.test.ts", [
    [
      "round: no other",
      "DRAW-8",
      '  if (answer["round"] !== round) return { ok: false, why: "other-round" };\n',
      "",
      "[DRAW-8] another round, another number",
    ],
    ["round: its number is its signature's", "DRAW-8", " !== randomness)", " === null)", "[DRAW-8] another round, another number"],
  ]),
  ...guardsOf("durable/beacon.ts", "test/worker/beacon.test.ts", [
    ["drand: redirects are not followed", "DRAW-8", 'redirect: "manual", ', "", "[DRAW-8] a redirect is not followed"],
    ["drand: answers are short", "DRAW-8", "    if (bytes > ROUND_MAX_BYTES) return null;\n", "", "[DRAW-8] a body without end"],
    [
      "drand: a broken connection is an answer",
      "DRAW-8",
      'return "unreachable";',
      'throw new Error("lost");',
      "[DRAW-8] an API that hangs",
    ],
    [
      "drand: the next API after a failure",
      "DRAW-8",
      "tried.push({ api, why: answer });",
      "return { found: false, tried };",
      "[DRAW-8] asks the next API",
    ],
  ]),
];
