/**
 * What it costs to hold a status open for somebody who waits: the processor for opening it and for each look at the manifest, and memory, of
 * the isolate (V8's heap and what it holds besides) and of the whole process with its connections. The looks are made ten times as often as
 * they are, and compared with a Worker whose streams do not look at all, so that what everything else costs falls out.
 */
import { request } from "node:http";
import { openInspector } from "../lib/inspector.mjs";

const STREAMS = 800;
const LOOK_S = 1;
const SECONDS = 15;
/** Nobody goes in: everybody is far back. */
const ROOMS = { shop: { host: "*", total_active_users: 1, new_users_per_minute: 0 } };
const everyMs = (ms) => ({ "src/core/following.ts": ["export const LOOK_MAX_MS = 10_000;", `export const LOOK_MAX_MS = ${ms};`] });

/** Tells at each look, which is made as often as it is. */
const TELLS = { "src/core/following.ts": ["if (nowMs - toldAtMs >= TELL_MAX_MS) return true;", "if (nowMs >= toldAtMs) return true;"] };
/** Looks in a second of a stream that looks every ten. */
const LOOKS_PER_S = 0.1;

export default {
  name: "follow",
  title: "a status that goes on, for somebody far back",

  async run({ smoke, seconds, progress, lib }) {
    const count = smoke ? 20 : STREAMS;
    const options = { rooms: ROOMS, origin: "", inspector: true };
    const workers = {
      tells: await lib.startEdited(TELLS, options),
      looks: await lib.startEdited(everyMs(LOOK_S * 1_000), options),
      idle: await lib.startEdited(everyMs(600_000), options),
    };
    const held = [];
    try {
      const found = {};
      for (const [name, worker] of Object.entries(workers)) {
        progress(`${count} streams, ${name}`);
        const inspector = await openInspector(worker.inspectorUrl());
        const usage = async () => ({ cpuMs: worker.cpuMs(), memory: worker.memory(), heap: await inspector.heapBytes() });
        // What is made once for all.
        held.push(...(await open(worker, 5, 0, lib)));
        await usage();
        const before = { ...(await usage()), cpuMs: worker.cpuMs() };
        held.push(...(await open(worker, count, 1_000, lib)));
        const opened = await usage();
        inspector.close();
        found[name] = { before, opened };
      }
      progress("the looks");
      const waitS = seconds ?? (smoke ? 2 : SECONDS);
      const from = Object.fromEntries(Object.entries(workers).map(([name, worker]) => [name, worker.cpuMs()]));
      await new Promise((resolve) => setTimeout(resolve, waitS * 1_000));
      const used = (name) => workers[name].cpuMs() - from[name];
      const lookUs = ((used("looks") - used("idle")) * 1_000) / ((count + 5) * (waitS / LOOK_S));
      const tellUs = ((used("tells") - used("idle")) * 1_000) / ((count + 5) * waitS * LOOKS_PER_S) - lookUs;
      const per = (key, scale) => Object.values(found).map(({ before, opened }) => (opened[key] - before[key]) / count / scale);
      return {
        figures: [
          lib.figure("look", "processor for one look", "µs", [lookUs]),
          lib.figure("tell", "processor for telling something", "µs", [tellUs]),
          lib.figure("open", "processor for opening one", "µs", per("cpuMs", 0.001)),
          lib.figure("heap", "the isolate's memory for each", "KB", per("heap", 1_000), { note: "V8's heap after a collection" }),
          lib.figure("resident", "the process's memory for each", "KB", per("memory", 1_000), { note: "with its connection" }),
        ],
      };
    } finally {
      for (const outgoing of held) outgoing.destroy();
      await Promise.all(Object.values(workers).map((worker) => worker.stop()));
    }
  },
};

/** Tickets as the Room would have given them: the edge answers by them alone. */
async function open(worker, count, first, { loadSource, root }) {
  const { TEST_KEYS } = await loadSource(root, "test/support/worker.ts");
  const { importKeyRing, signToken } = await loadSource(root, "src/keys.ts");
  const { ring } = await importKeyRing(TEST_KEYS);
  const { generation } = await (await fetch(new URL("/__vestibule/rooms/shop/manifest", worker.url))).json();
  const iat = Math.floor(Date.now() / 1_000) - 60;
  const held = [];
  for (let slot = first; slot < first + count; slot++) {
    const ticket = await signToken(ring, { kind: "ticket", room: "shop", generation, slot, iat, exp: iat + 80_000 });
    held.push(await openOne(worker.url, `vestibule.shop=${ticket}`));
  }
  return held;
}

function openOne(url, cookie) {
  return new Promise((resolve, reject) => {
    const headers = { Cookie: cookie, Accept: "text/event-stream, application/json" };
    const outgoing = request(new URL("/__vestibule/rooms/shop/status", url), { headers, agent: false });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      if (incoming.headers["content-type"] !== "text/event-stream") reject(new Error(`no stream: ${incoming.statusCode}`));
      incoming.on("error", () => undefined);
      incoming.on("data", () => resolve(outgoing));
    });
    outgoing.end();
  });
}
