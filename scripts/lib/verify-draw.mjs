/**
 * A draw recomputed from its public record by the words of docs/fairness.md: no line of the Worker's code, only Node's SHA-256. Pure but for the
 * questions handed in. Every finding is one sentence; `ok` is null for what was not looked at.
 */
import { createHash } from "node:crypto";

const ROUNDS = 90;
const DRAND = {
  chain: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  genesisMs: 1_692_803_367_000,
  periodMs: 3_000,
};

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hex = (text) => Buffer.from(text, "hex");
const u64 = (number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
};
const text = (words) => {
  const bytes = Buffer.from(words, "utf8");
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};

/**
 * @param record what `GET draws/{id}` answered, parsed
 * @param asked `entry`: a number or null; `receipt`: the claims of an entry token or null; `batches`: the draw's list of entries or null
 * @param ask `verifySignature(round, signature)`: true, false, or null where there is no BLS; `publishedRound(round)`: drand's own answer
 *   ({ randomness, signature }), null where it has none, undefined = not asked
 */
export async function verifyDraw(record, { entry = null, receipt = null, batches = null } = {}, ask = {}) {
  const findings = [];
  const find = (ok, holds, fails = holds) => findings.push({ ok, says: ok === false ? fails : holds });
  const wrong = formOf(record);
  if (wrong.length > 0) {
    for (const field of wrong) find(false, `The record cannot be read: ${field}.`);
    return { findings, slot: null };
  }
  const openedMs = Date.parse(record.openedAt);
  const closedMs = Date.parse(record.closedAt);
  const drawnMs = Date.parse(record.drawnAt);
  const { beacon } = record;
  find(
    record.algorithm === "vestibule-draw-1" && record.rounds === ROUNDS,
    `The rules are vestibule-draw-1, with ${ROUNDS} rounds of shuffling.`,
    `These are not the rules of vestibule-draw-1: ${record.algorithm}, ${record.rounds} rounds.`,
  );
  find(
    sha256(hex(record.salt)).toString("hex") === record.commitment,
    `The secret number (salt) fits its commitment, ${record.commitment}. (Is it the one that you saw in the lobby? Only you can tell.)`,
    "The secret number (salt) is not the one that was sealed: its SHA-256 is not the commitment.",
  );
  const opening = openingOf(record, openedMs);
  const fixed = sha256(
    Buffer.from("vestibule-cutoff-1"),
    opening,
    u64(record.base),
    u64(record.count),
    hex(record.chain),
    u64(closedMs),
    u64(record.beaconWaitMs),
  ).toString("hex");
  find(
    fixed === record.entriesHash,
    `What was fixed at the cut-off (${record.closedAt}: ${record.count} entries, places from ${record.base} on) is what the record says.`,
    "What was fixed at the cut-off is not what the record says: the hash of the entries does not follow from its other fields.",
  );
  find(
    openedMs <= closedMs && closedMs <= drawnMs,
    "It was opened, closed and drawn in this order.",
    "It cannot have been opened, closed and drawn at these times.",
  );
  const randomness = await checkBeacon(beacon, { closedMs, drawnMs, waitMs: record.beaconWaitMs }, ask, find);
  const seed = sha256(
    Buffer.from("vestibule-draw-1"),
    text(record.room),
    text(record.event),
    hex(record.salt),
    u64(record.count),
    hex(fixed),
    randomness,
  );
  find(seed.toString("hex") === record.seed, "The seed follows from all of this.", "The seed does not follow from the rest of the record.");
  const number = receipt === null ? entry : checkReceipt(record, entry, receipt, find);
  if (batches !== null) checkList(record, opening, batches, number, number === null ? null : receipt, find);
  else if (receipt !== null) find(null, "Whether the receipt is in the list of entries was not looked at: give the list with --chain.");
  if (number === null) return { findings, slot: null };
  if (number >= record.count) {
    find(false, `There is no entry ${number}: the ${record.count} entries are counted from 0.`);
    return { findings, slot: null };
  }
  const place = shuffled(number, record.count, seed);
  const slot = record.base + place;
  find(true, `Entry ${number} drew place ${place + 1} of ${record.count}. Its slot is ${slot}.`);
  return { findings, slot };
}

/** Which round has to be used, is it, is it what drand published; the bytes that go into the seed. */
async function checkBeacon(beacon, { closedMs, drawnMs, waitMs }, ask, find) {
  if (beacon.source === "none") {
    find(null, "No public random number was used: whoever runs the room could have known the order beforehand.");
    return Buffer.alloc(0);
  }
  const round = Math.ceil((closedMs + 10_000 - DRAND.genesisMs) / DRAND.periodMs) + 1;
  const dueMs = DRAND.genesisMs + (round - 1) * DRAND.periodMs;
  find(
    beacon.chain === DRAND.chain && beacon.round === round,
    `drand's round ${round} is the first that was published at least 10 seconds after the cut-off.`,
    `The rule asks for round ${round} of drand's quicknet, not for round ${beacon.round} of ${beacon.chain}.`,
  );
  const published = ask.publishedRound ? await ask.publishedRound(round) : undefined;
  if ("fallback" in beacon) {
    find(
      dueMs + waitMs <= drawnMs,
      `The round had been due for ${waitMs / 1000} seconds when the draw went on without it, as was fixed at the cut-off.`,
      "The draw went on without the round before the wait that was fixed at the cut-off was over.",
    );
    if (published) find(null, `The draw went on without drand's round ${round}, which drand does have. Ask the organiser why.`);
    else find(null, `The draw went on without drand's round ${round}: whoever runs the room could have known this order beforehand.`);
    return Buffer.alloc(0);
  }
  const randomness = sha256(hex(beacon.signature));
  find(
    randomness.toString("hex") === beacon.randomness,
    "The random number is the SHA-256 of the round's signature.",
    "The random number is not the SHA-256 of the round's signature.",
  );
  const signed = ask.verifySignature ? await ask.verifySignature(round, beacon.signature) : null;
  find(
    signed,
    signed
      ? "drand's network signed this round: the BLS signature is good."
      : "drand's BLS signature was not looked at: run `npm ci` first.",
    "drand's network did not sign this: the BLS signature is bad.",
  );
  if (published !== undefined) {
    find(
      published !== null && published.signature === beacon.signature && published.randomness === beacon.randomness,
      `drand says the same of round ${round}.`,
      published === null ? `drand has no round ${round}.` : `drand says something else of round ${round}.`,
    );
  }
  return randomness;
}

/** The entry that a receipt is for, or null where it belongs to another draw or contradicts `entry`. */
function checkReceipt(record, entry, receipt, find) {
  const isOfThis = receipt.r === record.room && receipt.g === record.generation && receipt.d === record.id;
  find(
    isOfThis,
    `The receipt is for entry ${receipt.e} of this draw. (Only whoever runs the room can tell whether the room gave it, and to whom.)`,
    `The receipt is for draw ${receipt.d} of room ${receipt.r}, not for this one.`,
  );
  if (!isOfThis) return null;
  if (entry !== null && entry !== receipt.e) find(false, `The receipt is for entry ${receipt.e}, not for entry ${entry}.`);
  return receipt.e;
}

/** Walks the chain of the entries' batches from its beginning to its end. */
function checkList(record, opening, batches, entry, receipt, find) {
  const inOrder = batches.every(({ first }, i) => (i === 0 ? first === 0 : first > batches[i - 1].first) && first < record.count);
  let chain = sha256(Buffer.from("vestibule-entries-1"), opening);
  let own = null;
  batches.forEach(({ first, digest }, i) => {
    chain = sha256(chain, u64(first), hex(digest));
    const next = batches[i + 1]?.first ?? record.count;
    if (entry !== null && first <= entry && entry < next) own = chain;
  });
  find(
    inOrder && batches.length > 0 === record.count > 0 && chain.toString("hex") === record.chain,
    `The list of entries (${batches.length} batches) leads to the chain that was fixed at the cut-off.`,
    "The list of entries does not lead to the chain that was fixed at the cut-off: it has been changed, or is not complete.",
  );
  if (receipt === null) return;
  find(
    own?.equals(Buffer.from(receipt.c, "base64url")) === true,
    "The receipt is in the list, at its entry's number: nothing up to there was changed since the receipt was given.",
    "The receipt is not in the list at its entry's number: something up to there was changed since, or the receipt is not the room's.",
  );
}

/** Everything that all entries of a draw begin with. */
function openingOf(record, openedMs) {
  const beacon = record.beacon.source === "none" ? "none" : `drand:${DRAND.chain}`;
  return Buffer.concat([
    text(record.room),
    u64(record.generation),
    u64(record.id),
    text(record.event),
    hex(record.commitment),
    text(beacon),
    u64(openedMs),
  ]);
}

/** compute_shuffled_index of Ethereum's consensus specification, with 90 rounds. */
function shuffled(start, count, seed) {
  let index = BigInt(start);
  const size = BigInt(count);
  for (let round = 0; round < ROUNDS; round++) {
    const pivot = sha256(seed, Buffer.from([round])).readBigUInt64LE(0) % size;
    const flip = (pivot + size - index) % size;
    const position = index > flip ? index : flip;
    const block = Buffer.alloc(4);
    block.writeUInt32LE(Number(position / 256n));
    const bits = sha256(seed, Buffer.from([round]), block);
    const byte = bits[Number((position % 256n) / 8n)];
    if ((byte >> Number(position % 8n)) % 2 === 1) index = flip;
  }
  return Number(index);
}

/** Fields that are missing or not of their form, in words. */
function formOf(record) {
  if (typeof record !== "object" || record === null || Array.isArray(record)) return ["it is no JSON object"];
  if ("pending" in record) return ["it is not drawn yet"];
  if ("dropped" in record) return ["the draw never took place"];
  const wrong = [];
  const want = (names, form, holds) => {
    for (const name of names) if (!holds(record[name])) wrong.push(`\`${name}\` is not ${form}`);
  };
  const isNumber = (value) => Number.isSafeInteger(value) && value >= 0 && value <= 2 ** 40;
  const isTime = (value) => typeof value === "string" && Date.parse(value) >= 0 && new Date(Date.parse(value)).toISOString() === value;
  want(["algorithm", "room", "event"], "text", (value) => typeof value === "string" && value.length <= 1000);
  want(["id", "generation", "base", "count", "rounds", "beaconWaitMs"], "a whole number", isNumber);
  want(["chain", "entriesHash", "commitment", "salt", "seed"], "32 bytes in hex", (value) => isHex(value, 32));
  want(["openedAt", "closedAt", "drawnAt"], "a time like 2026-11-30T12:00:00.000Z", isTime);
  want(["beacon"], "one of the three that there are", isBeacon);
  return wrong;
}

function isBeacon(beacon) {
  if (typeof beacon !== "object" || beacon === null) return false;
  if (beacon.source === "none") return Object.keys(beacon).length === 1;
  if (beacon.source !== "drand" || typeof beacon.chain !== "string" || !Number.isSafeInteger(beacon.round)) return false;
  if ("fallback" in beacon) return beacon.fallback === true && !("randomness" in beacon) && !("signature" in beacon);
  return isHex(beacon.randomness, 32) && isHex(beacon.signature, 48);
}

const isHex = (value, bytes) => typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value);

/** The claims of an entry token, or null. Its signature needs the room's key and is not looked at. */
export function readReceipt(token) {
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const isEntry = ["g", "d", "e"].every((name) => Number.isSafeInteger(claims[name])) && typeof claims.r === "string";
    return isEntry && typeof claims.c === "string" ? claims : null;
  } catch {
    return null;
  }
}

/** Lines `first digest`, as the list of entries is served; null where a line is anything else. */
export function readList(lines) {
  const read = lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => /^(\d{1,13}) ([0-9a-f]{64})\r?$/.exec(line));
  return read.includes(null) ? null : read.map(([, first, digest]) => ({ first: Number(first), digest }));
}
