/**
 * A room of the crowd's own, in a process of its own (crowd-room.mjs): there it may have the Node that it needs, and Ctrl-C, which
 * a terminal sends to everybody, does not end it before the crowd has been judged.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { environment, node22, root } from "../setup.mjs";

export const OWN_ROOM = "crowd";
export const OWN_PAGES = ["/", "/products/lantern", "/basket", "/products/kettle"];

/** Small, with sessions of seconds, so that 300 visitors are through in a minute and a half. */
export const OWN_SETTINGS = {
  host: "*",
  total_active_users: 40,
  new_users_per_minute: 240,
  session_duration: 0.05,
  session_max_minutes: 1,
  pass_refresh_seconds: 1,
  poll_near_seconds: 1,
  reserve_seconds: 5,
  revoke_bound_seconds: 3,
  trusted_networks: ["127.0.0.0/8", "::1"],
  title: "Crowd",
};

/**
 * For a comparison with hostile requests beside the crowd: places enough, or robots that go in and stay would show the room's size rather
 * than its line. Only intruders say that they come from elsewhere, and so only they are counted (crowd-hostile.mjs).
 */
export const HOSTILE_SETTINGS = { ...OWN_SETTINGS, total_active_users: 120, join_limit_per_minute: 2, over_limit: "refuse" };

/**
 * Resolves with `{ target: URL, adminToken, stop }`, or null when `signal` aborted before it was up.
 * Rejects when it does not start; what it says goes to this process's stderr.
 */
export async function startOwnRoom(signal, settings = OWN_SETTINGS) {
  const child = spawn(node22(), ["scripts/lib/crowd-room.mjs", JSON.stringify(settings)], {
    cwd: root,
    env: environment(),
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  // It stops when its input ends, also when this process is killed.
  const end = () => child.stdin.end();
  child.stdin.on("error", () => undefined);
  signal.addEventListener("abort", end);
  const closed = once(child, "close");
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([once(lines, "line"), closed.then(() => [null])]);
  signal.removeEventListener("abort", end);
  const stop = async () => {
    end();
    await closed;
  };
  if (signal.aborted) {
    await stop();
    return null;
  }
  if (typeof line !== "string") throw new Error("The room did not start.");
  const { url, adminToken } = JSON.parse(line);
  return { target: new URL(url), adminToken, stop };
}
