/** The least that a Worker can do: the same reply to everything. What the others are measured by. */
import { DurableObject } from "cloudflare:workers";

/** Bound as in the built Worker, and never called. */
export class Room extends DurableObject {}

export default {
  fetch: () => new Response("ok\n", { headers: { "Content-Type": "text/plain;charset=utf-8", "Cache-Control": "private, no-store" } }),
};
