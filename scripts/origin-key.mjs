/**
 * Prints the keys with which an origin verifies passes, or with `--requests` the signatures of requests: one `kid:key` a line (key: 32 bytes
 * in base64url), the signing key first, revoked ones left out. With `--webhooks ROOM/NAME` the secrets by which the receiver of that webhook
 * checks them, with `ROOM/NAME/2` those of secret_version 2. They are sub-keys (HKDF-SHA256 of each root key): who leaks one can forge that one thing.
 * Reads VESTIBULE_KEYS from the environment, else from .dev.vars. Plain Node: imports nothing of the project.
 */
import { hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The same labels as in `src/keys.ts`; a test compares the two. */
const INFO = { pass: "vestibule-1 pass", request: "vestibule-1 request", webhook: "vestibule-1 webhook" };

const args = process.argv.slice(2);
const isFor = { "": INFO.pass, "--requests": INFO.request };
const [, room, name, version = "1"] = /^--webhooks ([a-z0-9-]{1,32})\/([a-z0-9-]{1,32})(?:\/([1-9]\d{0,3}))?$/.exec(args.join(" ")) ?? [];
const info = room === undefined ? isFor[args.join(" ")] : [INFO.webhook, room, name, version].join(" ");
if (info === undefined) fail("Usage: npm run origin-key [-- --requests | --webhooks ROOM/NAME[/SECRET_VERSION]]", 2);

const secret = process.env["VESTIBULE_KEYS"] ?? fromDevVars();
const lines = [];
for (const entry of (secret ?? "").split(",").map((part) => part.trim())) {
  const [kid, encoded = "", mark] = entry.split(":");
  // What it signed counts no more, at the site neither.
  if (mark === "revoked") continue;
  const root = Buffer.from(encoded, "base64url");
  if (!kid || root.length !== 32) {
    fail(
      "VESTIBULE_KEYS is not set or not kid:key pairs of 32 bytes in base64url. Set it as for `wrangler secret put`:\n" +
        "  VESTIBULE_KEYS='k1:…' npm run origin-key",
      1,
    );
  }
  const key = Buffer.from(hkdfSync("sha256", root, new Uint8Array(0), info, 32));
  // Receivers know them in the form of Standard Webhooks.
  lines.push(room !== undefined ? `${kid}:whsec_${key.toString("base64")}` : `${kid}:${key.toString("base64url")}`);
}
console.log(lines.join("\n"));

function fromDevVars() {
  try {
    const text = readFileSync(fileURLToPath(new URL("../.dev.vars", import.meta.url)), "utf8");
    return /^VESTIBULE_KEYS\s*=\s*"?([^"\n]*)"?\s*$/m.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

function fail(message, code) {
  console.error(message);
  process.exit(code);
}
