/** A small room under a crowd that writes a history (history-crowd.ts), the site behind it, and the facts to judge by. Node only. */
import type { Stats } from "../../src/core/stats";
import type { Facts } from "./history-check";
import { SITE_MARK } from "./history-crowd";
import { send } from "./http";
import { type Origin, startOrigin } from "./origin";
import { TEST_ADMIN_TOKEN } from "./worker";

export const CROWD_ROOM = {
  host: "*",
  total_active_users: 12,
  new_users_per_minute: 1_200,
  // 15 s, so that those who fall silent do not fill the room for good.
  session_duration: 0.25,
  // Every page view a second after the last renews the pass.
  pass_refresh_seconds: 1,
  reserve_seconds: 5,
  poll_near_seconds: 1,
  revoke_bound_seconds: 3,
  join_limit_per_minute: 0,
} as const;

/**
 * @param staleMs how old the news may be that an edge tells: as old as a manifest gets while the Room answers, and a request takes
 */
export function factsOf(issued: number, outages: Facts["outages"] = [], staleMs = 5_000): Facts {
  return {
    issued,
    totalActiveUsers: CROWD_ROOM.total_active_users,
    newUsersPerMinute: CROWD_ROOM.new_users_per_minute,
    revokeBoundMs: CROWD_ROOM.revoke_bound_seconds * 1_000,
    passRefreshMs: CROWD_ROOM.pass_refresh_seconds * 1_000,
    staleMs,
    outages,
  };
}

/** A site whose answers are known as its own. */
export function startCrowdSite(): Promise<Origin> {
  return startOrigin((_, response) => response.setHeader(SITE_MARK, "1").setHeader("Content-Type", "text/html").end("site"));
}

/** The Room's own numbers, of the room `demo`. */
export async function statsOf({ url }: { readonly url: URL | string }): Promise<Stats> {
  const path = "/__vestibule/admin/api/rooms/demo/stats";
  const response = await send(new URL(path, url), { headers: { Authorization: `Bearer ${TEST_ADMIN_TOKEN}` } });
  if (response.status !== 200) throw new Error(`the Room does not tell its numbers: ${response.status} ${await response.text()}`);
  return (await response.json()) as Stats;
}
