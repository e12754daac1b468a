/**
 * `GET metrics`: the numbers of every room for Prometheus. A Room that does not answer is shown with the last numbers that this isolate knows,
 * and said to be away: a scrape never fails because of one Room.
 */
import { clientOf } from "../clients";
import { METRICS_TYPE, metricsText, type RoomReading } from "../core/metrics";
import type { Stats } from "../core/stats";
import type { Config } from "../env";
import { textReply } from "../http/replies";
import { RoomFailure } from "../room/call";
import type { AppContext } from "./context";

/** Scrapers wait ten seconds by default. */
const DEADLINE_MS = 2_000;

interface Known {
  readonly stats: Stats;
  readonly atMs: number;
}

/** The last answers, for as long as the configuration lives. */
const known = new WeakMap<Config, Map<string, Known>>();

export async function getMetrics(c: AppContext): Promise<Response> {
  const { config } = c.env;
  const last = known.get(config) ?? new Map<string, Known>();
  known.set(config, last);
  const readings = await Promise.all([...config.rooms.keys()].map((room) => readingOf(c, room, last)));
  return textReply(metricsText(readings), METRICS_TYPE);
}

async function readingOf(c: AppContext, room: string, last: Map<string, Known>): Promise<RoomReading> {
  try {
    const client = clientOf(c.env.env, c.env.config, room);
    const result = await client.call((rpc) => rpc.stats(), { deadlineMs: DEADLINE_MS, retry: true });
    if (result.as === "ok") {
      last.set(room, { stats: result.value, atMs: Date.now() });
      return { room, stats: result.value, ageMs: 0, isUp: true };
    }
  } catch (error) {
    if (!(error instanceof RoomFailure)) throw error;
  }
  const before = last.get(room);
  return { room, stats: before?.stats ?? null, ageMs: before === undefined ? 0 : Date.now() - before.atMs, isUp: false };
}
