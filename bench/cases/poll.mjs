/**
 * What a waiting visitor's question costs: `status` of places beyond the horizon, and of places within it, which are reported to the Room as
 * seen, against a Worker that always says the same. And how often the Room is called for all of it.
 */

const CONNECTIONS = 32;
/** A place may ask once a second, so that there must be more of them than questions in a second. */
const PEOPLE = 16_000;
/** Nobody goes in; the horizon is small in one room, and beyond everybody in the other. */
const FEW = { total_active_users: 1, new_users_per_minute: 1 };
const MANY = { total_active_users: 1, new_users_per_minute: 600_000 };
const ROOMS = { far: { host: "*", path: "/far", ...FEW }, near: { host: "*", path: "/near", ...MANY } };

export default {
  name: "poll",
  title: "a waiting visitor asks where the line stands",

  async run({ rounds, seconds, smoke, progress, lib }) {
    const people = smoke ? 200 : PEOPLE;
    const connections = smoke ? 2 : CONNECTIONS;
    const line = await lib.startBuilt({ rooms: ROOMS, origin: "" });
    const constant = await lib.startPlain("constant");
    const counting = await lib.startCounting({ rooms: ROOMS, origin: "" });
    try {
      const asking = {};
      for (const room of ["far", "near"]) {
        progress(`${people} people join the room ${room}`);
        asking[room] = await statusOf(line, room, people, lib);
      }
      // A smoke has too few people to ask anybody twice.
      const length = smoke ? { amount: people / 2 } : { seconds: seconds ?? 1.5 };
      const ask = (worker, requests) => lib.loadOf(worker, { connections, ...length, requests, expect: 200 });
      const found = await lib.interleave(
        { rounds, progress, warm: !smoke },
        {
          far: () => ask(line, asking.far),
          near: () => ask(line, asking.near),
          constant: () => ask(constant, asking.far),
        },
      );
      progress("counting calls of the Room");
      const calls = {};
      for (const room of ["far", "near"]) {
        const requests = await statusOf(counting, room, people, lib);
        const before = (await counting.calls(room)).length;
        const counted = smoke ? length : { seconds: 10 };
        await lib.load({ url: counting.url, connections, ...counted, requests, expect: 200 });
        calls[room] = lib.perSecond((await counting.calls(room)).slice(before));
      }
      return { figures: figuresOf(found, calls, lib) };
    } finally {
      await Promise.all([line, constant, counting].map((worker) => worker.stop()));
    }
  },
};

/** So many people join; each asks by a ticket of its own. */
async function statusOf(worker, room, people, { load, newcomers, BY_SCRIPT }) {
  const { collected } = await load({ url: worker.url, connections: 64, amount: people, source: await newcomers(room), expect: 200 });
  if (collected.given < people * 0.9) throw new Error(`only ${collected.given} of ${people} people got a place in ${room}`);
  return collected.places.map(({ ticket }) => ({
    method: "GET",
    path: `/__vestibule/rooms/${room}/status`,
    headers: { ...BY_SCRIPT, Cookie: ticket },
  }));
}

function figuresOf(found, calls, { figure, ratiosOf }) {
  const of = (name, key) => found[name].map((round) => round[key]);
  const sides = { far: "beyond the horizon", near: "within the horizon" };
  return [
    ...Object.entries(sides).flatMap(([name, where]) => [
      figure(`${name}-rate`, `${where} ÷ constant reply, questions/s`, "×", ratiosOf(of(name, "rate"), of("constant", "rate")), {
        bar: name === "far" ? { atLeast: 0.8 } : null,
      }),
      figure(`${name}-cpu`, "… by CPU of workerd for each (constant ÷ ours)", "×", ratiosOf(of("constant", "cpuUs"), of(name, "cpuUs"))),
      figure(`${name}-room-calls`, `${where}: calls of the Room, whoever asks`, "/s", [calls[name]], {
        bar: name === "far" ? { atMost: 1 } : null,
        note: "a manifest lives a second",
      }),
    ]),
    ...["far", "near", "constant"].flatMap((name) => [
      figure(`${name}-per-second`, `${name}: questions`, "/s", of(name, "rate")),
      figure(`${name}-us`, `${name}: CPU of workerd for each`, "µs", of(name, "cpuUs")),
    ]),
  ];
}
