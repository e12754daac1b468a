/**
 * A vitest that stays loaded between runs: the other half of `test-guards.mjs`, which starts it in its copy of the project.
 * Speaks by messages: { file, names, changed } → { passed, failed, errors }. Node 22 only. Ends when its parent is gone.
 */
import { join } from "node:path";
import { createVitest } from "vitest/node";

const root = process.cwd();
const project = process.argv[2];
/** The tests of these projects run against the built Worker, which vitest's own set-up would build once only. */
const isBuilt = project === "worker" || project === "e2e";
const { bundle, removeBundle } = isBuilt ? await import(join(root, "test/support/bundle.ts")) : {};
const vitest = await createVitest(
  "test",
  { watch: false, root, project: [project], reporters: [{}], passWithNoTests: true },
  { cacheDir: join(root, ".vite") },
);

async function run({ file, names, changed }) {
  for (const path of changed) vitest.invalidateFile(path);
  if (isBuilt) {
    await removeBundle();
    await bundle();
  }
  vitest.setGlobalTestNamePattern(new RegExp(names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")));
  const path = join(root, file);
  const specifications = (await vitest.globTestSpecifications([file])).filter(({ moduleId }) => moduleId === path);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
  // Vitest also hands out the results of files that ran earlier.
  const modules = testModules.filter(({ moduleId }) => moduleId === path);
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  const inState = (state) => tests.filter((test) => test.result().state === state);
  return {
    passed: inState("passed").map(nameOf),
    failed: inState("failed").map((test) => ({ name: nameOf(test), errors: (test.result().errors ?? []).map(describe) })),
    errors: [...suites.flatMap((suite) => suite.errors()), ...unhandledErrors].map((error) => String(error.message ?? error)),
  };
}

/** As `-t` sees it: the names of the suites and of the test, with blanks between. */
function nameOf({ name, parent }) {
  return parent.type === "module" ? name : `${nameOf(parent)} ${name}`;
}

function describe({ name, message }) {
  return { name: String(name), message: String(message).slice(0, 400) };
}

process.on("message", async (message) => {
  const answer = await run(message).catch((error) => ({ broken: String(error.stack ?? error) }));
  process.send(answer);
});
process.on("disconnect", async () => {
  await vitest.close();
  await removeBundle?.();
  process.exit(0);
});
