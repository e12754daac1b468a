/**
 * The two deployments, step by step. Everything that touches the world comes in as `world`:
 * `{ root, readers, wrangler(args) → exit code, fetch, wait, say(text), complain(text) }`. Returns the exit code.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeDeployment, readText, readToml, withConfigText } from "./deploy-config.mjs";
import { askHealth } from "./deploy-health.mjs";
import { checkRoutes, planRoutes, roomNameFor } from "./deploy-routes.mjs";
import { makeSecrets, readSecrets, secretProblems, withSecretsFile } from "./deploy-secrets.mjs";
import { newLines, withRoom, withRoutes } from "./deploy-toml.mjs";

/** `npm run deploy`: checks, then wrangler, then health. */
export async function deploy({ dryRun }, world) {
  const file = join(world.root, "wrangler.toml");
  const checked = check(await readToml(file), world);
  if (!checked) return 1;
  const code = await world.wrangler(["deploy", ...(dryRun ? ["--dry-run"] : [])]);
  if (code !== 0 || dryRun) return code;
  return health(checked.hosts, world);
}

/**
 * `npm run deploy:first`: routes, a room if none names the host, secrets, then wrangler, health and what is left to do by hand.
 * wrangler.toml is written only after the deployment worked, so that a failed one can be repeated.
 */
export async function deployFirst({ routes, zone, totalActiveUsers, newUsersPerMinute, secretsFile, dryRun }, world) {
  const before = readText(world.root);
  const config = await readToml(join(world.root, "wrangler.toml"));
  if (config.routes || config.route) return refuse(["wrangler.toml has routes already: use npm run deploy."], world);
  const planned = planRoutes(routes);
  if (planned.problems) return refuse(planned.problems, world);
  const present = describeDeployment(config, world.readers);
  if (!present.ok) return refuse(present.problems, world);
  const added = roomsToAdd(present.rooms, planned.places, { totalActiveUsers, newUsersPerMinute });
  const after = added.reduce((text, { name, ...room }) => withRoom(text, name, room), withRoutes(before, planned.patterns, zone));

  return withConfigText(world.root, after, async (file) => {
    const checked = check(await readToml(file), world);
    if (!checked) return 1;
    const secrets = secretsFile ? readSecrets(secretsFile) : makeSecrets();
    const problems = await secretProblems(secrets, world.readers);
    if (problems.length > 0) return refuse(problems, world);

    world.say(
      `${dryRun ? "Would write" : "Writes"} to wrangler.toml:\n\n${newLines(before, after)
        .map((line) => `  ${line}`.trimEnd())
        .join("\n")}\n`,
    );
    if (dryRun) {
      world.say(
        `Would ${secretsFile ? `hand over the secrets of ${secretsFile}` : "make new secrets VESTIBULE_KEYS and ADMIN_TOKEN and show them once"}.\n`,
      );
      return world.wrangler(["deploy", "--dry-run", "--config", file]);
    }
    const code = await withSecretsFile(secrets, (path) => world.wrangler(["deploy", "--config", file, "--secrets-file", path]));
    if (code !== 0) {
      world.complain("Not deployed; wrangler.toml is as it was. Put right what wrangler says and run this again.");
      return code;
    }
    writeFileSync(join(world.root, "wrangler.toml"), after);
    if (!secretsFile) world.say(secretsShown(secrets));
    const healthy = await health(checked.hosts, world);
    world.say(leftToDo(checked.hosts));
    return healthy;
  });
}

/** Rooms to add so that every place has one; where a room names the host already, rooms stay as they are. */
function roomsToAdd(rooms, places, numbers) {
  const named = new Set(rooms.flatMap(({ routes }) => routes.map(({ host }) => host)));
  const taken = new Set(rooms.map(({ room }) => room));
  return places
    .filter(({ host }) => !named.has(host))
    .map((place) => {
      const name = roomNameFor(place, taken);
      taken.add(name);
      return { name, ...place, ...numbers };
    });
}

/** Complains about everything that is wrong; the hosts of rooms if nothing is. */
function check(config, world) {
  const found = describeDeployment(config, world.readers);
  if (!found.ok) return void refuse(found.problems, world);
  const { problems, warnings } = checkRoutes(found);
  for (const warning of [...found.warnings, ...warnings]) world.complain(`Warning: ${warning}`);
  if (problems.length > 0) return void refuse(problems, world);
  const hosts = found.rooms.flatMap(({ routes }) => routes.map(({ host }) => host)).filter((host) => host !== "*");
  return { hosts: [...new Set(hosts)] };
}

function refuse(problems, world) {
  world.complain(["Not deployed:", ...problems.map((problem) => `- ${problem}`)].join("\n"));
  return 1;
}

async function health(hosts, world) {
  const answers = await Promise.all(hosts.map((host) => askHealth(host, world)));
  for (const [i, problem] of answers.entries()) {
    if (problem === null) world.say(`https://${hosts[i]}/__vestibule/health answers.`);
    else world.complain(`Deployed, but ${problem}`);
  }
  return answers.every((problem) => problem === null) ? 0 : 1;
}

function secretsShown({ VESTIBULE_KEYS, ADMIN_TOKEN }) {
  return `
The secrets, shown this once. The admin API needs ADMIN_TOKEN; keep both where you keep passwords:

  VESTIBULE_KEYS=${VESTIBULE_KEYS}
  ADMIN_TOKEN=${ADMIN_TOKEN}
`;
}

function leftToDo(hosts) {
  return `
Left to do by hand, in the Cloudflare dashboard:
1. Your zone → Workers Routes → each of these routes → Edit → Request limit failure mode: "Fail closed (block)".
   Otherwise the site loses its waiting room as soon as the account's daily limit is reached.
2. Workers & Pages → Plans: Workers Paid before a real drop. The free plan ends at 100,000 requests a day.
3. DNS: the record of ${hosts.join(", ")} is proxied (orange cloud); otherwise no request reaches the Worker.

See it work: open https://${hosts[0]}/ in a browser, then set new_users_per_minute to 0 or pause the room by the admin API
(README, "Run a sale") and open it in a private window. To take it out again: delete the routes in wrangler.toml and in
the dashboard (Workers Routes); the site is as before at once.
`;
}
