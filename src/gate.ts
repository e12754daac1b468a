/**
 * The gate: what every request meets first (DESIGN §5), before any router. Order: method, configuration, canonical URL, host,
 * our own endpoints, room. Nothing here forwards by default, and an exception lets nobody in.
 */
import { answerOwn } from "./app";
import { clientOf } from "./clients";
import { canonicalUrl } from "./core/canonical-url";
import { lookUp } from "./core/room-table";
import { isReserved } from "./core/safe-target";
import { configOf, type Env } from "./env";
import { answerVisit } from "./gate/carry-out";
import { trouble } from "./gate/trouble";
import { visitOf } from "./gate/visit";
import { methodClass } from "./http/navigation";
import { problem } from "./http/replies";
import { forward } from "./origin";

const RETRY_AFTER_S = 5;
/** Environments whose problems were logged: once each is enough. */
const complained = new WeakSet<Env>();

/** Answers any request to the Worker; never throws. */
export async function handle(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  try {
    return await gate(request, env, ctx);
  } catch (error) {
    console.error(JSON.stringify({ event: "gate-failed", error: error instanceof Error ? (error.stack ?? error.message) : String(error) }));
    return trouble(request, 503, "unavailable", "The waiting room has a fault just now.", RETRY_AFTER_S);
  }
}

async function gate(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  if (methodClass(request.method) === "refused") {
    const headers = new Headers({ Allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" });
    return problem(405, "method-not-allowed", "This method is not served here.", { headers });
  }
  const result = await configOf(env);
  if (!result.ok) {
    if (!complained.has(env)) console.error(JSON.stringify({ event: "misconfigured", problems: result.problems }));
    complained.add(env);
    return trouble(request, 503, "misconfigured", "The waiting room is not set up correctly.", RETRY_AFTER_S);
  }
  const { config } = result;
  const url = canonicalUrl(request.url);
  if (url === null) return trouble(request, 400, "bad-url", "This address cannot be read.");
  const found = lookUp(config.table, url);
  if (found.as === "unknown-host") return trouble(request, 421, "unknown-host", "This host is not served here.");
  if (isReserved(url.path) && !config.passHosts.includes(url.host)) return answerOwn(request, { url, config, env }, ctx);
  switch (found.as) {
    case "disputed":
      return trouble(request, 400, "ambiguous-path", "This address can be read in more than one way.");
    case "untouched":
      return (await forward(request, url, { origin: config.origin }, { room: null, status: "untouched" })).response;
    case "room":
      return answerVisit(visitOf({ request, url, config, room: found.room, client: clientOf(env, config, found.room), life: ctx }));
  }
}
