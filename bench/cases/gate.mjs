/**
 * What the gate costs somebody who is inside: a page load with a good pass, through the gate to a site on loopback, against a Worker that only
 * forwards to it; and the decision alone, without the way to the site, against a Worker that always says the same.
 */

/** People inside go round by turns. */
const PEOPLE = 64;
const CONNECTIONS = 32;
/** Nobody is renewed while it is measured: that is another case. */
const ROOM = { total_active_users: 1_000, new_users_per_minute: 60_000, session_duration: 60, pass_refresh_seconds: 600 };
const ROOMS = { shop: { host: "*", ...ROOM } };
/** The decision alone: the reply is there as soon as it is made, without what the site is told and asked. */
const WITHOUT_SITE = {
  "src/gate/admit.ts": [
    "  const forwarding =\n",
    '  if (how.status === "admitted") return { response: new Response("ok\\n", { headers: { "Cache-Control": "private, no-store" } }), outcome: "ok", headersAfterMs: 0, commands: [] };\n  const forwarding =\n',
  ],
};

export default {
  name: "gate",
  title: "an admitted visitor's page load, through the gate",

  async run({ rounds, seconds, smoke, progress, lib }) {
    const site = await lib.startSite();
    const origin = site.url;
    const workers = {
      gate: await lib.startBuilt({ rooms: ROOMS, origin }),
      forward: await lib.startPlain("forward", { origin }),
      decision: await lib.startEdited(WITHOUT_SITE, { rooms: ROOMS, origin }),
      constant: await lib.startPlain("constant", { origin }),
    };
    try {
      const people = smoke ? 4 : PEOPLE;
      progress(`${people} people go in`);
      const cookies = await lib.admit(workers.gate, people);
      const decided = await lib.admit(workers.decision, people);
      const requestsOf = (list) =>
        list.map((cookie) => ({ method: "GET", path: "/product/7?size=m", headers: { ...lib.PAGE_LOAD, Cookie: cookie } }));
      const sideOf = (name, list) => [
        name,
        () =>
          lib.loadOf(workers[name], {
            connections: smoke ? 2 : CONNECTIONS,
            seconds: seconds ?? (smoke ? 0.3 : 1.5),
            requests: requestsOf(list),
            expect: 200,
          }),
      ];
      const sides = [sideOf("gate", cookies), sideOf("forward", cookies), sideOf("decision", decided), sideOf("constant", decided)];
      const found = await lib.interleave({ rounds, progress, warm: !smoke }, Object.fromEntries(sides));
      return { figures: figuresOf(found, lib) };
    } finally {
      await Promise.all(Object.values(workers).map((worker) => worker.stop()));
      site.stop();
    }
  },
};

function figuresOf(found, { figure, ratiosOf }) {
  const of = (name, key) => found[name].map((round) => round[key]);
  const rates = (a, b) => ratiosOf(of(a, "rate"), of(b, "rate"));
  const costs = (a, b) => ratiosOf(of(b, "cpuUs"), of(a, "cpuUs"));
  return [
    figure("gate-rate", "gate ÷ forwarding alone, requests/s", "×", rates("gate", "forward"), { bar: { atLeast: 0.95 } }),
    figure("gate-cpu", "… by CPU of workerd for each (forwarding ÷ gate)", "×", costs("gate", "forward")),
    figure("decision-rate", "decision ÷ constant reply, requests/s", "×", rates("decision", "constant"), { bar: { atLeast: 0.85 } }),
    figure("decision-cpu", "… by CPU of workerd for each (constant ÷ decision)", "×", costs("decision", "constant")),
    ...["gate", "forward", "decision", "constant"].flatMap((name) => [
      figure(`${name}-per-second`, `${name}: requests`, "/s", of(name, "rate")),
      figure(`${name}-us`, `${name}: CPU of workerd for each`, "µs", of(name, "cpuUs")),
    ]),
  ];
}
