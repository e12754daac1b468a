/**
 * A waiting line in the obvious way, to compare with: a sorted set in Redis, two scripts, and a small server on Node and hono. Our own code for a
 * design that has been published many times over; it is nobody's product. Run by the case `peer` with the port of its Redis.
 *
 * It does less than a room does: it knows no rate, signs nothing, calls nobody who does not ask, and notices nobody who has gone.
 */
import { randomUUID } from "node:crypto";
import { serve } from "@hono/node-server";
import { createClient } from "@redis/client";
import { Hono } from "hono";

/** How many may be inside; everybody else waits. */
const CAPACITY = Number(process.argv[3]);
const VISIT_S = 600;

/** A number of its own for everybody, and with it the place. */
const JOIN = `
redis.call('ZADD', KEYS[1], 'NX', redis.call('INCR', KEYS[2]), ARGV[1])
return redis.call('ZRANK', KEYS[1], ARGV[1])`;
/** In, if there is room and nobody in front but those for whom there is room too. */
const ENTER = `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[2])
local rank = redis.call('ZRANK', KEYS[1], ARGV[1])
if not rank then return redis.call('ZSCORE', KEYS[2], ARGV[1]) and 1 or 0 end
if rank >= tonumber(ARGV[4]) - redis.call('ZCARD', KEYS[2]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1`;

const redis = await createClient({ socket: { host: "127.0.0.1", port: Number(process.argv[2]) } }).connect();
const scripts = { join: await redis.scriptLoad(JOIN), enter: await redis.scriptLoad(ENTER) };
const idOf = (c) => /(?:^|; )line=([0-9a-f-]{36})/.exec(c.req.header("Cookie") ?? "")?.[1] ?? null;

const app = new Hono();
app.post("/join", async (c) => {
  const id = idOf(c) ?? randomUUID();
  const ahead = await redis.evalSha(scripts.join, { keys: ["waiting", "next"], arguments: [id] });
  c.header("Set-Cookie", `line=${id}; Path=/; HttpOnly; SameSite=Lax`);
  return c.json({ state: "waiting", ahead });
});
app.get("/status", async (c) => {
  const ahead = await redis.zRank("waiting", idOf(c) ?? "");
  return c.json(ahead === null ? { state: "inside" } : { state: "waiting", ahead });
});
app.post("/enter", async (c) => {
  const id = idOf(c) ?? "";
  const now = Math.floor(Date.now() / 1_000);
  const entered = await redis.evalSha(scripts.enter, {
    keys: ["waiting", "inside"],
    arguments: [id, String(now), String(now + VISIT_S), String(CAPACITY)],
  });
  return c.json({ state: Number(entered) === 1 ? "inside" : "waiting" });
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => process.send({ port }));
process.on("disconnect", () => process.exit());
