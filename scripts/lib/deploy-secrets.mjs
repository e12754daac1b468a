/**
 * The two secrets of a deployment: making them, taking them from a file, handing them to wrangler in a file that nobody else can read.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const SECRETS = ["VESTIBULE_KEYS", "ADMIN_TOKEN"];

/** Fresh secrets: 32 random bytes each. */
export function makeSecrets() {
  const random = () => randomBytes(32).toString("base64url");
  return { VESTIBULE_KEYS: `k1:${random()}`, ADMIN_TOKEN: random() };
}

/** Secrets of a JSON or NAME=value file. Throws with a sentence that shows none of them. */
export function readSecrets(file) {
  const values = parseSecrets(readFileSync(file, "utf8"), file);
  const missing = SECRETS.filter((name) => typeof values[name] !== "string");
  if (missing.length > 0) throw new Error(`${file} has no ${missing.join(" and no ")}`);
  return Object.fromEntries(SECRETS.map((name) => [name, values[name]]));
}

/** The values of a file's text, JSON or NAME=value. */
export function parseSecrets(text, file) {
  return text.trimStart().startsWith("{") ? parseJson(text, file) : parseLines(text);
}

function parseJson(text, file) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON`);
  }
}

function parseLines(text) {
  const entries = [...text.matchAll(/^\s*(?:export\s+)?([A-Z_]+)\s*=\s*(.*?)\s*$/gm)];
  return Object.fromEntries(entries.map(([, name, value]) => [name, value.replace(/^(["'])(.*)\1$/, "$2")]));
}

/** What the Worker would say against these secrets, as sentences; empty = it would serve. */
export async function secretProblems(secrets, readers) {
  const keys = await readers.importKeyRing(secrets.VESTIBULE_KEYS);
  const token = readers.readAdminToken(secrets.ADMIN_TOKEN);
  return [
    ...(keys.ok ? [] : [`VESTIBULE_KEYS ${keys.problem}.`]),
    ...(token.ok ? [] : token.problems.map((one) => `ADMIN_TOKEN ${one.problem}.`)),
  ];
}

/** Runs `use` with the path of a file that holds the secrets, readable by this user only, gone afterwards whatever happens. */
export async function withSecretsFile(secrets, use) {
  const dir = mkdtempSync(join(tmpdir(), "vestibule-secrets-"));
  const file = join(dir, "secrets.json"); // JSON: wrangler expands $NAME in other forms.
  try {
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    return await use(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
