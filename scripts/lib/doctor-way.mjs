/**
 * `npm run doctor`: what stands between visitors and the Worker: routes, redirects, caches, limits and challenges of others. Pure: replies
 * (doctor-reply.mjs) in, findings out.
 */

import { parseCookie, roomOfCookie } from "./doctor-cookies.mjs";
import { note, problem, warning } from "./doctor-findings.mjs";
import { ageOf, codeOf, header, isFromCache, isGated, isHealthy, isOurs, isOwnPath, ownCookies, pathOf } from "./doctor-reply.mjs";
import { isLoopback } from "./secret-way.mjs";

/** A manifest may be kept for a second; some more for the way, s. */
const MANIFEST_AGE_S = 5;

/** Something in front of the Worker that answers in its place. */
export function barrierOf(reply) {
  const [path, server] = [pathOf(reply), header(reply, "server") ?? ""];
  const body = reply.body ?? "";
  if (header(reply, "cf-mitigated") !== null || (reply.status >= 400 && body.includes("/cdn-cgi/challenge-platform/")))
    return [
      problem(
        "challenged",
        `${path} is answered by a challenge (${reply.status}).`,
        "The waiting page's own questions and apps cannot solve one: people stand still and are told nothing.",
        "exclude /__vestibule/* from WAF custom rules, Bot Fight Mode and Under Attack Mode; our `challenge` setting asks within the line",
      ),
    ];
  if (/error code: 1027\b/.test(body))
    return [
      problem(
        "daily-limit",
        `${path} is answered by Cloudflare's error 1027: the account's requests of today are used up.`,
        "The route fails closed: nobody gets to the site.",
        "Workers Paid",
      ),
    ];
  // A waiting page may carry 429, and so may the site behind a room.
  if (reply.status === 429 && !isOurs(reply) && !isGated(reply))
    return [
      problem(
        "rate-limited",
        `${path} is answered 429 by something in front of the Worker${server === "" ? "" : ` (${server})`}.`,
        "Everybody who waits asks every few seconds, many from one address: a rate limit turns the line away.",
        "exclude /__vestibule/* from rate limiting rules; join_limit_per_minute is the room's own",
      ),
    ];
  return [];
}

/** null = healthy. */
export function judgeHealth({ replies: { health = [] } }) {
  const [reply] = health;
  if (reply === undefined || health.some(isHealthy)) return null;
  const fix = "DNS record proxied (orange cloud)? Route there? `npm run deploy` checks the rest";
  if (reply.failed) return [problem("not-reached", `${reply.url}: ${reply.failed}.`, "Nothing answers.", fix)];
  const code = codeOf(reply) ?? (reply.body?.includes('"misconfigured"') ? "misconfigured" : null);
  const says = new Map([
    [
      "misconfigured",
      ["The Worker runs but refuses its settings or secrets.", "`npx wrangler tail` and load any page: the log names them"],
    ],
    ["unknown-host", ["The Worker runs, but no room names this host.", "give the host a room, or list it in PASS_HOSTS, and deploy"]],
  ]).get(code);
  if (says) return [problem(code, says[0], "Nobody is let in there.", says[1])];
  if (elsewhere(reply) !== null) return [];
  const what = `${pathOf(reply)} is answered ${reply.status}, and not by the Worker.`;
  return [problem("not-ours", what, "The site is reached without a line.", fix)];
}

/** Does the Worker know the room of the file, and does its Room answer? */
export function judgeRoomThere({ room, replies: { manifest } }) {
  const code = codeOf(manifest);
  if (code === "room-unreachable")
    return [
      problem(
        "room-unreachable",
        "The Worker does not reach its Room.",
        "Nobody joins or goes in.",
        "docs/failure.md; Cloudflare's status",
      ),
    ];
  if (code !== "not-found" || room === null) return [];
  return [
    problem("room-unknown", `The Worker has no room ${room.name} at this host.`, "What is deployed is not this file.", "npm run deploy"),
  ];
}

/** Of our own paths, some were answered by the Worker and some were not. */
export function judgeFlicker(own) {
  const told = own.filter((reply) => !reply.failed && reply.status < 500 && barrierOf(reply).length === 0);
  if (new Set(told.map(isOurs)).size < 2) return [];
  return [
    problem(
      "flickers",
      "Some of the Worker's own addresses were answered by the Worker, and some by something else.",
      "Some requests pass by the room: a route that fails open at the daily limit, a route that is not everywhere yet, or a load balancer around it.",
      '"Fail closed" on each route; wait a minute after a deployment and run this again',
    ),
  ];
}

/** A redirect before the Worker: people end up at another host, and that one needs a room. */
export function judgeElsewhere({ url, namedHosts }) {
  const { hostname } = new URL(url);
  return (reply) => {
    const to = elsewhere(reply);
    // Where the site itself sends people is its business, unless it is the shop's other name.
    if (to === null || (!isOwnPath(reply) && (to.hostname === hostname || bare(to.hostname) !== bare(hostname)))) return [];
    const isNamed = to.hostname === hostname || namedHosts.includes(to.hostname);
    const why = isNamed
      ? "The line is there: ask about that address."
      : "No room of wrangler.toml names that host: there is no line where people end up.";
    const fix = isNamed ? `npm run doctor -- ${to.origin}/` : `a route and a room (or additional_routes) for ${to.hostname}`;
    return [(isNamed ? note : problem)("redirected", `${hostname} redirects to ${to.origin}${to.pathname} before the Worker.`, why, fix)];
  };
}

const bare = (hostname) => hostname.replace(/^www\./, "");

/** Where a redirect to another origin leads; null = it is none. */
function elsewhere(reply) {
  const location = header(reply, "location");
  if (location === null || !(reply.status >= 300 && reply.status < 400) || !URL.canParse(location, reply.url)) return null;
  const to = new URL(location, reply.url);
  return to.origin === new URL(reply.url).origin ? null : to;
}

/** Every reply of ours but the manifest says that nobody may keep it; here, whether that arrived, and whether it was obeyed. */
export function judgeCaching(reply, isManifest) {
  if (reply.failed || (!isManifest && !isOurs(reply))) return [];
  const path = pathOf(reply);
  const age = ageOf(reply);
  const why = isManifest
    ? "The manifest may be kept for a second: an old one only makes people wait longer, but the line stands still meanwhile."
    : "It is one visitor's, and another would get it: somebody else's place, or an old one for ever.";
  const fix =
    "a cache rule that bypasses the cache for /__vestibule/* (Cloudflare: Caching → Cache Rules), and no cache in front of the route";
  if (isManifest) return age > MANIFEST_AGE_S ? [problem("cached", `${path} came ${age} s old out of a cache.`, why, fix)] : [];
  const found = [];
  if (isFromCache(reply)) found.push(problem("cached", `${path} came out of a cache${age > 0 ? `, ${age} s old` : ""}.`, why, fix));
  const control = header(reply, "cache-control") ?? "";
  if (!/\bno-store\b/.test(control) || !/\bprivate\b/.test(control))
    found.push(
      problem(
        "cache-control",
        `${path} arrived with Cache-Control ${control === "" ? "taken out" : `"${control}"`} in place of "private, no-store".`,
        "Caches and browsers may now keep what is one visitor's.",
        'Browser Cache TTL "Respect Existing Headers", and no rule that overrides it for /__vestibule/*',
      ),
    );
  return found;
}

/** The asked address itself: is there a sign of the Worker, and of which room? */
export function judgePage({ url, room, replies: { page, blank, health = [] } }) {
  if (page.failed || !health.some(isHealthy)) return [];
  const path = new URL(url).pathname;
  if (!isGated(page)) {
    if (room === null)
      return [note("no-room", `wrangler.toml has no room for ${path}.`, "It is forwarded untouched.", "host and path of the room")];
    // Without cookies there is no sign to look for; that is said elsewhere.
    if (barrierOf(page).length > 0 || (isOurs(blank) && ownCookies(blank).length === 0)) return [];
    const isPublic = /\b(public|s-maxage)\b/.test(header(page, "cache-control") ?? "");
    const why = isPublic
      ? "The site says that this page is public: on such replies no cookie of ours rides, so it may be all right."
      : "Whoever opens it passes by the line: no route for this path, a bypass rule, or a room that is off.";
    const fix = "the route for this path; bypass_rules and suspended of the room, live ones too";
    const judge = room.isSure && !isPublic ? problem : warning;
    return [judge("page-passes", `${path} came (${page.status}) without a sign of the Worker.`, why, fix)];
  }
  const other = ownCookies(page).map((line) => roomOfCookie(parseCookie(line).name));
  if (room === null || other.length === 0 || other.includes(room.name)) return [];
  const what = `${path} belongs to room ${other[0]} there, and to room ${room.name} in wrangler.toml.`;
  return [problem("other-room", what, "What is deployed is not this file.", "npm run deploy")];
}

/** Another spelling of the room's path, or the path with a query: routes compare letter by letter. */
export function judgeSpelling(reply) {
  if (reply.failed || isGated(reply) || reply.status === 404 || reply.status === 429 || reply.status >= 500) return [];
  const { pathname, search } = new URL(reply.url);
  return [
    problem(
      "spelling-passes",
      `${pathname}${search} is answered ${reply.status} without a sign of the Worker.`,
      "The room's page is reached past the line.",
      "route the whole host, or at least the path with a final * and without a slash before it",
    ),
  ];
}

/** The same host without TLS. */
export function judgePlain({ url, replies: { plain } }) {
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:" && !isLoopback(hostname))
    return [
      warning(
        "http",
        "This is http.",
        "Cookies have other names there, without Secure: a place of http is none on https.",
        "ask about https://; Always Use HTTPS",
      ),
    ];
  if (!plain || plain.failed || !(plain.status < 300)) return [];
  return [
    warning(
      "http-open",
      `http://${hostname} is answered ${plain.status} in place of a redirect to https.`,
      isHealthy(plain)
        ? "A visitor of http is another one on https, with another place, and cookies travel unencrypted."
        : "It passes by the Worker.",
      "Always Use HTTPS (SSL/TLS → Edge Certificates)",
    ),
  ];
}

/** Off Cloudflare's network nobody adds `CF-Ray`. */
export function judgeNetwork({ url, replies: { health = [] } }) {
  const healthy = health.filter(isHealthy);
  if (healthy.length === 0 || isLoopback(new URL(url).hostname) || healthy.some((reply) => header(reply, "cf-ray") !== null)) return [];
  return [
    note(
      "no-cf-ray",
      "The replies carry no CF-Ray.",
      "Another proxy stands in front of Cloudflare, or this is no Cloudflare.",
      "limits by address count that proxy: docs/security.md",
    ),
  ];
}
