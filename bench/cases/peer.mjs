/**
 * A Redis-backed line of our own (bench/peers/redis-line.mjs) doing the same as a room in the same run: join, ask, enter. Redis appends every
 * change to its file before it answers, so that a place survives the end of its process, as ours does.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PEOPLE = 4_096;
const CONNECTIONS = 64;
const CAPACITY = 1_000_000;
const ROOM = { total_active_users: 1_000_000, new_users_per_minute: 600_000, session_duration: 60, pass_refresh_seconds: 600 };
const ROOMS = { shop: { host: "*", ...ROOM } };
const NO_REDIS = "no redis-server on this computer (apt install redis-server)";

export default {
  name: "peer",
  title: "the same line in Redis behind Node, our own code for a published design",

  async needs() {
    return spawnSync("redis-server", ["--version"]).status === 0 ? null : NO_REDIS;
  },

  async run({ rounds, smoke, progress, lib }) {
    const shape = { people: smoke ? 64 : PEOPLE, connections: smoke ? 4 : CONNECTIONS };
    const line = await lib.startBuilt({ rooms: ROOMS, origin: "" });
    const peer = await startPeer(lib);
    try {
      const found = await lib.interleave(
        { rounds, progress, warm: !smoke },
        { line: () => throughLine(line, shape, lib), peer: () => throughPeer(peer, shape, lib) },
      );
      return { figures: figuresOf(found, lib) };
    } finally {
      await line.stop();
      await peer.stop();
    }
  },
};

/** A crowd joins a paused room, asks once each, and goes in when the room goes on. */
async function throughLine(worker, { people, connections }, lib) {
  const { BY_SCRIPT, loadOf, newcomers, onceEach, operate } = lib;
  const load = (wanted) => loadOf(worker, { connections, amount: people, expect: 200, ...wanted });
  const asks = (method, what, tickets) =>
    tickets.map((ticket) => ({ method, path: `/__vestibule/rooms/shop/${what}`, headers: { ...BY_SCRIPT, Cookie: ticket } }));
  await operate(worker, "shop", "POST", "pause");
  const join = await load({ source: await newcomers("shop") });
  const tickets = join.collected.places.map(({ ticket }) => ticket);
  const poll = await load({ requests: asks("GET", "status", tickets) });
  await operate(worker, "shop", "POST", "resume");
  while ((await operate(worker, "shop", "GET", "stats")).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  const enter = await load({ source: onceEach(asks("POST", "claim", tickets), ["vestibule-pass.shop"]) });
  needAll(enter.collected.filter((got) => got?.cookies[0]).length, tickets.length);
  return { join, poll, enter };
}

async function throughPeer(peer, { people, connections }, lib) {
  const load = (wanted) => lib.loadOf(peer, { connections, amount: people, expect: 200, ...wanted });
  const asks = (method, path, cookies) => cookies.map((Cookie) => ({ method, path, headers: { ...lib.BY_SCRIPT, Cookie } }));
  const join = await load({ source: lib.onceEach(asks("POST", "/join", Array(people).fill("")), ["line"]) });
  const cookies = join.collected.map((got) => got?.cookies[0]).filter(Boolean);
  const poll = await load({ requests: asks("GET", "/status", cookies) });
  const enter = await load({ source: lib.onceEach(asks("POST", "/enter", cookies)) });
  needAll(enter.collected.filter((got) => got?.body.includes("inside")).length, cookies.length);
  return { join, poll, enter };
}

function needAll(entered, of) {
  if (entered < of * 0.95) throw new Error(`only ${entered} of ${of} people went in`);
}

async function startPeer({ loadSource, root, startServer }) {
  const { usedCpuMs } = await loadSource(root, "test/support/process-usage.ts");
  const dir = mkdtempSync(join(tmpdir(), "vestibule-bench-redis-"));
  const port = await freePort();
  const options = ["--port", port, "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "yes", "--appendfsync", "everysec"];
  const redis = spawn("redis-server", options.map(String), { stdio: "ignore" });
  // Redis may need a moment: the server's client tries again by itself.
  const app = await startServer(join(root, "bench/peers/redis-line.mjs"), [String(port), String(CAPACITY)]);
  return {
    url: app.url,
    cpuMs: () => app.cpuMs() + usedCpuMs(redis.pid),
    async stop() {
      app.stop();
      const gone = once(redis, "exit");
      redis.kill();
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function figuresOf(found, { figure, ratiosOf }) {
  const of = (side, step, key) => found[side].map((round) => round[step][key]);
  const words = { join: "joins", poll: "questions", enter: "entries" };
  return Object.entries(words).flatMap(([step, word]) => [
    figure(`${step}-rate`, `${word}: ours ÷ the peer's`, "×", ratiosOf(of("line", step, "rate"), of("peer", step, "rate"))),
    figure(`${step}-cpu`, "… by CPU for each (the peer's ÷ ours)", "×", ratiosOf(of("peer", step, "cpuUs"), of("line", step, "cpuUs"))),
    figure(`${step}-line`, `ours: ${word}`, "/s", of("line", step, "rate")),
    figure(`${step}-peer`, `the peer: ${word}`, "/s", of("peer", step, "rate")),
  ]);
}
