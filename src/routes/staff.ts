/**
 * A staff link: the page it leads to, and the button there, which asks the Room for a pass. Without a correct link nothing is asked of it.
 */
import { originOf, safeTarget } from "../core/safe-target";
import type { StaffVerdict } from "../core/staff";
import { isKey } from "../core/token";
import type { StaffClaims } from "../core/token-types";
import { staffCookie, staffPassOf } from "../gate/staff";
import { trouble } from "../gate/trouble";
import { hearOfRevokedKeys, nowS, ringOf, type Visit } from "../gate/visit";
import { pageReply, redirectReply } from "../http/replies";
import { staffPage } from "../http/staff-page";
import { newNonce, newVisitorKey } from "../keys";
import { RoomFailure } from "../room/call";
import { verifyToken } from "../token-checks";
import { bodyText } from "./body";
import { type AppContext, askingOf, notFound, roomOf, visitTo } from "./context";

const DEADLINE_MS = 3_000;
const RETRY_AFTER_S = 3;
const FORM_MAX_BYTES = 4_096;

const WORDS: Record<Extract<StaffVerdict, { as: "refused" }>["why"], string> = {
  over: "This staff link has ended or was revoked.",
  used: "This staff link has been used as often as it allows.",
  places: "All staff places are taken just now.",
};

/** GET staff: asks nothing of the Room, so that opening the link costs nobody anything. */
export async function getStaff(c: AppContext): Promise<Response> {
  const room = roomOf(c);
  if (room === null) return notFound();
  const visit = visitTo(c, room);
  const query = new URLSearchParams(visit.url.search);
  const token = query.get("token") ?? "";
  if ((await linkOf(visit, token)) === null) return badLink(visit);
  const to = safeTarget(query.get("to"), visit.url).slice(originOf(visit.url).length);
  const nonce = newNonce();
  return pageReply(staffPage(nonce, { token, key: newVisitorKey(), to }), nonce, { status: 200, noindex: true });
}

/** POST staff: a pass, and on to where the link leads. Repeating it is harmless. */
export async function postStaff(c: AppContext): Promise<Response> {
  const asking = await askingOf(c);
  if (asking instanceof Response) return asking;
  const { visit } = asking;
  const fields = new URLSearchParams((await bodyText(visit.request, FORM_MAX_BYTES)) ?? "");
  await hearOfRevokedKeys(visit);
  const link = await linkOf(visit, fields.get("token") ?? "");
  const given = fields.get("key");
  if (link === null || !isKey(given)) return badLink(visit);
  // A browser that came by this link before goes on by its pass.
  const held = await staffPassOf(visit);
  const key = held?.link === link.link && held.key !== null ? held.key : given;
  try {
    const verdict = await visit.client.call((rpc) => rpc.useStaffLink(link.link, key), { deadlineMs: DEADLINE_MS, retry: true });
    if (verdict.as === "refused") return trouble(visit.request, 403, "staff-link-refused", WORDS[verdict.why]);
    return redirectReply(safeTarget(fields.get("to"), visit.url), [await staffCookie(visit, link, key)]);
  } catch (error) {
    if (!(error instanceof RoomFailure)) throw error;
    return trouble(visit.request, 503, "room-unreachable", "The room does not answer just now.", RETRY_AFTER_S);
  }
}

/** A link as the Room gave it out, for this room, before its end; one HMAC. A pass is no link. */
async function linkOf(visit: Visit, token: string): Promise<StaffClaims | null> {
  const checked = await verifyToken(ringOf(visit), "staff", token, nowS(visit));
  return checked.as === "valid" && checked.claims.room === visit.room && checked.claims.key === null ? checked.claims : null;
}

function badLink({ request }: Visit): Response {
  return trouble(request, 403, "staff-link-refused", "This staff link does not count here: it has ended, or is not whole.");
}
