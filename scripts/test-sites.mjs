/**
 * `npm run test:sites`: installs the applications that `test/sites` puts behind a room and runs those tests; arguments go to vitest.
 * Not part of `npm test`: some hundred megabytes that nothing else needs, and half as long again as all other tests.
 */
import { installIfNeeded, runNode } from "./setup.mjs";

installIfNeeded();
// Nothing that these packages do at installation is needed.
installIfNeeded("test/sites", ["--ignore-scripts"]);
const built = await runNode("scripts/build-static.mjs");
process.exit(built || (await runNode("node_modules/vitest/vitest.mjs", ["run", "--project", "sites", ...process.argv.slice(2)])));
