/**
 * `npm run deploy`: refuses what would leave a hole (a room without a route, a host without a room, the bare path missing),
 * then deploys with wrangler and asks every host of a room for its health. `--dry-run` uploads nothing.
 */
import { parseArgs } from "node:util";
import { installIfNeeded, root, runNode } from "./setup.mjs";

const usage = `npm run deploy [-- --dry-run]
  --dry-run   check everything and build, upload nothing`;

const options = readOptions();
installIfNeeded();
// Only now: these import installed packages.
const [{ deploy }, { loadReaders }] = [await import("./lib/deploy-steps.mjs"), await import("./lib/deploy-config.mjs")];
try {
  process.exitCode = await deploy(options, {
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
    const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false }, help: { type: "boolean" } } });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    return { dryRun: values["dry-run"] };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
