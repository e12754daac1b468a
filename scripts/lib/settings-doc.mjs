/**
 * docs/settings.md from the schema. Pure: tables of the schema in, Markdown out.
 */
import { SETTING_GROUPS } from "./settings-groups.mjs";

const VARIABLES = [
  [
    "`VESTIBULE_KEYS` (secret)",
    "Required. `kid:key` pairs with commas between, each key 32 random bytes in base64url; the first signs, all verify ([keys](keys.md)).",
  ],
  ["`ADMIN_TOKEN` (secret)", "Required. At least 32 random characters: the admin API's bearer token."],
  ["`PASS_HOSTS`", "Hosts that go through untouched: a list, or text with commas."],
  ["`ORIGIN`", "The site to forward to, such as `http://localhost:3000`, where the Worker does not run on the site's own zone route."],
  [
    "`ACCESS`",
    "Cloudflare Access in front of the admin API: `team_domain`, `audience`, `roles` ([who may do what](operate.md#who-may-do-what)).",
  ],
  [
    "`IDENTITY_KEYS` (secret)",
    "`room:secret` pairs with commas between, for log-ins that sign with a shared secret ([log-ins](admission.md#invitations-and-log-ins)).",
  ],
  [
    "`BYPASS_KEYS` (secret)",
    "`name:key` pairs with commas between, at most 16, each key at least 32 random visible characters; named by bypass rules.",
  ],
  ["`TURNSTILE_SECRET` (secret)", "The secret key of the widget, for rooms with `challenge` = `turnstile`."],
  [
    "`WEBHOOK_URLS` (secret)",
    "`name=address` with blanks or line breaks between: addresses of webhooks without `url`, such as Slack's, which are secrets themselves.",
  ],
  [
    "`AWS_TOKEN_KEY` (secret)",
    "A private RSA key (PKCS #8, PEM or its base64, 2,048 bits or more) for the tokens of rooms with `aws_event_id`.",
  ],
  ["`REHEARSAL_TOKEN` (secret)", "On staging hosts alone: whoever holds it may send a crowd there ([rehearse](operate.md#rehearse))."],
  [
    "`DRAND_URL`",
    "Where the Room asks for drand's random numbers, addresses with commas, in place of `https://api.drand.sh` and `https://drand.cloudflare.com`.",
  ],
  ["`LOCAL_WEBHOOKS`", "`allow`: webhooks may be on this computer, by http too. For local development alone."],
  [
    "`VISITOR_EVENTS`, `ANALYTICS` (bindings)",
    "A Queue and an Analytics Engine dataset for events of visitors ([monitoring](monitoring.md#a-stream-of-events)).",
  ],
  [
    "`JOIN_DAMPER` (binding)",
    "A rough rate limit of the edge for newcomers; `wrangler.toml` has its lines, commented out ([admission](admission.md#asking-newcomers-for-proof)).",
  ],
];

/** Takes the exports of settings-schema.ts, settings-about.ts, settings-bindings.ts and event-schema.ts in src/core. */
export function settingsDoc(schema) {
  const {
    SETTINGS,
    SETTINGS_ABOUT,
    DEPLOY_ONLY,
    FIXED_WHILE_OCCUPIED,
    NOT_BUILT,
    VALUES_NOT_BUILT,
    BINDINGS,
    EVENT_SETTINGS,
    EVENT_SETTINGS_ABOUT,
    EVENT_OVERRIDES,
    BYPASS_DOC,
  } = schema;
  const change = (name) => (DEPLOY_ONLY.includes(name) ? " _Deploy only._" : FIXED_WHILE_OCCUPIED.includes(name) ? " _While empty._" : "");
  const setting = (name) => {
    const { allowed, fallback } = SETTINGS[name];
    return [code(name), fallback === undefined ? "required" : code(fallback), `${SETTINGS_ABOUT[name]}${change(name)}`, allowed];
  };
  const settings = SETTING_GROUPS.map(
    ([title, sentence, names]) =>
      `### ${title}\n\n${sentence}\n\n${table(["setting", "default", "meaning", "allowed"], names.map(setting))}`,
  );
  const events = Object.entries(EVENT_SETTINGS).map(([name, { allowed, fallback }]) => [
    code(name),
    fallback === undefined ? "required" : fallback === null ? "none" : code(fallback),
    EVENT_SETTINGS_ABOUT[name],
    allowed,
  ]);
  const fixed = Object.keys(SETTINGS).filter((name) => !EVENT_OVERRIDES.includes(name));
  const values = [...VALUES_NOT_BUILT].map(([name, list]) => `${code(name)} = ${list.map(code).join(", ")}`);
  return `# Settings of a room

<!-- Made by \`npm run settings-doc\` from src/core/settings-schema.ts and settings-about.ts. Do not edit. -->

Rooms are tables \`[vars.ROOMS.<name>]\` in \`wrangler.toml\`:

\`\`\`toml
[vars.ROOMS.shop]
host = "shop.example.com"
total_active_users = 750     # people inside at once
new_users_per_minute = 300   # people let in per minute
session_duration = 10        # minutes that somebody inside may be idle
\`\`\`

- A name is 1 to 32 of \`a–z\`, \`0–9\` and \`-\`. At most 8 rooms share a host. All rooms together take at most 5 KB, Cloudflare's limit for a
  variable.
- **Several rooms**: a request belongs to the room with the longest path that covers it. Each room has a line, numbers and cookies of its
  own, so a browser may wait in one and be inside another.
- A setting can also be changed while the room runs, in the console or by \`PATCH /__vestibule/admin/api/rooms/<name>\`, where \`null\` means the
  value of \`wrangler.toml\` ([how](operate.md#during)). Those marked _Deploy only_ change in \`wrangler.toml\` alone; those marked _While empty_
  only while nobody waits or is inside.
- Unknown names, settings that are not built yet, bare dates and numbers as text are refused, all of them at once.

## Settings

${settings.join("\n\n")}

## How settings bind each other

${BINDINGS.map(({ rule }) => `- ${rule}`).join("\n")}

For short sessions, as in a demonstration, lower \`pass_refresh_seconds\` along with \`session_duration\`.

## Events

An event is a scheduled sale: for its duration it changes the room. Events are tables \`[[vars.ROOMS.<name>.events]]\` in \`wrangler.toml\`,
or made and changed live ([endpoints](api.md#events), [runbook](operate.md#a-scheduled-sale)); at most 32 to a room, and those that are over
may stay. None overlaps another, from its lobby (or start) to its end.

${table(["setting of an event", "default", "meaning", "allowed"], events)}

Times need their offset from UTC, so that an event begins at the same instant wherever computers are and whether or not clocks change in
between; days that do not exist, 24:00 and leap seconds are refused.

Besides, an event may set any setting of the room but
${fixed.map(code).join(", ")}.
It holds from the opening of the lobby (without a lobby: from the start) to the end; what an event does not set is the room's own. Values and
bindings are checked as for the room, after merging. A lobby does not go with \`queueing_method\` = \`passthrough\` or \`reject\`.

## Bypass rules

Tables \`[[vars.ROOMS.<name>.bypass_rules]]\`, at most 100, each with at least one condition and texts of at most 256 characters. All conditions
of a rule must hold; what is not named is not asked for. What a rule lets through is counted nowhere, and a room that is off asks for no
rule. When to use which, and what is warned of: [admission](admission.md#what-needs-no-place).

${table(
  ["part of a rule", "holds if"],
  BYPASS_DOC.map(([name, meaning]) => [code(name), meaning]),
)}

## Beside the rooms

Variables belong under \`[vars]\` in \`wrangler.toml\`; secrets are set by \`npx wrangler secret put NAME\`, and locally in \`.dev.vars\`.

${table(["name", "meaning"], VARIABLES)}

## Not built yet

Names that other waiting rooms have, Cloudflare's above all. They are refused by name, with what there is instead:

${table(
  ["name", "here"],
  [...NOT_BUILT].map(([name, words]) => [code(name), words.replace(/^not built yet(?: as a setting)?(?:; )?/, "") || "nothing"]),
)}

Values that are refused: ${values.join("; ")}.
`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function code(value) {
  return `\`${typeof value === "string" && value !== "" ? value : JSON.stringify(value)}\``;
}
