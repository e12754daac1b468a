/**
 * Runs cases one after the other, each in a process group of its own that is ended with it. What a case says and finds comes by messages.
 */
import { fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/lib/load-source.mjs";
import { root } from "../../scripts/setup.mjs";
import { judged } from "./figures.mjs";

const directory = join(root, "bench/cases");
const program = fileURLToPath(new URL("case-process.mjs", import.meta.url));
/** For all cases together there are ten minutes; one that takes this long, ms, hangs. */
const CASE_MOST_MS = 300_000;

/** Name → title, in the order in which they run. */
export async function caseNames() {
  const files = readdirSync(directory).filter((name) => name.endsWith(".mjs"));
  const cases = await Promise.all(files.toSorted().map(async (name) => (await import(join(directory, name))).default));
  return new Map(cases.map(({ name, title }) => [name, title]));
}

/**
 * @param options what each case is given: { rounds, seconds, smoke }
 * @param say is told how it goes, a line at a time
 * @returns for each: { name, title, tookS, figures, skipped, error }; figures say with `met` whether their bar was
 */
export async function runCases(names, options, say) {
  const titles = await caseNames();
  say("building the Worker …");
  const { bundle, removeBundle } = await loadSource(root, "test/support/bundle.ts");
  await bundle(); // Its place is in this process's environment, which the cases inherit.
  const results = [];
  try {
    for (const name of names) {
      const startedAt = Date.now();
      const found = await runCase(name, options, (line) => say(`${name}: ${line}`));
      const tookS = Math.round((Date.now() - startedAt) / 1_000);
      if (found.error !== null) say(`${name}: FAILED after ${tookS} s: ${found.error}`);
      else say(found.skipped === null ? `${name}: done in ${tookS} s` : `${name}: skipped: ${found.skipped}`);
      results.push({ name, title: titles.get(name), tookS, ...found, figures: found.figures.map(judged) });
    }
  } finally {
    await removeBundle();
  }
  return results;
}

function runCase(name, options, say) {
  return new Promise((resolve) => {
    const child = fork(program, [join(directory, `${name}.mjs`), JSON.stringify(options)], { detached: true });
    let found = null;
    let error = "";
    const end = () => {
      try {
        process.kill(-child.pid, "SIGKILL"); // Whatever the case had started is in its group.
      } catch {
        // It has ended already, with all that it had started.
      }
    };
    const interrupt = () => {
      end();
      process.exit(130);
    };
    const timer = setTimeout(() => {
      error = `not done after ${CASE_MOST_MS / 1_000} s`;
      end();
    }, CASE_MOST_MS);
    process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
    child.on("message", (message) => {
      if (message.say !== undefined) say(message.say);
      else found = message;
    });
    child.on("exit", (code) => {
      clearTimeout(timer);
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      end();
      const nothing = { figures: [], skipped: null, error: error || `its process ended with ${code} before it was done` };
      resolve(found ?? nothing);
    });
  });
}
