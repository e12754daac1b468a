/**
 * What single steps of a request cost in workerd, µs of its processor time each: the floor under what the gate can cost, whatever its code.
 * By hand: `node_modules/.bin/node bench/experiments/primitives.mjs`, on a computer with nothing else to do.
 */
import { BY_SCRIPT, median, startPlain, startSite } from "../lib/lib.mjs";

const TIMES = 50_000;
const ROUNDS = 5;

process.env.WRANGLER_LOG ??= "error";
const site = await startSite();
const worker = await startPlain("primitives", { origin: site.url });
const ask = async (step, times) =>
  (await fetch(`${worker.url}/?step=${encodeURIComponent(step)}&times=${times}`, { headers: BY_SCRIPT })).text();
try {
  for (const step of JSON.parse(await ask("", 0))) {
    const times = step.startsWith("fetch") ? TIMES / 10 : TIMES;
    await ask(step, times / 5); // Until it is compiled.
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = worker.cpuMs();
      await ask(step, times);
      rounds.push((1_000 * (worker.cpuMs() - before)) / times);
    }
    console.log(`${step.padEnd(44)} ${median(rounds).toFixed(2).padStart(6)} µs`);
  }
} finally {
  await worker.stop();
  site.stop();
}
