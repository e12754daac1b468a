/**
 * How near a join can come to a constant reply in workerd if it does nothing but check and make one signature and have its place stored with
 * those of others: what the bar of the case `join` leaves for everything else. By hand: `node_modules/.bin/node bench/experiments/least-join.mjs`.
 */
import { interleave, loadOf, newcomers, ratiosOf, spreadOf, startBuilt, startPlain } from "../lib/lib.mjs";

const JOINS = 6_000;
const CONNECTIONS = 256;
const ROUNDS = Number(process.argv[2] ?? 5);

process.env.WRANGLER_LOG ??= "error";
const rooms = { shop: { host: "*", total_active_users: 1, new_users_per_minute: 1 } };
const workers = {
  line: await startBuilt({ rooms, origin: "" }),
  least: await startPlain("least-join"),
  constant: await startPlain("constant"),
};
try {
  const source = await newcomers("shop", { keep: false });
  const ask = (name) => () => loadOf(workers[name], { connections: CONNECTIONS, amount: JOINS, source, expect: 200 });
  const sides = { line: ask("line"), least: ask("least"), constant: ask("constant") };
  const found = await interleave({ rounds: ROUNDS, progress: console.error }, sides);
  const of = (name, key) => found[name].map((round) => round[key]);
  const say = (what, { value, low, high }) => console.log(`${what}: ${value.toFixed(2)} (${low.toFixed(2)} … ${high.toFixed(2)})`);
  for (const name of ["least", "line"]) {
    say(`${name} ÷ constant, joins/s`, spreadOf(ratiosOf(of(name, "rate"), of("constant", "rate"))));
    say("… by CPU of workerd for each", spreadOf(ratiosOf(of("constant", "cpuUs"), of(name, "cpuUs"))));
  }
  say("the line's share of the least, by CPU", spreadOf(ratiosOf(of("least", "cpuUs"), of("line", "cpuUs"))));
} finally {
  await Promise.all(Object.values(workers).map((worker) => worker.stop()));
}
