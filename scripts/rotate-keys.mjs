/**
 * `npm run rotate-keys`: changes the key that signs, in steps that lose nobody: publish the new one, sign with it once every Worker knows it,
 * retire the old one once its tokens have run out. Run again and again it says what to do next, and does it when it is time.
 */
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { LONGEST_LIFE_HOURS } from "./lib/key-rotation.mjs";
import { decimalOf } from "./lib/number-option.mjs";
import { installIfNeeded, root, runNode } from "./setup.mjs";

const usage = `npm run rotate-keys [-- options]: does the next step of a change of keys, or says how long to wait for it
  --secrets-file FILE   of a deployment: your own copy of its secrets, JSON or NAME=value, which is kept up to date
                        (without it: .dev.vars, for npm start)
  --life-hours N        longest life of a cookie or an invitation: the old key goes after it (default ${LONGEST_LIFE_HOURS}, which no cookie exceeds)
  --retire KID          take this key out now, whatever still hangs on it
  --revoke KID          a key got out: it counts no more from now on; may be given several times. Asks what becomes of the line
  --line keep|new       … and this is the answer: everybody keeps their place, or every room is reset
  --url ADDRESS         … of a host with rooms, which are told (default: the first host of wrangler.toml, or npm start's)
  --abort               go back: take the new key out, or put the former one in front again
  --dry-run             say what would be done, do nothing`;

/** No invitation lives longer: 400 days. */
const LIFE_HOURS_MAX = 9_600;
const options = readOptions();
installIfNeeded();
// Only now: these import installed packages.
const [{ rotate }, { revoke }, { loadReaders }] = [
  await import("./lib/rotate-steps.mjs"),
  await import("./lib/revoke-steps.mjs"),
  await import("./lib/deploy-config.mjs"),
];
try {
  process.exitCode = await (options.revoke.length > 0 ? revoke : rotate)(options, {
    root,
    readers: await loadReaders(root),
    wrangler: (args) => runNode("node_modules/wrangler/wrangler-dist/cli.js", args),
    now: Date.now,
    newKey: () => randomBytes(32).toString("base64url"),
    fetch,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ask,
    say: console.log,
    complain: console.error,
  });
} catch (error) {
  console.error(`Nothing done: ${error.message}`);
  process.exitCode = 1;
}

async function ask(question) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        "secrets-file": { type: "string" },
        "life-hours": { type: "string", default: String(LONGEST_LIFE_HOURS) },
        retire: { type: "string" },
        revoke: { type: "string", multiple: true, default: [] },
        line: { type: "string" },
        url: { type: "string" },
        abort: { type: "boolean", default: false },
        "dry-run": { type: "boolean", default: false },
        help: { type: "boolean" },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const lifeHours = decimalOf(values["life-hours"]);
    if (!(lifeHours >= 1 && lifeHours <= LIFE_HOURS_MAX))
      throw new Error(`--life-hours must be a number from 1 to ${LIFE_HOURS_MAX}, not "${values["life-hours"]}"`);
    if (values.abort && values.retire !== undefined) throw new Error("--abort and --retire exclude each other");
    if (values.revoke.length > 0 && (values.abort || values.retire !== undefined))
      throw new Error("--revoke goes with neither --abort nor --retire");
    if (values.revoke.length === 0 && (values.line ?? values.url) !== undefined) throw new Error("--line and --url belong to --revoke");
    if (values.line !== undefined && values.line !== "keep" && values.line !== "new") throw new Error('--line must be "keep" or "new"');
    const { retire, revoke, line, url, abort } = values;
    return { secretsFile: values["secrets-file"], lifeHours, retire, revoke, line, url, abort, dryRun: values["dry-run"] };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
