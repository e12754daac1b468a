/**
 * How settings bind each other (DESIGN §2): each rule refuses by name, with the numbers, the unit and the way out. Pure.
 */
import { letsAnybodyRead } from "./bypass";
import { toBypassRule } from "./bypass-schema";
import { paletteOf, type Scheme, type Unreadable, unreadableAccent, unreadableBack } from "./look";
import { covers, pathKey } from "./path-match";
import type { Problem } from "./settings";
import type { SettingName, SettingValues } from "./settings-schema";
import { coloursOf } from "./settings-values";

interface Binding {
  /** Checked only when all of these are valid by themselves. The first is the one that the problem names. */
  readonly of: readonly [SettingName, ...SettingName[]];
  /** For docs/settings.md. */
  readonly rule: string;
  readonly broken: (values: SettingValues) => string | null;
}

/** A hidden tab wakes once a minute; the flush and the manifest's age come on top. */
const HIDDEN_TAB_SECONDS = 70;
/** From the cut-off of a draw to the last page that has heard of it: 13 s for the random number, a spread of 30 s, a page's own gap. */
const NEWS_SECONDS = 100;
/** A page asks up to a quarter later than it is told. */
const LATE = 1.25;
/** A pass must be renewed well before the session it proves runs out. */
const REFRESHES_PER_SESSION = 3;
/**
 * A pass is renewed 65,535 times; each refresh takes one, and what a site prolongs takes others. A visit that began while the refresh was
 * longer keeps its end: to run out of renewals it would have to ask every second for 18 hours.
 */
const MINUTES_PER_REFRESH_SECOND = 1_000;

export const BINDINGS: readonly Binding[] = [
  {
    of: ["absent_after_seconds", "poll_far_seconds"],
    rule: "`absent_after_seconds` ≥ 2 × `poll_far_seconds` + 70",
    broken: ({ absent_after_seconds: absent, poll_far_seconds: far }) =>
      absent >= 2 * far + HIDDEN_TAB_SECONDS
        ? null
        : `is ${absent} seconds, but must be at least 2 × poll_far_seconds + ${HIDDEN_TAB_SECONDS} = ${2 * far + HIDDEN_TAB_SECONDS} seconds: a hidden tab that asks every ${far} seconds would count as gone. Raise it or lower poll_far_seconds`,
  },
  {
    of: ["settle_seconds", "poll_far_seconds"],
    rule: "`settle_seconds` ≥ 100 and ≥ 1.25 × `poll_far_seconds`, or 0",
    broken: ({ settle_seconds: settle, poll_far_seconds: far }) => {
      const least = Math.max(NEWS_SECONDS, LATE * far);
      return settle === 0 || settle >= least
        ? null
        : `is ${settle} seconds, but must be at least ${NEWS_SECONDS} and 1.25 × poll_far_seconds, which is ${round(least)} seconds, or 0 = off: people who have not heard of the draw yet would count as gone. Raise it or lower poll_far_seconds`;
    },
  },
  {
    of: ["queueing_method", "closed_outside_events"],
    rule: '`queueing_method` = "passthrough" does not go with `closed_outside_events`',
    broken: ({ queueing_method: method, closed_outside_events: closed }) =>
      closed && method === "passthrough"
        ? "is passthrough, which lets everybody straight in, but closed_outside_events = true lets nobody in outside the events: leave one of them out. An event of a closed room may have queueing_method = passthrough"
        : null,
  },
  {
    of: ["pass_refresh_seconds", "session_duration"],
    rule: "`pass_refresh_seconds` ≤ a third of `session_duration`",
    broken: ({ pass_refresh_seconds: refresh, session_duration: minutes }) =>
      refresh * REFRESHES_PER_SESSION <= minutes * 60
        ? null
        : `is ${refresh} seconds, but must be at most a third of session_duration (${round(minutes * 60)} seconds): lower it to ${round((minutes * 60) / REFRESHES_PER_SESSION)} seconds or less, or raise session_duration to ${round((refresh * REFRESHES_PER_SESSION) / 60)} minutes or more`,
  },
  {
    of: ["session_max_minutes", "session_duration"],
    rule: "`session_max_minutes` ≥ `session_duration`",
    broken: ({ session_max_minutes: max, session_duration: idle }) =>
      max >= idle ? null : `is ${max} minutes, but must be at least session_duration (${idle} minutes)`,
  },
  {
    of: ["session_max_minutes", "pass_refresh_seconds"],
    rule: "`session_max_minutes` ≤ 1,000 × `pass_refresh_seconds`",
    broken: ({ session_max_minutes: max, pass_refresh_seconds: refresh }) => {
      const most = MINUTES_PER_REFRESH_SECOND * refresh;
      return max <= most
        ? null
        : `is ${max} minutes, but must be at most 1,000 × pass_refresh_seconds, which is ${round(most)} minutes: a pass is renewed 65,535 times at most. Lower it, or raise pass_refresh_seconds to ${Math.ceil(max / MINUTES_PER_REFRESH_SECOND)} seconds or more`;
    },
  },
  {
    of: ["poll_near_seconds", "poll_far_seconds"],
    rule: "`poll_near_seconds` ≤ `poll_far_seconds`",
    broken: ({ poll_near_seconds: near, poll_far_seconds: far }) =>
      near <= far ? null : `is ${near} seconds, but must be at most poll_far_seconds (${far} seconds)`,
  },
  {
    of: ["reserve_seconds", "poll_near_seconds"],
    rule: "`reserve_seconds` ≥ 2 × `poll_near_seconds`",
    broken: ({ reserve_seconds: reserve, poll_near_seconds: near }) =>
      reserve >= 2 * near
        ? null
        : `is ${reserve} seconds, but must be at least 2 × poll_near_seconds (${2 * near} seconds): a called page would hear of it after its place was given away`,
  },
  {
    of: ["reserve_seconds", "claim_window_seconds"],
    rule: "`reserve_seconds` ≤ `claim_window_seconds`",
    broken: ({ reserve_seconds: reserve, claim_window_seconds: claim }) =>
      reserve <= claim ? null : `is ${reserve} seconds, but must be at most claim_window_seconds (${claim} seconds)`,
  },
  {
    of: ["cookie_max_age_hours", "session_max_minutes"],
    rule: "`cookie_max_age_hours` ≥ `session_max_minutes`",
    broken: ({ cookie_max_age_hours: hours, session_max_minutes: max }) =>
      hours * 60 >= max ? null : `is ${hours} hours, but must be at least session_max_minutes (${max} minutes)`,
  },
  {
    of: ["cookie_domain", "host", "additional_routes"],
    rule: "every host of the room is `cookie_domain` or a subdomain of it",
    broken: ({ cookie_domain: domain, host, additional_routes: more }) => {
      if (domain === "") return null;
      const outside = [host, ...more.map((route) => route.host)].filter((one) => one !== domain && !one.endsWith(`.${domain}`));
      return outside.length === 0 ? null : `is ${domain}, but the room also has ${outside.join(", ")}, which is not part of it`;
    },
  },
  {
    of: ["entry", "identity_cookie", "identity_header", "identity_issuer", "identity_audience", "identity_claim"],
    rule: '`entry` = "identified" needs `identity_cookie` or `identity_header`, `identity_issuer`, `identity_audience` and `identity_claim`',
    broken: (values) => {
      if (values.entry !== "identified") return null;
      const missing = (["identity_issuer", "identity_audience", "identity_claim"] as const).filter((name) => values[name] === "");
      const where = values.identity_cookie === "" && values.identity_header === "" ? ["identity_cookie or identity_header"] : [];
      const all = [...where, ...missing];
      return all.length === 0 ? null : `is "identified", but ${all.join(" and ")} ${all.length === 1 ? "is" : "are"} not set`;
    },
  },
  {
    of: ["over_limit", "challenge", "join_limit_per_minute", "join_limit_address_per_minute", "join_limit_wide_per_minute"],
    rule: 'a join limit with `over_limit` = "challenge" needs a `challenge`',
    broken: (values) => {
      if (values.over_limit !== "challenge" || values.challenge !== "off") return null;
      const limits = ["join_limit_per_minute", "join_limit_address_per_minute", "join_limit_wide_per_minute"] as const;
      const set = limits.find((name) => values[name] > 0);
      return set === undefined
        ? null
        : `is challenge, and ${set} is ${values[set]} per minute, but challenge is off: set challenge, or over_limit = "refuse"`;
    },
  },
  ...(["challenge_everyone", "free_entries", "under_attack_joins_per_minute"] as const).map(
    (name): Binding => ({
      of: [name, "challenge"],
      rule: `\`${name}\` needs a \`challenge\``,
      broken: (values) =>
        Number(values[name]) > 0 && values.challenge === "off"
          ? `is ${values[name]}, but challenge is off: there is nothing to ask for. Set challenge, or leave ${name} out`
          : null,
    }),
  ),
  {
    of: ["challenge", "turnstile_sitekey", "turnstile_action"],
    rule: '`challenge` = "turnstile" needs `turnstile_sitekey` and `turnstile_action`',
    broken: (values) => {
      const missing = (["turnstile_sitekey", "turnstile_action"] as const).filter((name) => values[name] === "");
      if (values.challenge !== "turnstile" || missing.length === 0) return null;
      return `is "turnstile", but ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set`;
    },
  },
  {
    of: ["identity_login_url", "host", "path", "additional_routes", "bypass_rules"],
    rule: "`identity_login_url` is not a place that the room itself protects, unless `bypass_rules` open it to everybody",
    broken: ({ identity_login_url: login, host, path, additional_routes: more, bypass_rules: rules }) => {
      if (login === "") return null;
      const at = new URL(login, "https://same.invalid");
      const isOwn = ({ host: one, path: prefix }: { host: string; path: string }) =>
        (login.startsWith("/") || one === at.hostname) && covers(pathKey(prefix), pathKey(at.pathname));
      const isOpen = rules.some((rule) => letsAnybodyRead(toBypassRule(rule), at.pathname));
      return [{ host, path }, ...more].some(isOwn) && !isOpen
        ? `is ${login}, which the room protects: nobody could log in to get there. Let it lie elsewhere, or open its path by a rule of bypass_rules with path (and methods) alone`
        : null;
    },
  },
  ...(["light", "dark"] as const).flatMap(readableColours),
];

/** Text reads on the operator's colours of one scheme (WCAG 1.4.3). */
function readableColours(scheme: Scheme): readonly Binding[] {
  const dark = scheme === "dark" ? "_dark" : "";
  const back = `background_color${dark}` as const;
  const accent = `accent_color${dark}` as const;
  return [
    {
      of: [back, "color_scheme"],
      rule: `text reads on \`${back}\` with a contrast of 4.5 or more`,
      broken: (values) => {
        if (!isSeen(scheme, values) || values[back] === "") return null;
        const hint = scheme === "light" ? '. A dark page is color_scheme = "dark" with background_color_dark' : "";
        return unreadable(values[back], "the page's text", unreadableBack(scheme, values[back]), hint);
      },
    },
    {
      of: [accent, back, "color_scheme"],
      rule: `\`${accent}\` reads on the page's ground and card with a contrast of 4.5 or more`,
      broken: (values) => {
        if (!isSeen(scheme, values) || values[accent] === "") return null;
        return unreadable(values[accent], "the page's ground", unreadableAccent(scheme, paletteOf(scheme, coloursOf(values))), "");
      },
    },
  ];
}

function isSeen(scheme: Scheme, { color_scheme: chosen }: SettingValues): boolean {
  return chosen === "auto" || chosen === scheme;
}

function unreadable(colour: string, other: string, found: Unreadable | null, hint: string): string | null {
  if (found === null) return null;
  // Rounded down: 4.49 is not 4.5.
  const ratio = Math.floor(found.ratio * 10) / 10;
  return `is ${colour}, whose contrast with ${other} is ${ratio} to 1, but text needs 4.5 (WCAG AA): ${found.instead} would do${hint}`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * Problems of the bindings among settings that are valid by themselves.
 * @param touched only bindings of which one of these is part; left out = all
 */
export function brokenBindings(values: SettingValues, invalid: ReadonlySet<string>, touched?: ReadonlySet<string>): Problem[] {
  return BINDINGS.flatMap(({ of, broken }) => {
    if (of.some((name) => invalid.has(name)) || (touched && !of.some((name) => touched.has(name)))) return [];
    const problem = broken(values);
    return problem === null ? [] : [{ setting: of[0], problem }];
  });
}
