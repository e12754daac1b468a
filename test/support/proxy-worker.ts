/**
 * A Worker that only forwards, for tests of `src/origin.ts` in workerd: no gate, no Room. What it does is fixed by its binding CONFIG.
 * Adds `X-Test-Outcome`, and a cookie where one of ours might ride.
 */
import { canonicalUrl } from "../../src/core/canonical-url";
import { type Forwarding, forward, mayCarryCookie, withHeaders } from "../../src/origin";

export interface ProxyConfig {
  readonly origin?: string;
  readonly headersTimeoutMs?: number;
  readonly how: Forwarding;
}

export default {
  async fetch(request: Request, env: { readonly CONFIG: ProxyConfig }): Promise<Response> {
    const url = canonicalUrl(request.url);
    if (url === null) return new Response("no such URL", { status: 400 });
    const { origin, how, ...limits } = env.CONFIG;
    const reply = await forward(request, url, { origin: origin === undefined ? null : new URL(origin), ...limits }, how);
    return withHeaders(reply.response, (headers) => {
      headers.set("X-Test-Outcome", reply.outcome);
      if (mayCarryCookie(request.method, reply, 60_000)) headers.append("Set-Cookie", "ours=1");
    });
  },
};
