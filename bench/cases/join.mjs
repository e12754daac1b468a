/**
 * New visitors who get a place that survives a crash, by how many come at once: against a Worker that always says the same, and against this
 * one with a call of the Room for each of them. At the end workerd is killed, and every place is asked for again.
 */

const CLIENTS = [1, 64, 256, 1_024, 4_096];
/** One at a time a round differs from the next by a third: so many times as many. */
const ROUNDS_ALONE = 5;
/** Where calls are counted, and what the two others are compared at. */
const CROWD = 1_024;
/** So many of the places are asked for again after the kill: the Room remembers the keys of the newest 16,384 at least. */
const ASKED_AGAIN = 4_000;
/** Nobody goes in: everybody gets a place in line. */
const ROOMS = { shop: { host: "*", total_active_users: 1, new_users_per_minute: 1 } };
/** A call for each: the batch is this one join, and waits for nothing. */
const ONE_CALL_EACH = {
  "src/room-client.ts": [
    'return this.#queue.ask({ kind: "join", request, navigation: options.navigation }, life, options.waitMs);',
    `const generation = this.#cache.seen(now)?.manifest.generation ?? 0;
    const batch = { generation, joins: [request], claims: [], renewals: [], leaves: [], reissues: [], ...this.report.take() };
    return this.#send(batch).then((reply) => ({ as: "answered", verdict: reply.joins[0]!, generation: reply.manifest.generation }));`,
  ],
};

export default {
  name: "join",
  title: "new visitors, each with a place that survives kill -9",

  async run({ rounds, seconds, smoke, progress, lib }) {
    const clients = smoke ? [1, 16] : CLIENTS;
    const crowd = smoke ? 16 : CROWD;
    const length = seconds ?? (smoke ? 0.5 : 1);
    const line = await lib.startBuilt({ rooms: ROOMS, origin: "" });
    const single = await lib.startEdited(ONE_CALL_EACH, { rooms: ROOMS, origin: "" });
    const constant = await lib.startPlain("constant");
    const counting = await lib.startCounting({ rooms: ROOMS, origin: "" });
    try {
      const source = await lib.newcomers("shop", { keep: false });
      // Thousands of connections take longer to be made than a measurement lasts: there so many joins instead.
      const lengthOf = (connections, amount) =>
        connections < 256 ? { seconds: length } : { amount: amount ?? Math.max(4_096, 3 * connections) };
      const joining = (worker, connections, amount) => () =>
        joinsOf(worker, { connections, ...lengthOf(connections, amount), source }, lib);
      const found = {};
      const failed = [];
      for (const connections of clients) {
        progress(`${connections} at once`);
        const sides = { line: joining(line, connections), constant: joining(constant, connections) };
        // The slow one only where it is compared.
        if (connections === 1 || connections === crowd) sides.single = joining(single, connections, 2 * connections);
        try {
          const times = connections === 1 && !smoke ? ROUNDS_ALONE : 1;
          found[connections] = await lib.interleave({ rounds: times * rounds, progress }, sides);
        } catch (error) {
          failed.push(connections); // The other sizes still tell something.
          progress(`${connections} at once: ${error.message}`);
        }
      }
      if (failed.includes(crowd) || failed.includes(1)) throw new Error(`nothing to show without ${failed.join(" and ")} at once`);
      progress("counting calls of the Room");
      await joining(counting, crowd)();
      const before = (await counting.calls("shop")).length;
      const counted = await joining(counting, crowd)();
      const callsEach = ((await counting.calls("shop")).length - before) / counted.count;
      progress("killing workerd under load, and asking for every place again");
      const kept = await afterKill(line, { connections: smoke ? 16 : 256, ...lengthOf(smoke ? 16 : 256) }, lib);
      return {
        figures: figuresOf({ found, clients: clients.filter((size) => !failed.includes(size)), crowd, callsEach, kept, failed }, lib),
      };
    } finally {
      await Promise.all([line, single, constant, counting].map((worker) => worker.stop()));
    }
  },
};

/** Counts who got a place, which the constant reply gives nobody: there everybody counts. */
async function joinsOf(worker, wanted, { loadOf }) {
  const found = await loadOf(worker, { ...wanted, expect: 200 });
  const { given, later } = found.collected;
  if (given === 0) return found;
  // Whoever was told to wait a moment longer has no place yet.
  return { ...found, count: given, rate: given / found.seconds, cpuUs: (found.cpuUs * found.count) / given, later };
}

/** Joins until the kill; then the same tokens again, which must get the same slots. */
async function afterKill(worker, wanted, { load, newcomers, onceEach, operate, BY_SCRIPT }) {
  const { collected } = await load({ url: worker.url, ...wanted, source: await newcomers("shop"), expect: 200 });
  await worker.kill9();
  await worker.start();
  const places = collected.places.slice(-ASKED_AGAIN);
  const requests = places.map(({ cookie }) => ({
    method: "POST",
    path: "/__vestibule/rooms/shop/join",
    headers: { ...BY_SCRIPT, Cookie: cookie },
  }));
  const again = await load({
    url: worker.url,
    connections: 16,
    amount: Math.ceil(places.length / 16) * 16,
    source: onceEach(requests),
    expect: 200,
  });
  const lost = again.collected.filter((got, i) => !got?.body.includes(`"slot":${places[i].slot},`)).length;
  const { issued } = await operate(worker, "shop", "GET", "stats");
  const slots = new Set(collected.places.map(({ slot }) => slot));
  const beyond = collected.places.filter(({ slot }) => slot >= issued).length;
  return { asked: places.length, lost: lost + beyond, twice: collected.places.length - slots.size };
}

function figuresOf({ found, clients, crowd, callsEach, kept, failed }, { figure, median, ratiosOf }) {
  const of = (connections, name, key) => found[connections][name].map((round) => round[key]);
  const shares = clients.map((connections) => ({
    connections,
    rates: ratiosOf(of(connections, "line", "rate"), of(connections, "constant", "rate")),
    costs: ratiosOf(of(connections, "constant", "cpuUs"), of(connections, "line", "cpuUs")),
  }));
  const best = shares.toSorted((a, b) => median(b.rates) - median(a.rates))[0];
  const against = (connections) => ratiosOf(of(connections, "line", "rate"), of(connections, "single", "rate"));
  return [
    figure("best-rate", `joins ÷ constant reply at the best (${best.connections} at once)`, "×", best.rates, { bar: { atLeast: 0.5 } }),
    figure("best-cpu", "… by CPU of workerd for each (constant ÷ ours)", "×", best.costs),
    figure("calls-each", `calls of the Room for each join, ${crowd} at once`, "", [callsEach], { bar: { atMost: 0.02 } }),
    figure("against-single", `joins ÷ one call each, ${crowd} at once`, "×", against(crowd), { bar: { atLeast: 3 } }),
    figure("alone-against-single", "joins ÷ one call each, one at a time", "×", against(1), {
      bar: { atLeast: 0.95 },
      note: "no slower, but for noise",
    }),
    figure("lost", `places lost by kill -9, of ${kept.asked} asked for again`, "", [kept.lost], { bar: { atMost: 0 } }),
    figure("failed", "sizes of the crowd that could not be measured", "", [failed.length], { bar: { atMost: 0 }, note: failed.join(", ") }),
    figure("twice", "places given twice", "", [kept.twice], { bar: { atMost: 0 } }),
    ...shares.flatMap(({ connections, rates }) => [
      figure(`rate-${connections}`, `${connections} at once: joins`, "/s", of(connections, "line", "rate")),
      figure(`share-${connections}`, `${connections} at once: ÷ constant reply`, "×", rates),
      figure(`us-${connections}`, `${connections} at once: CPU of workerd for each`, "µs", of(connections, "line", "cpuUs")),
      figure(`p99-${connections}`, `${connections} at once: slowest of a hundred`, "ms", of(connections, "line", "p99Ms")),
    ]),
  ];
}
