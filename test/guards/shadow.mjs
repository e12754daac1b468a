/** Guards of rooms in shadow, and of what edges note for the operator (SHADOW, NOTES). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

export const guards = [
  ...guardsOf("src/gate/carry-out.ts", "test/worker/bypass.test.ts", [
    [
      "shadow: active again within the bound",
      "SHADOW-4",
      "  await client.manifest(life, client.settings.revokeBoundMs);\n  return client.settings.mode",
      "  return client.settings.mode",
      "[SHADOW-4] a room that is active again",
    ],
    [
      "shadow: the first request of an isolate",
      "SHADOW-4",
      '  if (visit.shadow === undefined && visit.client.settings.mode === "shadow") return shadowVisit(visit, answered);\n',
      "",
      "[SHADOW-4]",
    ],
    ["notes: browsers are no webhooks", "NOTES-1", ' && !request.headers.has("Sec-Fetch-Site")', "", "[NOTES-1] is counted by path"],
    ["notes: visitors are no webhooks", "NOTES-1", " && isNobody", "", "[NOTES-1] is counted by path"],
  ]),
  ...guardsOf("src/gate/admit.ts", "test/worker/bypass.test.ts", [
    [
      "shadow: a request is sent once",
      "SHADOW-1",
      "  if (visit.shadow !== undefined) {",
      "  if (visit.request === undefined) {",
      "[SHADOW-1] [SHADOW-2]",
    ],
  ]),
  ...guardsOf("src/gate/shadow.ts", "test/worker/bypass.test.ts", [
    [
      "shadow: nothing on what a cache could keep",
      "SHADOW-2",
      "  if (!mayCarryCookie(visit.request.method, { ...reply, response }, visit.client.settings.passRefreshMs)) return response;\n",
      "",
      "[SHADOW-2] W6",
    ],
    [
      "shadow: pages are private",
      "SHADOW-2",
      "visit.asked.navigation ? withHeaders(reply.response, keepFromSharedCaches) : reply.response;",
      "reply.response;",
      "[SHADOW-2] W6",
    ],
    ["shadow: nobody waits for the Room", "SHADOW-2", "await within(judging, GRACE_MS, null)", "await judging", "[SHADOW-3]"],
  ]),
  ...guardsOf("src/core/edge-notes.ts", "test/core/edge-notes.test.ts", [
    ["notes: bounded", "NOTES-1", "counts.length < CALLBACKS_MAX", "counts.length >= 0", "[NOTES-1] P12"],
    [
      "notes: what comes often stays",
      "NOTES-1",
      "each.count < (counts[least]?.count ?? 0)",
      "each.count > (counts[least]?.count ?? 0)",
      "[NOTES-1] P12",
    ],
    ["notes: what other edges say is bounded", "NOTES-1", ".slice(0, CALLBACKS_MAX) };", " };", "[NOTES-1] the Room keeps"],
  ]),
];
