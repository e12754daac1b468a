/**
 * `npm run doctor`, second half: what a deployed address answers. Pure: facts in, findings out (doctor-findings.mjs).
 * Where a question was not asked, its reply is absent.
 */
import { isOwnPath } from "./doctor-reply.mjs";
import { judgeClock, judgeCookies, judgeHtml, judgeKeys, judgeLive } from "./doctor-visit.mjs";
import {
  barrierOf,
  judgeCaching,
  judgeElsewhere,
  judgeFlicker,
  judgeHealth,
  judgeNetwork,
  judgePage,
  judgePlain,
  judgeRoomThere,
  judgeSpelling,
} from "./doctor-way.mjs";

/**
 * @param facts.url what was asked about
 * @param facts.room `{ name, isSure }`: the room that the file has for it, and whether the page must show a sign of it; null = none
 * @param facts.replies by name: health (2), page, check, blank, status (2), manifest, plain (http), spellings, admin
 * @param facts.ring `{ signingKid, kids, where }` of a file with the secrets; null = not given
 * @param facts.fileSettings effective settings of the room by the file
 * @param facts.namedHosts hosts that the file's rooms name
 */
export function judgeReplies(facts) {
  const { replies } = facts;
  const asked = [...(replies.health ?? []), replies.page, replies.check, replies.blank, ...(replies.status ?? []), replies.manifest].filter(
    Boolean,
  );
  const barriers = asked.flatMap(barrierOf);
  const down = barriers.length > 0 ? null : judgeHealth(facts);
  return unique([
    ...barriers,
    ...(down ?? []),
    ...judgeRoomThere(facts),
    ...judgeFlicker(asked.filter(isOwnPath)),
    ...[...(replies.health ?? []), replies.page].filter(Boolean).flatMap(judgeElsewhere(facts)),
    ...asked.filter(isOwnPath).flatMap((reply) => judgeCaching(reply, reply === replies.manifest)),
    ...(replies.page ? judgePage(facts) : []),
    ...judgeCookies(facts),
    ...judgeHtml(replies.blank),
    ...(replies.spellings ?? []).flatMap(judgeSpelling),
    ...judgePlain(facts),
    ...judgeClock(facts),
    ...judgeKeys(facts),
    ...judgeLive(facts),
    ...judgeNetwork(facts),
  ]);
}

/** The same thing said of two replies is said once. */
function unique(findings) {
  return [...new Map(findings.map((each) => [each.id + each.what, each])).values()];
}
