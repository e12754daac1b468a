/**
 * This Worker with a switch between edge and Room, for `npm run drill` and its test. Runs in workerd.
 * `POST /__test/fault?room=NAME&fault=down|slow|overloaded`: from now on calls to that Room fail so; without `fault` they do not.
 */
import type { RoomNamespace, RoomRpc } from "../../../src/core/room-rpc";
import type { Env } from "../../../src/env";
import worker from "../../../src/index";

export { Room } from "../../../src/index";

/** Later than any call to the Room waits, ms. */
const SLOW_MS = 6_000;

const faults = new Map<string, string>();

/** As the runtime would fail. */
async function hinder(room: string): Promise<void> {
  switch (faults.get(room)) {
    case "down":
      throw Object.assign(new Error("Network connection lost."), { retryable: true });
    case "overloaded":
      throw Object.assign(new Error("Durable Object is overloaded. Requests queued for too long."), { overloaded: true });
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  }
}

function switched(rooms: RoomNamespace): RoomNamespace {
  return {
    getByName(name, options) {
      const room = rooms.getByName(name, options);
      const call = async (method: keyof RoomRpc, given: never[]) => {
        await hinder(name);
        return (room[method] as (...all: never[]) => unknown)(...given);
      };
      return new Proxy(room, {
        get:
          (_, method: keyof RoomRpc) =>
          (...given: never[]) =>
            call(method, given),
      });
    },
  };
}

/** The Worker computes its configuration once for each environment, so each has one other. */
const environments = new WeakMap<Env, Env>();

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__test/fault") {
      faults.set(searchParams.get("room") ?? "", searchParams.get("fault") ?? "");
      return new Response("ok");
    }
    const used = environments.get(env) ?? { ...env, ROOM: switched(env.ROOM) };
    environments.set(env, used);
    return worker.fetch(request, used, ctx);
  },
} satisfies ExportedHandler<Env>;
