/**
 * Runs cases one after the other, each in a process group of its own that is ended with it. What a case says and finds comes by messages.
 */
import { fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../scripts/setup.mjs";
import { judged } from "./figures.mjs";

const program = fileURLToPath(new URL("case-process.mjs", import.meta.url));
/** All cases together take ten minutes, on a slow computer half as long again; one that takes this long, ms, hangs. */
const CASE_MOST_MS = 420_000;

/** Name → { file, title }, in the order in which they run. */
export async function findCases(directory = join(root, "bench/cases")) {
  const names = readdirSync(directory).filter((name) => name.endsWith(".mjs"));
  const files = names.toSorted().map((name) => join(directory, name));
  const cases = await Promise.all(files.map(async (file) => ({ file, ...(await import(file)).default })));
  return new Map(cases.map(({ name, file, title }) => [name, { file, title }]));
}

/**
 * @param cases of `findCases`, those that are to run
 * @param options what each case is given: { rounds, seconds, smoke }
 * @param say is told how it goes, a line at a time
 * @returns for each: { name, title, tookS, figures, skipped, error }; figures say with `met` whether their bar was
 */
export async function runCases(cases, options, say, mostMs = CASE_MOST_MS) {
  const results = [];
  for (const [name, { file, title }] of cases) {
    const startedAt = Date.now();
    const found = await runCase(file, options, (line) => say(`${name}: ${line}`), mostMs);
    const tookS = Math.round((Date.now() - startedAt) / 1_000);
    if (found.error !== null) say(`${name}: FAILED after ${tookS} s: ${found.error}`);
    else say(found.skipped === null ? `${name}: done in ${tookS} s` : `${name}: skipped: ${found.skipped}`);
    results.push({ name, title, tookS, ...found, figures: found.figures.map(judged) });
  }
  return results;
}

function runCase(file, options, say, mostMs) {
  return new Promise((resolve) => {
    const child = fork(program, [file, JSON.stringify(options)], { detached: true });
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
      error = `not done after ${mostMs / 1_000} s`;
      end();
    }, mostMs);
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
