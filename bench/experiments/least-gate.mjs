/**
 * How near a gate can come to forwarding alone, and its decision to a constant reply, in workerd, if it does hardly anything: what the bars of
 * the case `gate` leave for everything else. By hand: `node_modules/.bin/node bench/experiments/least-gate.mjs`.
 */
import { admit, interleave, loadOf, PAGE_LOAD, ratiosOf, spreadOf, startBuilt, startPlain, startSite } from "../lib/lib.mjs";

const PEOPLE = 64;
const ROOM = { total_active_users: 1_000, new_users_per_minute: 60_000, session_duration: 60, pass_refresh_seconds: 600 };

process.env.WRANGLER_LOG ??= "error";
const site = await startSite();
const origin = site.url;
const line = await startBuilt({ rooms: { shop: { host: "*", ...ROOM } }, origin });
const cookies = await admit(line, PEOPLE);
await line.stop();
const workers = {
  least: await startPlain("least-gate", { origin }),
  forward: await startPlain("forward", { origin }),
  constant: await startPlain("constant"),
};
try {
  const ask = (name, path) => () => {
    const requests = cookies.map((cookie) => ({ method: "GET", path, headers: { ...PAGE_LOAD, Cookie: cookie } }));
    return loadOf(workers[name], { connections: 32, seconds: 1.5, requests, expect: 200 });
  };
  const found = await interleave(
    { rounds: 5, progress: console.error, warm: true },
    {
      gate: ask("least", "/product/7?size=m"),
      forward: ask("forward", "/product/7?size=m"),
      decision: ask("least", "/decided"),
      constant: ask("constant", "/decided"),
    },
  );
  const of = (name, key) => found[name].map((round) => round[key]);
  const say = (what, { value, low, high }) => console.log(`${what}: ${value.toFixed(2)} (${low.toFixed(2)} … ${high.toFixed(2)})`);
  say("least gate ÷ forwarding, requests/s", spreadOf(ratiosOf(of("gate", "rate"), of("forward", "rate"))));
  say("… by CPU of workerd for each", spreadOf(ratiosOf(of("forward", "cpuUs"), of("gate", "cpuUs"))));
  say("least decision ÷ constant, requests/s", spreadOf(ratiosOf(of("decision", "rate"), of("constant", "rate"))));
  say("… by CPU of workerd for each", spreadOf(ratiosOf(of("constant", "cpuUs"), of("decision", "cpuUs"))));
} finally {
  await Promise.all(Object.values(workers).map((worker) => worker.stop()));
  site.stop();
}
