/**
 * From nothing to the first answer: workerd is started with the built Worker and somebody who is inside loads a page, against a Worker that
 * always says the same, started in just the same way. And how much there is to load.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const ROOMS = {
  shop: { host: "*", total_active_users: 100, new_users_per_minute: 6_000, session_duration: 60, pass_refresh_seconds: 600 },
};
const KB = 1_000;

export default {
  name: "start",
  title: "a cold start: workerd and the built Worker, to the first answer",

  async run({ rounds, smoke, progress, lib }) {
    const site = await lib.startSite();
    const options = { rooms: ROOMS, origin: site.url };
    const workers = { built: await lib.startBuilt(options), constant: await lib.startPlain("constant", options) };
    try {
      const [cookie] = await lib.admit(workers.built, 1);
      const start = async (name) => {
        const worker = workers[name];
        await worker.kill9();
        const startedAt = performance.now();
        await worker.start();
        const loadedMs = worker.cpuMs();
        const reply = await fetch(worker.url, { headers: { ...lib.PAGE_LOAD, Cookie: cookie } });
        await reply.arrayBuffer();
        const answeredMs = performance.now() - startedAt;
        if (reply.status !== 200) throw new Error(`${name}: ${reply.status} instead of the page`);
        return { answeredMs, loadedMs, cpuMs: worker.cpuMs() };
      };
      // A start takes a tenth of a second and hangs on what else the computer does: more of them than rounds.
      const times = { rounds: smoke ? rounds : 4 * rounds, progress };
      const found = await lib.interleave(times, { built: () => start("built"), constant: () => start("constant") });
      return { figures: [...figuresOf(found, lib), ...(await sizes(lib))] };
    } finally {
      await Promise.all(Object.values(workers).map((worker) => worker.stop()));
      site.stop();
    }
  },
};

function figuresOf(found, { figure, ratiosOf }) {
  const of = (name, key) => found[name].map((round) => round[key]);
  const more = (key) => of("built", key).map((value, round) => value - of("constant", key)[round]);
  return [
    figure("first-answer", "start to the first page of somebody inside", "ms", of("built", "answeredMs")),
    figure("constant", "start to the first constant reply", "ms", of("constant", "answeredMs")),
    figure("ratio", "… the one ÷ the other", "×", ratiosOf(of("built", "answeredMs"), of("constant", "answeredMs"))),
    figure("load-cpu", "CPU until it listens, beyond the constant Worker's", "ms", more("loadedMs"), { note: "in steps of 10 ms" }),
    figure("cpu", "CPU until the first answer, beyond the constant Worker's", "ms", more("cpuMs"), { note: "in steps of 10 ms" }),
  ];
}

/** Of what is deployed, as wrangler builds it. */
async function sizes({ loadSource, root }) {
  const { bundle } = await loadSource(root, "test/support/bundle.ts");
  const built = readFileSync(join(await bundle(), "index.js"));
  const exact = (id, title, value, bar) => ({ id, title, unit: "KB", value, low: value, high: value, bar, note: "" });
  return [
    exact("bundle-gzip", "the Worker, gzip", gzipSync(built).length / KB, { atMost: 100 }),
    exact("bundle", "the Worker", built.length / KB, null),
  ];
}
