/**
 * `npm run doctor`, first half: what a deployment's file and secrets say. Pure: facts in, findings out.
 */
import { checkRoutes } from "./deploy-routes.mjs";
import { note, problem, warning } from "./doctor-findings.mjs";

/**
 * @param config wrangler.toml, parsed
 * @param deployment what `describeDeployment` made of it
 * @param isLocal only this computer is asked about: routes do not matter
 * @param rooms name → `{ settings, operator }`; empty if they are refused
 */
export function judgeConfig({ config, deployment, rooms, isLocal }) {
  if (!deployment.ok) {
    const fix = "put it right in wrangler.toml; docs/settings.md has every setting";
    return deployment.problems.map((what) => problem("settings-refused", what, "The Worker would serve nothing with it (503).", fix));
  }
  const ofRooms = [
    ...deployment.warnings.map((what) =>
      warning("settings", what, "Allowed, but seldom meant before a sale.", "docs/operate.md; or leave it, if it is meant"),
    ),
    ...[...rooms].flatMap(([room, { settings }]) => judgeRoom(room, settings)),
  ];
  return isLocal ? ofRooms : [...judgeRoutes(deployment), ...siblings(deployment), ...otherAddresses(config, deployment), ...ofRooms];
}

function judgeRoutes(deployment) {
  const { problems, warnings } = checkRoutes(deployment);
  const why = "`npm run deploy` refuses this, since it leaves a hole.";
  return [
    ...problems.map((what) => problem("routes", what, why, "wrangler.toml: routes, and the rooms that they lead to")),
    ...warnings.map((what) => warning("routes-in-part", what, "A room is passed by another spelling of its path.", "route the whole host")),
    ...(deployment.routes.length > 0 ? [failureMode] : []),
  ];
}

const failureMode = note(
  "failure-mode",
  "Whether each route fails open or closed at the account's daily limit cannot be seen from here.",
  "A route that fails open lets everybody pass by the room once the limit of the free plan is reached.",
  'dashboard, your zone → Workers Routes → each route → Edit → "Fail closed (block)"; Workers Paid has no such limit',
);

/** `www.` and the bare domain are one shop to people, and two hosts to routes. */
function siblings({ routes, rooms, passHosts }) {
  const own = new Set(rooms.flatMap((room) => room.routes.map(({ host }) => host)));
  const routed = routes.map((route) => (typeof route === "string" ? route : (route.pattern ?? "")).split("/")[0].toLowerCase());
  const missing = [...own].flatMap((host) => {
    const labels = host.split(".");
    if (labels[0] === "www") return [host.slice(4)];
    return labels.length === 2 ? [`www.${host}`] : [];
  });
  return missing
    .filter((host) => !own.has(host) && !passHosts.includes(host) && !routed.includes(host))
    .map((host) =>
      warning(
        "sibling-host",
        `${host} has no route and no room.`,
        "If the site answers there too, whoever types that address is past the line.",
        `redirect ${host} to the other host, or add it as additional_routes of the room and as a route`,
      ),
    );
}

/** Addresses of the Worker besides its routes. wrangler: `workers_dev` is on where it is not said and there are no routes. */
function otherAddresses({ workers_dev: workersDev, preview_urls: previews }, { routes, rooms, hasOrigin }) {
  const isCaught = rooms.some((room) => room.routes.some(({ host }) => host === "*"));
  const meets = isCaught ? `they meet the catch-all room${hasOrigin ? ", and through it the site" : ""}` : "no room names them: 421";
  const found = [];
  if (workersDev === undefined && routes.length === 0)
    found.push(
      warning(
        "workers-dev",
        "workers_dev is not set, and without routes it is on.",
        `A second address of the Worker: ${meets}.`,
        "workers_dev = false",
      ),
    );
  if (previews === true)
    found.push(
      (isCaught && hasOrigin ? problem : warning)(
        "preview-urls",
        "preview_urls = true: every version has an address of its own.",
        `Further addresses of the Worker, with the deployment's Rooms: ${meets}.`,
        "preview_urls = false",
      ),
    );
  else if (previews === undefined && routes.length > 0)
    found.push(
      note(
        "preview-urls",
        "preview_urls is not set: what the dashboard has stays as it is.",
        "Preview addresses are further ways to the Worker.",
        "write preview_urls = false into wrangler.toml",
      ),
    );
  return found;
}

function judgeRoom(room, { failurePolicy, partitionedCookies, frameAncestors, suspended, queueingMethod }) {
  const found = [];
  if (suspended || queueingMethod === "passthrough")
    found.push(
      warning("room-off", `Room ${room} is off by the file: nobody is held.`, "Everybody goes straight in.", "suspended, queueing_method"),
    );
  if (failurePolicy === "open")
    found.push(
      note(
        "fails-open",
        `Room ${room} has failure_policy = "open".`,
        "While the Room cannot be reached, a fiftieth of the rate goes in without a line.",
        "docs/failure.md; `npm run drill -- room-down --policy open` shows it",
      ),
    );
  if (frameAncestors.length > 0 && !partitionedCookies)
    found.push(
      warning(
        "frames",
        `Room ${room} has frame_ancestors, but partitioned_cookies is off.`,
        "Browsers that keep no cookies of third parties never keep a place in a frame of another site.",
        "partitioned_cookies = true",
      ),
    );
  return found;
}

/**
 * @param where the file that the values are from; null = none was looked at
 * @param problems what the Worker's own readers say of these values: `[{ setting, problem }]`
 * @param listed names that Cloudflare has, if it was asked; else null
 * @param needed names that the Worker needs with this file
 * @param kept names in the file of a deployment, not of this computer
 */
export function judgeSecrets({ where, problems, listed, needed, kept = [] }) {
  const why = "The Worker would serve nothing (503), or not what a room needs.";
  const found = (where === null ? [] : problems).map(({ setting, problem: text }) =>
    problem("secret", `${setting} of ${where} ${text}.`, why, "docs/keys.md"),
  );
  const missing = listed === null ? [] : needed.filter((name) => !listed.includes(name));
  for (const name of missing)
    found.push(problem("secret", `The deployment has no secret ${name}.`, why, `npx wrangler secret put ${name}`));
  if ([...kept, ...(listed ?? [])].includes("REHEARSAL_TOKEN"))
    found.push(
      warning(
        "rehearsals",
        "The deployment has the secret REHEARSAL_TOKEN.",
        "Whoever holds it may send crowds to every host of this Worker: right for a staging host, not for the shop.",
        "npx wrangler secret delete REHEARSAL_TOKEN",
      ),
    );
  if (where === null && listed === null)
    found.push(
      note(
        "secrets-unseen",
        `The secrets (${needed.join(", ")}) were not looked at.`,
        "Cloudflare gives none back; only their names can be asked for.",
        "--list-secrets asks wrangler for the names; --secrets-file FILE reads your own copy",
      ),
    );
  return found;
}
