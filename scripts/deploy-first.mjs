/**
 * `npm run deploy:first -- --route shop.example.com/*`: the first deployment onto a zone.
 * Writes routes (and a room, if none names the host) to wrangler.toml, makes the secrets, deploys, asks for health,
 * and prints what is left to do by hand. `--dry-run` shows what would be written and uploads nothing.
 */
import { parseArgs } from "node:util";
import { decimalOf } from "./lib/number-option.mjs";
import { installIfNeeded, root, runNode } from "./setup.mjs";

const usage = `npm run deploy:first -- --route PATTERN [--route PATTERN …] [options]
  --route PATTERN             what the Worker runs on: shop.example.com/* (best), or a path such as shop.example.com/checkout*
  --total-active-users N      for a room made for a host that none names yet: people inside at once (default 500)
  --new-users-per-minute N    the same: people let in per minute (default 300)
  --zone NAME                 the zone's name, where Cloudflare cannot tell it from the host
  --secrets-file FILE         VESTIBULE_KEYS and ADMIN_TOKEN from this JSON or NAME=value file instead of new ones
  --dry-run                   show what would be written, build, upload nothing`;

const options = readOptions();
installIfNeeded();
// Only now: these import installed packages.
const [{ deployFirst }, { loadReaders }] = [await import("./lib/deploy-steps.mjs"), await import("./lib/deploy-config.mjs")];
try {
  process.exitCode = await deployFirst(options, {
    root,
    readers: await loadReaders(root),
    // Not bin/wrangler.js, which reports success when its child is killed.
    wrangler: (args) => runNode("node_modules/wrangler/wrangler-dist/cli.js", args),
    fetch,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    say: console.log,
    complain: console.error,
  });
} catch (error) {
  console.error(`Not deployed: ${error.message}`);
  process.exitCode = 1;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        route: { type: "string", multiple: true, default: [] },
        "total-active-users": { type: "string", default: "500" },
        "new-users-per-minute": { type: "string", default: "300" },
        zone: { type: "string" },
        "secrets-file": { type: "string" },
        "dry-run": { type: "boolean", default: false },
        help: { type: "boolean" },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    return {
      routes: values.route,
      zone: values.zone,
      totalActiveUsers: numberOf(values, "total-active-users"),
      newUsersPerMinute: numberOf(values, "new-users-per-minute"),
      secretsFile: values["secrets-file"],
      dryRun: values["dry-run"],
    };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

/** Whether it makes sense is for the Worker's own reader to say. */
function numberOf(values, name) {
  const number = decimalOf(values[name]);
  if (Number.isNaN(number)) throw new Error(`--${name} must be a number, not "${values[name]}"`);
  return number;
}
