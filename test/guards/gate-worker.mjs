/**
 * Guards of the gate's shell, of our endpoints, of the admin API and of the proxy (GATE, ADMIN, PROXY). They run against the
 * built Worker, which each of them builds anew.
 */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const gate = "test/worker/gate.test.ts";
const lobby = "test/worker/lobby-gate.test.ts";
const routes = "test/worker/routes.test.ts";
const admin = "test/worker/admin.test.ts";
const client = "test/worker/client.test.ts";
const proxy = "test/worker/proxy.test.ts";

export const guards = [
  ...guardsOf("src/routes/draws.ts", lobby, [
    [
      "calendar: the turn of somebody who waits",
      "GATE-51",
      "startsAt: now + eta.minSeconds * 1_000",
      "startsAt: now",
      "[GATE-51] the calendar file of somebody in line",
    ],
  ]),
  ...guardsOf("src/routes/visitor.ts", routes, [
    [
      "apps: everybody who begins gets a token of their own",
      "APP-1",
      "visitorToken(visit, newVisitorKey())",
      'visitorToken(visit, "A".repeat(22))',
      "[APP-1] C19 W4 an app without cookies",
    ],
  ]),
  ...guardsOf("src/http/replies.ts", "test/core/problems.test.ts", [
    [
      "refusals: no passing one without Retry-After",
      "APP-3",
      "const init = PASSING.has(status) ? { retryAfterS: RETRY_AFTER_S, ...given } : given;",
      "const init = given;",
      "[APP-3] no refusal that time alone ends",
    ],
  ]),
  ...guardsOf("src/gate.ts", gate, [
    [
      "gate: methods that no site needs",
      "GATE-1",
      'if (methodClass(request.method) === "refused") {',
      'if (methodClass(request.method) === "") {',
      "[GATE-1] G7 TRACE, TRACK, CONNECT and PURGE are refused",
    ],
    [
      "gate: hosts that nobody named",
      "GATE-2",
      'if (found.as === "unknown-host") return trouble(request, 421, "unknown-host", "This host is not served here.");',
      'if (found.as === "unknown-host") return (await forward(request, url, { origin: config.origin }, { room: null, status: "untouched" })).response;',
      "[GATE-2] G5 a host that nobody named is refused",
    ],
    [
      "gate: our own prefix is never proxied",
      "GATE-3",
      "if (isReserved(url.path) && !config.passHosts.includes(url.host)) return",
      'if (url.path === "" && !config.passHosts.includes(url.host)) return',
      "[GATE-3] our own prefix is never proxied",
    ],
  ]),
  ...guardsOf("src/gate.ts", client, [
    [
      "gate: a wrong configuration serves nothing",
      "GATE-3",
      'return trouble(request, 503, "misconfigured", "The waiting room is not set up correctly.", RETRY_AFTER_S);',
      'return new Response("open");',
      "everything is 503, the log names the setting, no reply does",
    ],
    [
      "gate: a fault of ours lets nobody in",
      "GATE-4",
      'return trouble(request, 503, "unavailable", "The waiting room has a fault just now.", RETRY_AFTER_S);',
      'return new Response("open");',
      "[GATE-4] G12 lets nobody in who has no good pass",
    ],
  ]),
  ...guardsOf("src/gate/carry-out.ts", gate, [
    [
      "unproven: only with a leased unit",
      "GATE-13",
      "if (await visit.client.unproven(networkOf(visit).prefix, visit.life, restOf(visit, JOIN_WAIT_MS)))",
      "if (networkOf(visit).network >= 0)",
      "[GATE-13] more of one network than its share, and more than the lease",
    ],
    [
      "pages: a cross-site form gets no cookie",
      "GATE-16",
      "return pageAnswer(visit, joiningStatus(toldOf(visit)));",
      "return pageAnswer(visit, joiningStatus(toldOf(visit)), { setCookies: [await visitorCookie(visit)] });",
      "[GATE-16] T5 C45 from another site, without a pass",
    ],
  ]),
  ...guardsOf("src/gate/inside.ts", gate, [
    [
      "inside: a void pass shows nothing of the site",
      "GATE-8",
      'if (refusal !== null && visit.asked.method !== "write" && reply.response.status !== 101) {',
      'if (refusal !== null && visit.asked.method === "") {',
      "[GATE-8] a void pass found beside a page load shows nothing of the site",
    ],
    [
      "inside: what a POST did is told",
      "GATE-8",
      'refusal !== null && visit.asked.method !== "write" && reply',
      "refusal !== null && reply",
      "[GATE-8] a void pass found beside a page load shows nothing of the site",
    ],
    [
      "inside: a refused old pass reaches nothing",
      "GATE-6",
      "    if (refusal !== null) return refuse(visit, identity, pass, refusal);\n",
      "",
      "[GATE-6] with a pass older than twice the refresh time the renewal comes first",
    ],
  ]),
  ...guardsOf("src/gate/admit.ts", gate, [
    [
      "entry: its reply is kept from shared caches",
      "GATE-11",
      '    if (how === "must") keepFromSharedCaches(headers);\n',
      "",
      "[GATE-11] data that a shared cache could keep is kept from it for the entry's sake",
    ],
    [
      "renewal: no cookie on what a shared cache could keep",
      "GATE-6",
      'if (lines.length === 0 || (how === "may" && !mayCarryCookie(visit.request.method, reply, visit.client.settings.passRefreshMs)))\n    return response;',
      "if (lines.length === 0) return response;",
      "[GATE-6] T4 W6 no cookie rides on a reply that a shared cache could keep",
    ],
  ]),
  ...guardsOf("src/gate/answer.ts", gate, [
    [
      "answers: a crawler is told to come back",
      "GATE-15",
      "if (isTrouble(reason) || asked.crawler) return 503;",
      "if (isTrouble(reason)) return 503;",
      "[GATE-15] G8 a crawler is told to come back",
    ],
  ]),
  ...guardsOf("src/gate/entry.ts", gate, [
    [
      "tickets: set again only past half of their life",
      "GATE-20",
      "if (own === null || !isPastHalf(own.exp, nowS(visit), visit.client.settings)) return null;",
      "if (own === null || own.exp > 0) return null;",
      "[GATE-20] C74 a ticket past half of its life is set again",
    ],
  ]),
  ...guardsOf("src/gate/entry.ts", lobby, [
    [
      "entries: an open draw is not asked for",
      "GATE-48",
      '  if (manifest.lobby?.draw === entry.draw || manifest.window?.draw === entry.draw) return "pending";\n',
      "",
      "[GATE-48] who holds an entry is answered from the manifest",
    ],
  ]),
  ...guardsOf("src/gate/visit.ts", lobby, [
    [
      "tickets: keep their receipt",
      "GATE-48",
      "    ...(receipt && { receipt }),\n    ...(bound",
      "    ...(bound",
      "[GATE-48] the receipt stays when the ticket is renewed",
    ],
  ]),
  ...guardsOf("src/room/draw-book.ts", lobby, [
    [
      "draws: calls keep to a budget",
      "GATE-50",
      '    if (!this.#budgets[by].take(now)) return "unknown";\n',
      "",
      "[GATE-50] however often and whatever is asked",
    ],
  ]),
  ...guardsOf("src/room/draw-book.ts", "test/core/draw-list.test.ts", [
    [
      "lists: have a budget of their own",
      "GATE-50",
      'this.#call(now, "list"',
      'this.#call(now, "public"',
      "[GATE-50] [P12] costs the Room",
    ],
    ["lists: one colo asks once", "GATE-50", "store.put(page)", "Promise.resolve()", "[GATE-50] is asked of the Room once"],
    [
      "lists: of this very draw",
      "GATE-50",
      "${draw.entriesHash}/${from}",
      "${draw.id}/${from}",
      "[GATE-50] another draw of the same number",
    ],
  ]),
  ...guardsOf("src/routes/context.ts", routes, [
    [
      "apps: no browser begins by Idempotency-Key alone",
      "APP-1",
      '!["Cookie", "Origin", "Sec-Fetch-Site"].some((name) => headers.has(name))',
      "headers !== null",
      "[APP-1] [GATE-43] W4 S13 the key opens nothing",
    ],
    [
      "apps: by Idempotency-Key alone nothing is done but joining",
      "APP-1",
      'if (begins === "may-begin" && isBare)',
      "if (isBare)",
      "[APP-1] [GATE-43] W4 S13 the key opens nothing",
    ],
    [
      "endpoints: another site may cause nothing",
      "GATE-43",
      'if (visit.asked.method === "write" && !isTrusted && isCrossSite(headers, originOf(visit.url))) {',
      'if (visit.asked.method === "" && !isTrusted && isCrossSite(headers, originOf(visit.url))) {',
      "[GATE-43] W4 S13 another site may cause nothing",
    ],
    [
      "endpoints: a bad bearer token opens nothing",
      "GATE-43",
      "if (identity === null || (identity.pass ?? identity.ticket ?? identity.entry ?? identity.visitor ?? identity.old ?? null) === null) {",
      "if (identity === null) {",
      "[GATE-43] with a bearer token cookies do not count",
    ],
    [
      "endpoints: a room answers under its own hosts",
      "GATE-44",
      'return routes.some(({ host }) => host === "*" || host === url.host) ? room : null;',
      'return routes.some(({ host }) => host !== "" || host === url.host) ? room : null;',
      "[GATE-44] W7 a room answers under its own hosts only",
    ],
  ]),
  ...guardsOf("src/routes/public.ts", routes, [
    [
      "check: no second redirect without a cookie",
      "GATE-45",
      "if ((pass ?? ticket ?? entry ?? visitor ?? old ?? null) !== null) return redirectReply(target);",
      'if ((pass ?? ticket ?? entry ?? visitor ?? old ?? null) !== null || target !== "") return redirectReply(target);',
      "[GATE-45] W1 T1 with any cookie of ours back to the target",
    ],
  ]),
  ...guardsOf("src/routes/visitor.ts", routes, [
    [
      "tokens: a browser's scripts see none",
      "GATE-42",
      "const shown = bearer ? tokens : {};",
      "const shown = tokens;",
      "[GATE-42] claim sets the pass; an app by bearer gets it in the JSON",
    ],
    [
      "leave: a place that the Room kept keeps its cookies",
      "GATE-42",
      'if (outcome.as !== "answered") return only(waitingStatus(told, slot, troubleOf(outcome) ?? "room-unreachable"));',
      'if (outcome.as !== "answered") return { ...only(endedStatus(told, slot, "left")), setCookies: gone };',
      "[GATE-42] a leave that the Room refuses or never hears of keeps the cookies",
    ],
  ]),
  ...guardsOf("src/routes/admin-who.ts", admin, [
    [
      "admin: the token is compared",
      "ADMIN-1",
      "if (token !== undefined && (await sameSecret(config.adminToken, token)))",
      "if (token !== undefined)",
      "[ADMIN-1] W13 C67 nobody without the token",
    ],
    [
      "admin: pages of other sites may not",
      "ADMIN-2",
      'if ((origin !== undefined && origin !== originOf(url)) || (site !== undefined && site !== "same-origin" && site !== "none")) {',
      'if (origin === "" && site === originOf(url)) {',
      "[ADMIN-2] W4 pages of other sites may not, even with the token",
    ],
  ]),
  ...guardsOf("src/routes/admin-access.ts", admin, [
    [
      "admin: bodies say that they are JSON",
      "ADMIN-3",
      'if (text !== "" && !/^application\\/(?:[\\w.-]+\\+)?json\\s*(?:;|$)/i.test(type)) {',
      'if (type === "none") {',
      "[ADMIN-3] W9 W11 refuses a form",
    ],
    [
      "admin: bodies are not deep",
      "ADMIN-3",
      " || Array.isArray(parsed) || depthOf(parsed) > DEPTH_MAX) {",
      " || Array.isArray(parsed)) {",
      "[ADMIN-3] W9 W11 refuses 17 levels",
    ],
    ["admin: no prototype is hidden in a body", "ADMIN-3", ', "__proto__"];', "];", "[ADMIN-3] W9 W11 refuses a prototype"],
  ]),
  ...guardsOf("src/routes/body.ts", admin, [
    [
      "admin: bodies are bounded",
      "ADMIN-3",
      "    if (size > maxBytes) {\n",
      "    if (size > maxBytes * 1_000_000) {\n",
      "[ADMIN-3] W9 W11 refuses 64 KB and one",
    ],
  ]),
  ...guardsOf("src/routes/admin-room.ts", admin, [
    [
      "admin: a lost change is not repeated",
      "ADMIN-7",
      'const result = await client.call(call, { deadlineMs: DEADLINE_MS, retry: c.req.header("Idempotency-Key") !== undefined });',
      "const result = await client.call(call, { deadlineMs: DEADLINE_MS, retry: true });",
      "[ADMIN-7] what may be repeated is",
    ],
    [
      "admin: PUT needs a condition",
      "ADMIN-4",
      'if (condition === "missing" && needed !== null) {',
      'if (condition === "never" && needed !== null) {',
      "[ADMIN-4] PUT needs a condition, and replaces",
    ],
    [
      "admin: a condition that is none of ours never holds",
      "ADMIN-4",
      'if (condition === "never") return problem(412, "conflict", "If-Match names no revision of this room.");',
      "",
      "[ADMIN-4] W15 a conflict is 412 and tells the revision",
    ],
  ]),
  ...guardsOf("src/http/origin-headers.ts", proxy, [
    [
      "to the site: none of our headers but ours",
      "PROXY-1",
      '    return role === "hop-by-hop" || role === "own";',
      '    return role === "hop-by-hop";',
      "[PROXY-1] G11 C94 our cookies and headers stay with us, all others go through",
    ],
    [
      "to the site: no hop-by-hop headers",
      "PROXY-1",
      '    return role === "hop-by-hop" || role === "own";',
      '    return role === "own";',
      "[PROXY-1] ordinary headers arrive as sent, repeated ones in order; hop-by-hop ones do not",
    ],
    [
      "to the site: no method overrides",
      "PROXY-1",
      'if (role === "override") return isOurs;',
      'if (role === "override") return false;',
      "[PROXY-1] G7 method overrides are removed, except on untouched hosts",
    ],
    [
      "from the site: what is as it should be is only what has nothing of ours",
      "PROXY-3",
      "    if (isForUs(role, passing)) return false;\n",
      "",
      "[PROXY-3] [PROXY-9] one line of a reply that visitors must not see is enough",
    ],
    [
      "from the site: pages with orders to shared caches are not passed on as they are",
      "PROXY-9",
      '    if (role === "cache-order" && passing.isPrivate) return false;\n',
      "",
      "[PROXY-3] [PROXY-9] one line of a reply that visitors must not see is enough",
    ],
    [
      "from the site: a cookie under our name is not passed on as it is",
      "PROXY-3",
      '    if (role === "set-cookie" && headers.getSetCookie().some(isOwnSetCookie)) return false;\n',
      "",
      "[PROXY-3] [PROXY-9] one line of a reply that visitors must not see is enough",
    ],
    [
      "from the site: no cookies under our names",
      "PROXY-3",
      "for (const line of cookies) if (!isOwnSetCookie(line)) headers",
      "for (const line of cookies) headers",
      "[PROXY-3] T4 C22 C26 a",
    ],
    [
      "from the site: redirects to ORIGIN lead to the public site",
      "PROXY-7",
      "if (value !== null) headers.set(name, toPublic(value, url, origin));",
      "if (value !== null) headers.set(name, value);",
      "[PROXY-7] what names ORIGIN leads to the public origin",
    ],
  ]),
  ...guardsOf("src/origin.ts", proxy, [
    [
      "proxy: redirects are not followed",
      "PROXY-5",
      'redirect: "manual"',
      'redirect: "follow"',
      "[PROXY-5] G15 a redirect is passed on, not followed",
    ],
    [
      "proxy: gated pages are private",
      "PROXY-9",
      "isGated(how) && isPage(request, reply.headers);",
      "false;",
      "[PROXY-9] W6 gated pages are private",
    ],
    [
      "proxy: late replies carry no cookie",
      "PROXY-9",
      "return reply.headersAfterMs <= Math.min(COOKIE_WITHIN_MS, passRefreshMs / 2) && !is",
      "return !is",
      "[PROXY-9] a reply that came 20 s late",
    ],
    [
      "proxy: only a safe request goes again",
      "PROXY-8",
      'return reply === "lost" && isRepeatable ? attempt',
      'return reply === "lost" ? attempt',
      "[PROXY-8] only a request that is safe to repeat is sent again",
    ],
    [
      "proxy: the time limit is not for uploads",
      "PROXY-8",
      "body === null ? (config.headersTimeoutMs ?? HEADERS_TIMEOUT_MS) : null;",
      "config.headersTimeoutMs ?? HEADERS_TIMEOUT_MS;",
      "[PROXY-8] silence is cut off after the limit; an upload is not",
    ],
  ]),
  ...guardsOf("src/gate/inside.ts", gate, [
    [
      "inside: no page is fetched ahead by a pass that counts no more",
      "GATE-15",
      '  if (visit.asked.method === "head" || visit.asked.prefetch) return turnAway(visit, 503);\n',
      "",
      "[GATE-15] [GATE-8] T10 C92 prerender by a pass",
    ],
  ]),
  ...guardsOf("src/routes/context.ts", routes, [
    [
      "targets: a form holds a long one",
      "GATE-24",
      "FORM_MAX_BYTES = 16_384",
      "FORM_MAX_BYTES = 8_192",
      "[GATE-24] [GATE-45] a long address",
    ],
  ]),
  ...guardsOf("src/routes/public.ts", routes, [
    [
      "check: its page is as the room is now",
      "GATE-45",
      "  await visit.client.manifest(visit.life, MANIFEST_STALE_MS);\n  if (signsInVain",
      "  if (signsInVain",
      "[GATE-45] [LOOK-2] its page",
    ],
  ]),
];
