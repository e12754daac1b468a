/**
 * Where an operator keeps the ring of signing keys: `.dev.vars`, or a file with a deployment's secrets, which Cloudflare does not give
 * back. Beside it lies a record of when each step was made, without any key. Both are readable by this user only.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseSecrets } from "./deploy-secrets.mjs";

const NAME = "VESTIBULE_KEYS";
const LINE = /^(\s*(?:export\s+)?VESTIBULE_KEYS\s*=\s*)(.*?)(\s*)$/m;

/** `{ ring, adminToken, record }` of a file; record null = none. Throws with a sentence that shows no secret. */
export function readStore(file) {
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  const values = parseSecrets(readFileSync(file, "utf8"), file);
  if (typeof values[NAME] !== "string" || values[NAME] === "") throw new Error(`${file} has no ${NAME}`);
  return { ring: values[NAME], adminToken: values["ADMIN_TOKEN"] ?? null, record: readRecord(file) };
}

/**
 * The record first: a step that ends in between is one that was not confirmed, with the ring as it was before. Everything else in the file stays.
 * Throws, and writes nothing, where the file would not be read as the new ring afterwards: nobody else keeps the new key.
 */
export function writeStore(file, ring, record) {
  const text = withRing(readFileSync(file, "utf8"), ring);
  if (parseSecrets(text, file)[NAME] !== ring) throw new Error(`${file} has more than one line of ${NAME}; leave the last one`);
  writeRecord(file, record);
  replaceFile(file, text);
}

function withRing(text, ring) {
  if (text.trimStart().startsWith("{")) return `${JSON.stringify({ ...JSON.parse(text), [NAME]: ring }, null, 2)}\n`;
  return text.replace(LINE, (_, name, value, end) => `${name}${quoted(value, ring)}${end}`);
}

export function writeRecord(file, record) {
  replaceFile(recordFile(file), `${JSON.stringify({ v: 1, ...record }, null, 2)}\n`);
}

const recordFile = (file) => `${file}.rotation`;

function readRecord(file) {
  try {
    const record = JSON.parse(readFileSync(recordFile(file), "utf8"));
    return record?.v === 1 ? { keys: record.keys, highest: record.highest, handedOver: record.handedOver } : null;
  } catch {
    return null;
  }
}

function quoted(before, ring) {
  const quote = /^["']/.exec(before)?.[0] ?? "";
  return `${quote}${ring}${quote}`;
}

/** Whole or not at all. */
function replaceFile(file, text) {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
