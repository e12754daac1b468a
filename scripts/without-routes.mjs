/**
 * Takes the routes out of a wrangler.toml, for running it on this computer. Text in, text out.
 * Knows the three ways to write them: `route = …`, `routes = [ … ]` over one or more lines, and `[[routes]]` tables.
 */

/** The same text without routes; everything else, comments included, stays as it is. */
export function withoutRoutes(toml) {
  const kept = [];
  let inTable = false; // inside any [table]: keys there are not top-level
  let inRoutesTable = false;
  let depth = 0; // open brackets of a routes array that goes on over the next lines
  for (const line of toml.split("\n")) {
    if (depth > 0) {
      depth += openBrackets(line);
      continue;
    }
    const table = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line);
    if (table) {
      inTable = true;
      inRoutesTable = table[1] === "routes";
    }
    const entry = !inTable && /^\s*routes?\s*=(.*)$/.exec(line);
    if (entry) depth = openBrackets(entry[1]);
    else if (!inRoutesTable || /^\s*#/.test(line)) kept.push(line);
  }
  return kept.join("\n");
}

/** `[` minus `]`, not counting those in strings and comments. */
function openBrackets(text) {
  const bare = text.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, "").replace(/#.*$/, "");
  return bare.split("[").length - bare.split("]").length;
}
