/** Guards of statuses that go on (STREAM). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

export const guards = [
  ...guardsOf("src/core/following.ts", "test/core/following.test.ts", [
    [
      "follow: told within a minute",
      "STREAM-2",
      "nowMs - toldAtMs >= TELL_MAX_MS",
      "nowMs - toldAtMs >= 2 * TELL_MAX_MS",
      "[STREAM-2] without an estimate",
    ],
    ["follow: words exactly", "STREAM-2", '"phase", "message"]', '"phase"]', "[STREAM-2] after each look"],
    [
      "follow: numbers to a sixteenth",
      "STREAM-2",
      "isOff(told.ahead, status.ahead, COARSE, 0)",
      "isOff(told.ahead, status.ahead, 2 * COARSE, 0)",
      "[STREAM-2] without an estimate",
    ],
    [
      "follow: a raised rate",
      "STREAM-2",
      "told.eta?.minSeconds, status.eta?.minSeconds",
      "told.eta?.maxSeconds, told.eta?.maxSeconds",
      "[STREAM-2] everybody hears",
    ],
    ["follow: looks often", "STREAM-2", "Math.min(LOOK_MAX_MS, pollAfterMs)", "pollAfterMs", "[STREAM-2] everybody hears"],
    [
      "follow: the turn is asked for at once",
      "STREAM-3",
      "if (isCalled(status, manifest)) return end();",
      "",
      "[STREAM-3] the turn has come",
    ],
    ["follow: nobody asks in the same second", "STREAM-3", "NOW_MS + random * pollAfterMs", "NOW_MS", "[STREAM-3] the turn has come"],
    ["follow: a revoked key", "STREAM-3", " || manifest.revokedKeys.length !== following.revokedKeys", "", "[STREAM-3] the turn has come"],
    ["follow: a drawn entry", "STREAM-3", "isOther || isDrawn(status, manifest)", "isOther", "[STREAM-2] the start of an event"],
    ["follow: only a question lets in without the Room", "STREAM-3", " || look.isOpen", "", "[STREAM-3] what is no waiting"],
    [
      "follow: lives end apart",
      "STREAM-3",
      "LIFE_MS * (0.75 + following.lifeShare / 4)",
      "LIFE_MS",
      "[STREAM-3] streams that began together",
    ],
    ["follow: calls of one request", "STREAM-3", " || following.fetches >= FETCHES_MAX", "", "[STREAM-3] streams that began together"],
    ["follow: near the front they ask", "STREAM-4", "seen && !isFarFromTurn(look)", "false", "[STREAM-4] near the front"],
    ["follow: the quickest estimate", "STREAM-4", "eta.minSeconds * 1_000 >", "eta.maxSeconds * 9_000 >", "[STREAM-4] near the front"],
    [
      "follow: without an estimate it is near",
      "STREAM-4",
      "return eta !== null && eta.minSeconds",
      "return eta === null || eta.minSeconds",
      "[STREAM-4] without an estimate",
    ],
    [
      "follow: a hidden tab is late",
      "STREAM-4",
      "Math.min(absentAfterMs * SEEN_SHARE, absentAfterMs - SEEN_REST_MS)",
      "absentAfterMs * 0.9",
      "[STREAM-4] near the front",
    ],
  ]),
  ...guardsOf("src/room/open-streams.ts", "test/core/following.test.ts", [
    [
      "follow: so many at most",
      "STREAM-6",
      "if (this.#open.size >= STREAMS_MAX && !this.#open.has(place)) return false;",
      "",
      "[STREAM-6] an isolate holds",
    ],
    [
      "follow: one for each place",
      "STREAM-6",
      "if (known !== undefined && known.stream !== stream) return false;",
      "",
      "[STREAM-6] an isolate holds",
    ],
    ["follow: the gone are forgotten", "STREAM-6", "    this.#forget(now);\n", "", "[STREAM-6] an isolate holds"],
  ]),
  ...guardsOf("src/routes/follow.ts", "test/worker/follow.test.ts", [
    ["follow: the older one ends", "STREAM-6", "!openStreams.look(key, asking, Date.now())", "false", "[STREAM-6] a place has one stream"],
    ["follow: only who asks for it", "STREAM-1", "!isWanted || place", "place", "[STREAM-1] [P10] whoever waits"],
    ["follow: tokens of an app alone", "STREAM-1", "...(bearer && standing.tokens)", "...{}", "[STREAM-1] an app with a token"],
    [
      "follow: no new manifest before its time",
      "STREAM-5",
      "if (isStale) await client.manifest(life, patienceMs(now, MANIFEST_STALE_MS));",
      "await client.newManifest(life);",
      "[STREAM-5] [GATE-36] 200 streams",
    ],
  ]),
  ...guardsOf("static/wait/poller.ts", "test/e2e/page.test.ts", [
    [
      "page: looked at while it is told",
      "STREAM-7",
      "performance.now() - this.#heardAt > freshMs",
      "true",
      "[STREAM-7] [PAGE-10] is shown",
    ],
  ]),
  ...guardsOf("static/wait/ask.ts", "test/e2e/page.test.ts", [
    [
      "page: what is kept back is given up",
      "STREAM-7",
      "&& !heard) streams = false",
      "&& !heard) streams = true",
      "[STREAM-7] that something on the way",
    ],
    ["page: one tab follows", "STREAM-7", "asked(lock !== null)", "asked(true)", "[STREAM-7] [PAGE-10] is shown"],
  ]),
];
