/**
 * This Worker with a Room that counts its calls and can be killed alone, while the edges live on. Runs in workerd.
 * `GET /__test/calls`: when each exchange came, ms. `GET /__test/die`: resets the Room's object in the middle of whatever it does.
 * `POST /__test/exchange`: one batch of an edge that runs elsewhere.
 */
import type { Batch, Reply } from "../../../src/core/exchange";
import type { Env } from "../../../src/env";
import worker, { Room as Today } from "../../../src/index";

interface Watched {
  exchange(batch: Batch): Promise<Reply>;
  callsSeen(): Promise<number[]>;
  die(): Promise<void>;
}

/** The newest counts. */
const CALLS_MAX = 100_000;

export class Room extends Today implements Watched {
  readonly #calls: number[] = [];

  override async exchange(batch: Batch): Promise<Reply> {
    if (this.#calls.push(Date.now()) > CALLS_MAX) this.#calls.shift();
    return super.exchange(batch);
  }

  async callsSeen(): Promise<number[]> {
    return this.#calls;
  }

  async die(): Promise<void> {
    this.ctx.abort("killed by the test");
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/__test/")) return worker.fetch(request, env, ctx);
    const room = env.ROOM.getByName(searchParams.get("room") ?? "") as unknown as Watched;
    if (pathname === "/__test/calls") return Response.json(await room.callsSeen());
    if (pathname === "/__test/exchange") return Response.json(await room.exchange((await request.json()) as Batch));
    await room.die().catch(() => undefined);
    return new Response("dead");
  },
} satisfies ExportedHandler<Env>;
