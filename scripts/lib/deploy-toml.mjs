/**
 * Writes routes and a room into the text of wrangler.toml, keeping every comment and everything else. Text in, text out.
 */

const START = /^# --- routes:.*$/m;
const END = /^# --- end of routes.*$/m;

/**
 * The text with `workers_dev = false` and the routes, before the ruler that ends the block for them, else before the first table and its comment.
 * `zone` = the zone's name, needed only where Cloudflare cannot tell it from the host.
 */
export function withRoutes(toml, patterns, zone) {
  const lines = patterns.map((pattern) =>
    zone ? `  { pattern = ${JSON.stringify(pattern)}, zone_name = ${JSON.stringify(zone)} },` : `  ${JSON.stringify(pattern)},`,
  );
  const block = ["workers_dev = false", "routes = [", ...lines, "]", ""].join("\n");
  const bare = toml.replace(/^\s*workers_dev\s*=.*\n/m, "");
  const end = START.test(bare) ? bare.search(END) : -1;
  const firstTable = bare.search(/^(?:[ \t]*#.*\n)*[ \t]*\[/m);
  const at = end >= 0 ? end : firstTable >= 0 ? firstTable : bare.length;
  return `${bare.slice(0, at)}${block}${end >= 0 ? "" : "\n"}${bare.slice(at)}`;
}

/** The text with one more room at its end. */
export function withRoom(toml, name, { host, path, totalActiveUsers, newUsersPerMinute }) {
  return `${toml.trimEnd()}

# Made by \`npm run deploy:first\`. How many people the site stands is yours to know: change the numbers here and deploy again,
# or change them live by the admin API. Every setting: docs/settings.md.
[vars.ROOMS.${name}]
host = ${JSON.stringify(host)}
path = ${JSON.stringify(path)}
total_active_users = ${totalActiveUsers} # people inside at once
new_users_per_minute = ${newUsersPerMinute} # people let in per minute
`;
}

/** The lines that are new in `after`, for showing what would be written. */
export function newLines(before, after) {
  const old = before.split("\n");
  return after.split("\n").filter((line) => {
    const i = old.indexOf(line);
    if (i >= 0) old.splice(i, 1);
    return i < 0;
  });
}
