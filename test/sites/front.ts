/** A room before an application: with ORIGIN, and as on a zone route. Every host, so many places that nobody waits unless told otherwise. */
import { startWorker, type TestWorker } from "../support/worker";
import type { App } from "./apps";

export type Mode = "ORIGIN" | "zone route";
export const modes: readonly Mode[] = ["ORIGIN", "zone route"];

export const ROOM = "site";

export function startFront(
  app: Pick<App, "url" | "port">,
  mode: Mode,
  settings: Readonly<Record<string, unknown>> = {},
  https = false,
): Promise<TestWorker> {
  const room = { host: "*", total_active_users: 1_000, new_users_per_minute: 60_000, pass_refresh_seconds: 180, ...settings };
  return startWorker({ rooms: { [ROOM]: room }, https, ...(mode === "ORIGIN" ? { origin: app.url } : { zone: `127.0.0.1:${app.port}` }) });
}
