/**
 * Which requests Cloudflare sends to the Worker, and whether that fits the rooms. Pure: configuration in, patterns and sentences out.
 * How Cloudflare matches (developers.cloudflare.com/workers/configuration/routing/routes, "Matching behavior"): the whole URL with its
 * query, letter by letter; `*` only at the ends; a pattern without scheme covers http and https. So a path without a final `*` does not
 * match as soon as a query is added.
 */

/** What the waiting page, the API and the cookie round trip live under. */
const OWN = "/__vestibule/";

/**
 * Reads a route pattern: `{ host, prefix }` for `host/prefix*`, `{ host, exact }` for `host/exact`, or `{ problem }`.
 * A pattern without any path is `host/` alone to Cloudflare.
 */
export function readPattern(pattern) {
  if (/^[a-z]+:\/\//i.test(pattern))
    return { problem: `${pattern}: leave the scheme out, or half of the requests (http or https) pass by` };
  const slash = pattern.indexOf("/");
  const host = (slash < 0 ? pattern : pattern.slice(0, slash)).toLowerCase();
  const path = slash < 0 ? "/" : pattern.slice(slash);
  if (host.includes("*")) return { problem: `${pattern}: name each host; a wildcard covers hosts that no room names` };
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host))
    return { problem: `${pattern}: starts with a host such as shop.example.com, in its xn-- form` };
  if (/[?#\s\\]/.test(path)) return { problem: `${pattern}: a route cannot hold a query, a fragment or blanks` };
  if (path.slice(0, -1).includes("*")) return { problem: `${pattern}: "*" is possible only at the end` };
  return path.endsWith("*") ? { host, prefix: path.slice(0, -1) } : { host, exact: path };
}

/** A route of wrangler.toml as `{ host, prefix | exact }` or `{ problem }`; a custom domain covers its whole host. */
function readRoute(route) {
  const pattern = typeof route === "string" ? route : route?.pattern;
  if (typeof pattern !== "string") return { problem: `${JSON.stringify(route)}: a route is a pattern or a table with one` };
  return route.custom_domain === true ? { host: pattern.toLowerCase(), prefix: "/", customDomain: true } : readPattern(pattern);
}

/**
 * Everything that is wrong with the routes of a deployment, as sentences; and warnings that do not stop it.
 * `rooms`: `[{ room, routes: [{ host, path }] }]`. Catch-all rooms are for development: no route leads to them, and they name no host.
 */
export function checkRoutes({ routes, rooms, passHosts, hasOrigin, workersDev }) {
  const read = routes.map(readRoute);
  const problems = read.flatMap((one) => (one.problem ? [`Route ${one.problem}.`] : []));
  const patterns = read.filter((one) => !one.problem);
  const places = rooms.flatMap(({ room, routes: own }) => own.filter(({ host }) => host !== "*").map((place) => ({ ...place, room })));
  const roomHosts = new Set(places.map(({ host }) => host));

  if (routes.length === 0) problems.push("There are no routes: npm run deploy:first -- --route shop.example.com/* writes them.");
  if (places.length === 0) problems.push('No room names a host: [vars.ROOMS.<name>] needs host = "shop.example.com".');
  if (workersDev === true) problems.push("workers_dev = true leaves a second way in: set it to false.");
  for (const host of new Set(patterns.map((one) => one.host))) {
    if (!roomHosts.has(host) && !passHosts.includes(host))
      problems.push(`A route covers ${host}, which no room names: give it a room, or list it in PASS_HOSTS to let it through untouched.`);
  }
  if (patterns.some((one) => one.customDomain) && !hasOrigin)
    problems.push("A custom domain has no site behind it: set ORIGIN, or use a route of the site's zone.");
  if (routes.length > 0) problems.push(...places.flatMap((place) => uncovered(place, patterns)));
  for (const host of roomHosts) {
    if (patterns.some((one) => one.host === host) && !coversAll(patterns, host, OWN))
      problems.push(`${host}${OWN}* is not covered by a route: the waiting page asks for its turn there.`);
  }
  return { problems, warnings: [...roomHosts].filter((host) => !coversAll(patterns, host, "/")).map(spellingWarning) };
}

/** Is every URL of the host that starts with `start` covered? */
function coversAll(patterns, host, start) {
  return patterns.some((one) => one.host === host && one.prefix !== undefined && start.startsWith(one.prefix));
}

function uncovered({ host, path, room }, patterns) {
  if (path === "/") return coversAll(patterns, host, "/") ? [] : [`Room ${room}: ${host}/* is not covered by a route.`];
  const below = coversAll(patterns, host, `${path}/`);
  const bare = coversAll(patterns, host, `${path}?`);
  if (below && bare) return [];
  if (!below) return [`Room ${room}: ${host}${path} is not covered by a route: use ${host}${path}* or ${host}/*.`];
  return [
    `Room ${room}: the bare path ${host}${path} (and with a query) is not covered by a route: use ${host}${path}* in place of ${host}${path}/*.`,
  ];
}

function spellingWarning(host) {
  return `Only some paths of ${host} are routed to the Worker. Cloudflare compares route paths letter by letter, so another spelling of a path (/Checkout for /checkout) goes straight to the site, past the room. Prefer ${host}/*.`;
}

/**
 * Routes for what the operator asked for: `shop.example.com/*`, or a path in any of the forms `host/p`, `host/p/*`, `host/p*`.
 * A path becomes `host/p*`, which covers the bare path, with and without a query, and all below; `host/__vestibule/*` comes along.
 * Returns `{ patterns, places }` or `{ problems }`.
 */
export function planRoutes(asked) {
  const read = asked.map(readPattern);
  const problems = read.flatMap((one) => (one.problem ? [`--route ${one.problem}.`] : []));
  if (asked.length === 0) problems.push("--route is missing, such as --route shop.example.com/*.");
  if (problems.length > 0) return { problems };
  // A host alone means all of it: its first page only would be no waiting room.
  const places = read.map((one, i) => ({ host: one.host, path: asked[i].includes("/") ? pathOf(one) : "/" }));
  const whole = new Set(places.filter(({ path }) => path === "/").map(({ host }) => host));
  const patterns = places.flatMap(({ host, path }) => (whole.has(host) ? [`${host}/*`] : [`${host}${path}*`, `${host}${OWN}*`]));
  return { patterns: [...new Set(patterns)], places };
}

function pathOf({ prefix, exact }) {
  return (prefix ?? exact).replace(/\/$/, "") || "/";
}

/** A room name for a place, not taken yet: `shop`, `shop-checkout`, `shop-2`. */
export function roomNameFor({ host, path }, taken) {
  const [first, second] = host.split(".");
  const label = first === "www" ? second : first;
  const base =
    `${label}${path}`
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 28) || "room";
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(name)) return name;
  }
}
