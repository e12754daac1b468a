/** What variants of the Worker share: this Worker's edge, with other batches on the way to the Room. Runs in workerd. */
import type { Batch } from "../../../src/core/exchange";
import type { RoomNamespace, RoomRpc } from "../../../src/core/room-rpc";
import type { Env } from "../../../src/env";
import worker from "../../../src/index";

const said = new WeakMap<Env, Env>();

/** The edge, whose batches are changed by `change` before they are sent. */
export function edgeSaying(change: (batch: Batch) => Batch): ExportedHandler<Env> {
  // The Worker computes its configuration once for each environment, so each has one other.
  const changed = (env: Env): Env => {
    const known = said.get(env) ?? { ...env, ROOM: through(env.ROOM, change) };
    said.set(env, known);
    return known;
  };
  return { fetch: (request, env, ctx) => worker.fetch(request, changed(env), ctx) };
}

function through(rooms: RoomNamespace, change: (batch: Batch) => Batch): RoomNamespace {
  return {
    getByName(...args) {
      const room = rooms.getByName(...args);
      return new Proxy(room, {
        get: (_, name: keyof RoomRpc) =>
          name === "exchange"
            ? (batch: Batch) => room.exchange(change(batch))
            : (...given: never[]) => (room[name] as (...all: never[]) => unknown)(...given),
      });
    },
  };
}
