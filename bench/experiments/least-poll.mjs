/**
 * How near a status can come to a constant reply in workerd if it does nothing but check one signature: what the bar of the case `poll` leaves
 * for everything else. By hand: `node_modules/.bin/node bench/experiments/least-poll.mjs`.
 */
import { BY_SCRIPT, interleave, load, loadOf, newcomers, ratiosOf, spreadOf, startBuilt, startPlain } from "../lib/lib.mjs";

const PEOPLE = 8_000;

process.env.WRANGLER_LOG ??= "error";
const line = await startBuilt({ rooms: { shop: { host: "*", total_active_users: 1, new_users_per_minute: 1 } }, origin: "" });
const { collected } = await load({ url: line.url, connections: 64, amount: PEOPLE, source: await newcomers("shop"), expect: 200 });
await line.stop();
const requests = collected.places.map(({ ticket }) => ({ method: "GET", path: "/", headers: { ...BY_SCRIPT, Cookie: ticket } }));
const workers = { least: await startPlain("least-poll"), constant: await startPlain("constant") };
try {
  const ask = (name) => () => loadOf(workers[name], { connections: 32, seconds: 1.5, requests, expect: 200 });
  const found = await interleave({ rounds: 5, progress: console.error }, { least: ask("least"), constant: ask("constant") });
  const of = (name, key) => found[name].map((round) => round[key]);
  const say = (what, { value, low, high }) => console.log(`${what}: ${value.toFixed(2)} (${low.toFixed(2)} … ${high.toFixed(2)})`);
  say("least ÷ constant, questions/s", spreadOf(ratiosOf(of("least", "rate"), of("constant", "rate"))));
  say("… by CPU of workerd for each", spreadOf(ratiosOf(of("constant", "cpuUs"), of("least", "cpuUs"))));
} finally {
  await Promise.all(Object.values(workers).map((worker) => worker.stop()));
}
