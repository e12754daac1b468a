/**
 * `mode = "shadow"`: the room counts and decides as ever, and holds nobody. The site gets every request at once, as with the room off; what
 * would have been done is worked out beside it, and told in a header. Decides nothing itself.
 *
 * What happens beside can cost a request nothing but a moment: whatever it says, throws or waits for, the request has been sent.
 */
import type { ShadowCounts } from "../core/edge-notes";
import { keepFromSharedCaches } from "../http/origin-headers";
import { mayCarryCookie, withHeaders } from "../origin";
import { within } from "../room/wait";
import { send } from "./admit";
import type { Shadow, Visit } from "./visit";

/** A reply of the site waits at most this long for what would have been done, ms. */
const GRACE_MS = 250;

interface Judged {
  readonly shadow: Shadow;
  readonly status: number;
  readonly setCookies: readonly string[];
}

/** @param decide the room's ordinary way with a visit: forwards nothing where the visit is in shadow */
export async function shadowVisit(visit: Visit, decide: (visit: Visit) => Promise<Response>): Promise<Response> {
  const judging = judge(visit, decide);
  const reply = await send(visit, { status: "untouched" });
  const judged = await within(judging, GRACE_MS, null);
  if (judged === null) visit.life.waitUntil(judging);
  // As the room would: its pages are nobody else's. Everything else is told of only where no shared cache could keep it.
  const response = visit.asked.navigation ? withHeaders(reply.response, keepFromSharedCaches) : reply.response;
  if (!mayCarryCookie(visit.request.method, { ...reply, response }, visit.client.settings.passRefreshMs)) return response;
  return withHeaders(response, (headers) => {
    headers.set("Vestibule-Shadow", judged === null ? "unknown" : describe(judged));
    for (const line of judged?.setCookies ?? []) headers.append("Set-Cookie", line);
  });
}

async function judge(visit: Visit, decide: (visit: Visit) => Promise<Response>): Promise<Judged | null> {
  const shadow: Shadow = { forwarded: null, told: null };
  const { method, headers, url, cf } = visit.request as Request & { readonly cf?: IncomingRequestCfProperties };
  try {
    // Without the body, which goes to the site.
    const request = new Request(url, { method, headers, ...(cf && { cf: cf as unknown as RequestInitCfProperties }) });
    const reply = await decide({ ...visit, request, shadow });
    const judged = { shadow, status: reply.status, setCookies: reply.headers.getSetCookie() };
    const outcome = outcomeOf(judged);
    if (visit.asked.navigation && outcome !== null) visit.client.report.notes.shadow(outcome);
    return judged;
  } catch (error) {
    console.error(
      JSON.stringify({ event: "shadow-failed", room: visit.room, error: error instanceof Error ? error.stack : String(error) }),
    );
    return null;
  }
}

/** null = nothing yet: a redirect that proves the cookie, a question of a script. */
function outcomeOf({ shadow: { forwarded, told }, status }: Judged): keyof ShadowCounts | null {
  if (forwarded !== null) return "entered";
  if (told === null) return status >= 400 ? "refused" : null;
  const { state, reason } = told;
  if (state === "refused" || state === "full" || state === "closed" || state === "ended" || state === "void") return "refused";
  return reason === "cookies-needed" ? null : "waited";
}

const WOULD: Record<keyof ShadowCounts, string> = { entered: "would-enter", waited: "would-wait", refused: "would-refuse" };

/** `would-wait; state=waiting; ahead=12`, words and whole numbers only. */
function describe(judged: Judged): string {
  const { forwarded, told } = judged.shadow;
  const outcome = outcomeOf(judged);
  const parts = [outcome === null ? "would-ask-for-cookie" : WOULD[outcome]];
  if (forwarded !== null) parts.push(`status=${forwarded}`);
  if (told !== null && forwarded === null) {
    parts.push(`state=${told.state}`);
    if (told.reason !== null) parts.push(`reason=${told.reason}`);
    if (told.ahead !== null) parts.push(`ahead=${told.ahead}`);
  }
  return parts.join("; ");
}
