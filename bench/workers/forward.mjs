/** The least that a gate can do: every request goes on to ORIGIN as it came, every reply comes back as it is. */
import { DurableObject } from "cloudflare:workers";

/** Bound as in the built Worker, and never called. */
export class Room extends DurableObject {}

export default {
  fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(`${env.ORIGIN}${pathname}${search}`, request));
  },
};
