/**
 * `npm run verify-draw -- record.json`: recomputes a draw from its public record and says what holds and what does not. Works without the room,
 * the Worker or any of its code; asks the internet only with `--beacon`. Exit code 1 if anything does not hold, 2 for a command that makes no sense.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { verifySignature } from "./lib/drand-signature.mjs";
import { readList, readReceipt, verifyDraw } from "./lib/verify-draw.mjs";

const USAGE = `npm run verify-draw -- record.json [--entry N] [--receipt TOKEN] [--chain entries.txt] [--beacon]

  record.json          what /__vestibule/rooms/ROOM/draws/ID answers
  --entry N            tells the slot of entry N, counted from 0
  --receipt TOKEN      what the verify page shows, or the entry token: tells its slot, and with --chain whether it is in the list
  --chain entries.txt  the draw's list of entries, one batch a line: first entry and digest
  --beacon             also asks drand whether it published the same (DRAND_URL: where, default https://api.drand.sh)`;

const options = { entry: { type: "string" }, receipt: { type: "string" }, chain: { type: "string" }, beacon: { type: "boolean" } };

function stop(problem) {
  console.error(`${problem}\n\n${USAGE}`);
  process.exit(2);
}

function read(parse, problem) {
  try {
    return parse();
  } catch (error) {
    return stop(`${problem}: ${error.message}`);
  }
}

const { values, positionals } = read(() => parseArgs({ options, allowPositionals: true }), "Not understood");
const [file, ...more] = positionals;
if (file === undefined || more.length > 0) stop("Name one record.");
if (values.entry !== undefined && !/^\d{1,13}$/.test(values.entry)) stop(`--entry ${values.entry} is not a number from 0.`);
const entry = values.entry === undefined ? null : Number(values.entry);
const receipt =
  values.receipt === undefined ? null : (readReceipt(values.receipt) ?? stop("--receipt is neither a receipt nor an entry token."));
const list = values.chain === undefined ? null : read(() => readFileSync(values.chain, "utf8"), "The list of entries cannot be read");
const batches =
  list === null ? null : (readList(list) ?? stop(`${values.chain} is not a list of entries: lines of a number and 64 hex digits.`));
const record = read(() => JSON.parse(readFileSync(file, "utf8")), "The record cannot be read");

async function publishedRound(round) {
  const api = process.env["DRAND_URL"] || "https://api.drand.sh";
  const chain = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
  const response = await fetch(`${api}/${chain}/public/${round}`, { signal: AbortSignal.timeout(20_000) }).catch((error) =>
    stop(`drand cannot be asked: ${error.cause?.message ?? error.message}`),
  );
  if (response.status === 404 || response.status === 425) return null;
  if (!response.ok) stop(`drand answered with status ${response.status}`);
  return response.json();
}

const ask = { verifySignature, ...(values.beacon ? { publishedRound } : {}) };
const { findings } = await verifyDraw(record, { entry, receipt, batches }, ask);
for (const { ok, says } of findings) console.log(`${ok === null ? "–" : ok ? "✓" : "✗"} ${says}`);
const wrong = findings.filter(({ ok }) => ok === false).length;
console.log(wrong === 0 ? "\nEverything that was looked at holds." : `\n${wrong} of ${findings.length} do not hold.`);
process.exitCode = wrong === 0 ? 0 : 1;
