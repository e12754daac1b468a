/**
 * `npm test`: installs what is missing, builds what the browser runs, and runs every test but those of `test/sites`, which want a good
 * deal more installed (`npm run test:sites`). Arguments go to vitest (`npm test -- test/line`, `npm test -- -t P4`).
 */
import { installIfNeeded, runNode } from "./setup.mjs";

installIfNeeded();
// 66 MB, a PostgreSQL with them, in a few seconds. Nothing that these packages do at installation is needed.
installIfNeeded("examples/checkout", ["--ignore-scripts"]);
const built = await runNode("scripts/build-static.mjs");
process.exit(built || (await runNode("node_modules/vitest/vitest.mjs", ["run", "--project=!sites", ...process.argv.slice(2)])));
