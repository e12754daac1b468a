/** Going in and staying in: claims of called places and renewals of passes, each stored before it is answered. */

const CONNECTIONS = 64;
const PEOPLE = 1_536;
/** Everybody is called within seconds, and every pass is due for renewal after two. */
const ROOM = { total_active_users: 100_000, new_users_per_minute: 300_000, session_duration: 60, pass_refresh_seconds: 1 };
const ROOMS = { shop: { host: "*", ...ROOM } };
const NAMES = ["vestibule.shop", "vestibule-pass.shop"];

export default {
  name: "inside",
  title: "claims and renewals, each stored before it is answered",

  async run({ rounds, smoke, progress, lib }) {
    const people = smoke ? 64 : PEOPLE;
    const connections = smoke ? 4 : CONNECTIONS;
    const site = await lib.startSite();
    const line = await lib.startCounting({ rooms: ROOMS, origin: site.url });
    const constant = await lib.startPlain("constant");
    try {
      await lib.operate(line, "shop", "POST", "pause"); // So that people wait, and are called together.
      const crowds = [];
      for (let crowd = 0; crowd <= rounds; crowd += 1) crowds.push(await join(line, people, lib));
      await lib.operate(line, "shop", "POST", "resume");
      progress(`${people * crowds.length} people wait to be called`);
      await allCalled(line, people * crowds.length, lib);
      let next = 0;
      const claiming = async () => claim(line, crowds[next], { people, connections }, lib);
      const renewing = async () => {
        const crowd = crowds[next];
        next += 1;
        await new Promise((resolve) => setTimeout(resolve, 2_100)); // Older than twice the refresh time: renewed first.
        return renew(line, crowd, { people, connections }, lib);
      };
      const plain = () =>
        lib.loadOf(constant, {
          connections,
          amount: people,
          requests: [{ method: "GET", path: "/", headers: lib.PAGE_LOAD }],
          expect: 200,
        });
      const found = await lib.interleave({ rounds, progress }, { claims: claiming, renewals: renewing, constant: plain });
      return { figures: figuresOf(found, lib) };
    } finally {
      await Promise.all([line, constant].map((worker) => worker.stop()));
      site.stop();
    }
  },
};

async function join(worker, people, { load, newcomers }) {
  const { collected } = await load({ url: worker.url, connections: 64, amount: people, source: await newcomers("shop"), expect: 200 });
  return { tickets: collected.places.map(({ ticket }) => ticket), passes: [] };
}

async function allCalled(worker, count, { operate }) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const stats = await operate(worker, "shop", "GET", "stats");
    if (stats.waiting === 0 && stats.issued >= count * 0.9) return;
    if (Date.now() > deadline) throw new Error(`after a minute ${stats.waiting} of ${stats.issued} people were still waiting`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Each place once; its cookies go into `crowd`. */
async function claim(worker, crowd, { people, connections }, lib) {
  const path = "/__vestibule/rooms/shop/claim";
  const requests = crowd.tickets.map((ticket) => ({ method: "POST", path, headers: { ...lib.BY_SCRIPT, Cookie: ticket } }));
  const found = await counted(worker, { connections, amount: people, source: lib.onceEach(requests, NAMES), expect: 200 }, lib);
  crowd.passes = found.collected.flatMap((got) => got?.cookies[1] || []);
  return effective(found, crowd.passes.length);
}

/** Each pass once, by a page load. */
async function renew(worker, crowd, { people, connections }, lib) {
  const requests = crowd.passes.map((pass) => ({ method: "GET", path: "/basket", headers: { ...lib.PAGE_LOAD, Cookie: pass } }));
  const found = await counted(worker, { connections, amount: people, source: lib.onceEach(requests, NAMES), expect: 200 }, lib);
  return effective(found, found.collected.filter((got) => got?.cookies[1]).length);
}

async function counted(worker, wanted, { loadOf }) {
  const before = (await worker.calls("shop")).length;
  const found = await loadOf(worker, wanted);
  return { ...found, calls: (await worker.calls("shop")).length - before };
}

/** Only what brought a new pass counts. */
function effective(found, count) {
  if (count < found.count * 0.8) throw new Error(`only ${count} of ${found.count} requests brought a pass`);
  return { ...found, rate: count / found.seconds, cpuUs: (found.cpuUs * found.count) / count, callsEach: found.calls / count };
}

function figuresOf(found, { figure, ratiosOf }) {
  const of = (name, key) => found[name].map((round) => round[key]);
  return ["claims", "renewals"].flatMap((name) => [
    figure(`${name}-per-second`, name, "/s", of(name, "rate")),
    figure(`${name}-share`, `${name} ÷ constant reply`, "×", ratiosOf(of(name, "rate"), of("constant", "rate"))),
    figure(`${name}-us`, `${name}: CPU of workerd for each`, "µs", of(name, "cpuUs")),
    figure(`${name}-calls`, `${name}: calls of the Room for each`, "", of(name, "callsEach")),
    figure(`${name}-p99`, `${name}: slowest of a hundred`, "ms", of(name, "p99Ms")),
  ]);
}
