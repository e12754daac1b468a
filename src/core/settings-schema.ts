/**
 * Every setting of a room: its values, default and meaning. The one list that validation and docs/settings.md come from. Pure.
 * Names and units follow Cloudflare Waiting Room where it has the concept; settings of our own end in their unit.
 */
import type * as v from "valibot";
import { bypassRules } from "./bypass-schema";
import { ORIGIN_COMMANDS } from "./origin-commands";
import { presets } from "./presets-schema";
import {
  amount,
  amountOrZero,
  cookieDomain,
  flag,
  host,
  name,
  networks,
  oneOf,
  optional,
  origins,
  orOff,
  path,
  place,
  required,
  routes,
  type Setting,
  secureUrl,
  someOf,
  tables,
  text,
  whole,
} from "./settings-kinds";
import { PAGE_SETTINGS } from "./settings-page";
import { slowDown } from "./slow-down-schema";
import { STAFF_PLACES_MAX } from "./staff";
import { webhooks } from "./webhook-schema";

export const SETTINGS = {
  host: required(host(), "The host that the room protects."),
  path: optional(path(), "/", "The path that the room protects, with everything below it; upper and lower case are the same."),
  additional_routes: optional(routes(32), [], "More hosts and paths that share this room's line."),
  total_active_users: required(
    whole(1, 1_000_000, "people; to let nobody in, set queue_all = true or new_users_per_minute = 0"),
    "How many people may be inside at once; never exceeded.",
  ),
  new_users_per_minute: required(
    amountOrZero(0.01, 1_000_000, "people per minute"),
    "How many people may go in per minute; 6 lets one in every 10 seconds, 0 nobody.",
  ),
  session_duration: optional(amount(0.05, 1_440, "minutes"), 10, "How long someone inside may be idle before the place is given away."),
  session_max_minutes: optional(amount(0.05, 10_080, "minutes"), 60, "How long a visit may last, idle or not."),
  disable_session_renewal: optional(
    flag(),
    false,
    "A visit ends session_duration after it began, idle or not; session_max_minutes has no say then.",
  ),
  reentry_window_minutes: optional(
    amount(0, 1_440, "minutes"),
    10,
    "How long after an idle end someone may go straight back in, if a place is free.",
  ),
  pass_refresh_seconds: optional(
    amount(1, 600, "seconds"),
    30,
    "How old a pass may get before the Room is asked again; the shortest time after which a copied pass is noticed. More than twice what the site takes to answer.",
  ),
  reserve_seconds: optional(amount(5, 600, "seconds"), 20, "How long a called visitor who has not answered holds a place."),
  claim_window_seconds: optional(
    amount(150, 3_600, "seconds"),
    180,
    "How long a call stays valid: go in within this time or miss the turn.",
  ),
  max_calls: optional(whole(1, 20, "calls"), 3, "How often someone who keeps missing the turn is called again."),
  absent_after_seconds: optional(
    amount(72, 7_200, "seconds"),
    200,
    "Someone near the front who was not seen for this long is passed over until back.",
  ),
  poll_near_seconds: optional(amount(1, 60, "seconds"), 3, "How often a waiting page near the front asks."),
  poll_far_seconds: optional(amount(1, 600, "seconds"), 60, "How often a waiting page far back asks."),
  queue_capacity: optional(
    orOff(whole(0, 100_000_000, "people")),
    "off",
    "How many people may wait at once; later ones are told that the line is full.",
  ),
  revoke_bound_seconds: optional(
    amount(3, 60, "seconds"),
    5,
    "How long a place given up by leaving or removal stays empty, so that every edge knows before it is used again.",
  ),
  cookie_max_age_hours: optional(amount(1, 720, "hours"), 24, "How long a browser keeps its place without coming back."),
  queue_all: optional(flag(), false, "Pause: nobody goes in, everybody keeps the place."),
  suspended: optional(
    flag(),
    false,
    "Room off: everybody goes straight to the site, also where the room is closed outside its events: the switch for an emergency.",
  ),
  mode: optional(
    oneOf("active", "shadow"),
    "active",
    "shadow counts and decides as ever but holds nobody, and tells what it would have done in a header and in the statistics: to try a room on live traffic.",
  ),
  queueing_method: optional(
    oneOf("fifo", "random", "passthrough", "reject"),
    "fifo",
    "Who is called first. fifo: who came first; random: dealt among those who come within shuffle_window_seconds; passthrough: everybody goes straight in; reject: nobody may join.",
  ),
  shuffle_window_seconds: optional(
    amount(0.5, 60, "seconds"),
    2,
    "With queueing_method = random: places are dealt among those who come within this time, so that a faster connection gains nothing.",
  ),
  events: optional(tables(32, "an event"), [], "Scheduled sales; see below."),
  closed_outside_events: optional(flag(), false, "Outside its events nobody goes in or joins."),
  beacon: optional(
    oneOf("drand", "none"),
    "drand",
    "Public randomness in the draw of a shuffled event; with none, whoever runs the room could have known the order.",
  ),
  beacon_wait_seconds: optional(
    amount(15, 3_600, "seconds"),
    60,
    "How long to wait for the beacon's number once it is due, 10 to 13 seconds after the start; then the draw is made without, and says so.",
  ),
  settle_seconds: optional(
    amount(0, 3_600, "seconds"),
    120,
    "How long after a draw nobody is passed over for being away; then those who were not seen since are. 0: never for that.",
  ),
  queueing_status_code: optional(oneOf(200, 202, 429, 503), 200, "The HTTP status of the waiting page."),
  json_response_enabled: optional(
    flag(),
    false,
    "Answer requests whose Accept prefers application/json to text/html as Cloudflare Waiting Room answers apps: cfWaitingRoom with queueing_status_code. They wait in line whatever their method.",
  ),
  aws_event_id: optional(
    name("Sample-Event"),
    "",
    "Answer clients made for AWS Virtual Waiting Room under /__vestibule/rooms/<room>/aws/, for the event of this id; needs the secret AWS_TOKEN_KEY. Off if empty.",
  ),
  enabled_origin_commands: optional(
    someOf(...ORIGIN_COMMANDS),
    [],
    "What the site may say about a visit by a response header: revoke by Cf-Waiting-Room-Command, the others by Vestibule-Command.",
  ),
  slow_down: optional(
    slowDown(),
    "off",
    "A brake for a site that struggles: when more than max_error_percent of its replies fail, or 5 in 100 take longer than max_p95_ms to their first byte, new_users_per_minute is halved at once, and again while that lasts, down to floor_per_minute. full-rate gives it back; with recover = true it also comes back by itself, in small steps.",
  ),
  failure_policy: optional(
    oneOf("closed", "open"),
    "closed",
    "What newcomers and people in line meet while the Room cannot be reached: closed keeps them waiting; open lets a few go in, in no order, after open_after_seconds.",
  ),
  open_after_seconds: optional(
    amount(5, 3_600, "seconds"),
    60,
    "failure_policy = open: how long the connection to the Room must have failed, without one answer in between.",
  ),
  entry: optional(
    oneOf("open", "invited", "identified"),
    "open",
    "Who may join: anybody; who holds an invitation (npm run invite); who is known by the site's own log-in. People with a place are never asked again.",
  ),
  identity_cookie: optional(name("session"), "", "identified: the cookie that holds the log-in's JWT."),
  identity_header: optional(name("Authorization"), "", "identified: the header that holds it; a scheme such as Bearer may stand in front."),
  identity_issuer: optional(text(512, false), "", "identified: the JWT's iss, exactly."),
  identity_audience: optional(text(512, false), "", "identified: what the JWT's aud must be or hold."),
  identity_claim: optional(name("sub"), "sub", "identified: the claim that tells one person from another."),
  identity_jwks_url: optional(
    secureUrl(),
    "",
    "identified: where the log-in publishes its keys (JWKS). If empty, the room's shared key in the secret IDENTITY_KEYS counts.",
  ),
  identity_jwks_refetch_seconds: optional(
    amount(1, 3_600, "seconds"),
    30,
    "identified: the keys are fetched at most this often because a JWT names one that is not known.",
  ),
  identity_login_url: optional(
    place(),
    "",
    "identified: where visitors log in, shown to those who are not; it must lie outside the room, or in a path that bypass_rules open to everybody.",
  ),
  challenge: optional(
    oneOf("off", "pow", "turnstile"),
    "off",
    "What a newcomer is asked for before a place is given, where proof is due. pow: work for the device, by ALTCHA; turnstile: Cloudflare's check, which needs the secret TURNSTILE_SECRET. Nobody with a place is ever asked.",
  ),
  challenge_everyone: optional(flag(), false, "Every newcomer is asked for proof, not only those over a limit."),
  join_limit_per_minute: optional(
    whole(0, 1_000_000, "new places per minute from one IPv4 /24 or IPv6 /64 without proof; 0 = no limit"),
    0,
    "How many places one network prefix may take per minute before its newcomers meet over_limit. Where a prefix always made a part of the crowd the limit grows with the rest of the crowd.",
  ),
  join_limit_address_per_minute: optional(
    whole(0, 1_000_000, "new places per minute from one IPv4 address without proof; 0 = no limit"),
    0,
    "The same for a single IPv4 address.",
  ),
  join_limit_wide_per_minute: optional(
    whole(0, 1_000_000, "new places per minute from one IPv6 /48 without proof; 0 = no limit"),
    0,
    "The same for an IPv6 /48, which one customer may hold whole.",
  ),
  over_limit: optional(
    oneOf("challenge", "refuse"),
    "challenge",
    "What someone over a limit meets: challenge asks for proof, refuse asks to try again later.",
  ),
  free_entries: optional(
    whole(0, 1_000_000, "entries of one IPv4 /24 or IPv6 /64, 16 times as many of an IPv6 /48; 0 = all"),
    0,
    "How many entries one network prefix may make in a lobby with a draw before its newcomers are asked for proof; it gets dearer each time the number of its entries doubles.",
  ),
  under_attack_joins_per_minute: optional(
    whole(0, 100_000_000, "attempts to join per minute; 0 = never by itself"),
    0,
    "Above it the room counts as under attack by itself: every newcomer is asked for proof, and everybody for one step more.",
  ),
  trusted_networks: optional(networks(64), [], "Networks whose newcomers are never counted by a limit and never asked for proof."),
  refused_networks: optional(networks(64), [], "Networks whose newcomers get no place. Whoever has one keeps it."),
  turnstile_sitekey: optional(name("0x4AAAAAAA"), "", "turnstile: the widget's public key."),
  turnstile_action: optional(name("vestibule"), "vestibule", "turnstile: the action that the widget names and Cloudflare confirms."),
  turnstile_outage: optional(
    oneOf("closed", "pow"),
    "pow",
    "turnstile: what newcomers meet while Cloudflare cannot be asked: pow, a proof of work in its place; closed, try again later.",
  ),
  public_totals: optional(
    oneOf("exact", "rounded", "hidden"),
    "rounded",
    "How visitors see totals; their own place, or the number of their entry in a draw, is always exact.",
  ),
  bypass_rules: optional(
    bypassRules(),
    [],
    "Requests that go to the site without a place and are not counted: webhooks, health checks, log-ins. The first rule that fits counts; all its conditions must hold.",
  ),
  staff_places: optional(
    whole(0, STAFF_PLACES_MAX, "people, besides total_active_users; 0 = nobody"),
    0,
    "How many people of the house may be inside outside the count, by staff links.",
  ),
  webhooks: optional(
    webhooks(),
    [],
    "Who is told what of this room, by signed webhooks: name; url, or the secret WEBHOOK_URLS where it is one; tell = queueing, wait, errors, entries, brake, settings, draws, limits, any of them (all if left out); secret_version, one more than before = another secret (1).",
  ),
  tell_wait_over_minutes: optional(
    amountOrZero(0.5, 100_000, "minutes"),
    30,
    "webhooks are told (wait) when somebody who joins now would wait longer. 0: never.",
  ),
  tell_errors_over_percent: optional(
    amountOrZero(0.1, 100, "percent of the replies of the last minute"),
    5,
    "webhooks are told (errors) when more of the site's replies fail. 0: never.",
  ),
  expected_visitors: optional(
    whole(0, 100_000_000, "people a day; 0 = not said"),
    0,
    "How many people you expect in a day, or in the event: warnings say whether workers_plan carries them. Nothing else depends on it.",
  ),
  presets: optional(
    presets(),
    [],
    "Pairs of rate and capacity by name, such as a soft start and the normal pace: the console puts them into its dials. Nothing else depends on it.",
  ),
  workers_plan: optional(
    oneOf("unknown", "free", "paid"),
    "unknown",
    "The plan of the Cloudflare account, which the Worker cannot see; the console asks for it once.",
  ),
  cors_origins: optional(
    origins(32),
    [],
    "Origins whose scripts may ask this room with credentials and read our replies; their preflights are answered by us.",
  ),
  cookie_domain: optional(cookieDomain(), "", "The domain of the cookies, for a room that spans hosts; each host its own if empty."),
  bind_network: optional(
    oneOf("off", "pass", "ticket"),
    "off",
    "Notice when a pass, or with ticket a ticket too, is shown from another network: the Room is asked at once, and a visit that moves often by a button.",
  ),
  partitioned_cookies: optional(flag(), false, "Mark cookies Partitioned, for a site that is shown in frames of other sites."),
  frame_ancestors: optional(
    origins(16),
    [],
    "Origins whose pages may show the waiting page in a frame: those that frame the site. Nobody's if empty. In frames of other sites it needs partitioned_cookies as well.",
  ),
  ...PAGE_SETTINGS,
  location_hint: optional(
    oneOf("auto", "wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"),
    "auto",
    "Where Cloudflare should create the room's Durable Object; counts only the first time, auto = near the first visitor.",
  ),
} as const satisfies Record<string, Setting<unknown>>;

export { BYPASS_DOC } from "./bypass-schema";

export type SettingName = keyof typeof SETTINGS;

/** Values after validation, snake_case, in the operator's units. */
export type SettingValues = { [Name in SettingName]: v.InferOutput<(typeof SETTINGS)[Name]["schema"]> };

/** Part of the deployment: routes and cookies' paths hang on them, so they change only with wrangler.toml. */
export const DEPLOY_ONLY: readonly SettingName[] = ["host", "path", "additional_routes", "location_hint"];

/** Changing these would orphan the cookies that people hold: refused while anyone waits or is inside, unless forced. */
export const FIXED_WHILE_OCCUPIED: readonly SettingName[] = ["cookie_domain", "partitioned_cookies"];

/** Settings of Cloudflare Waiting Room and of DESIGN that are not built yet: refused by name, never accepted and ignored. */
export const NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ["rules", "not built yet; see bypass_rules"],
  ["turnstile_mode", "not built yet; see challenge"],
  ["trusted_proxies", "not built yet"],
  ["case_sensitive_paths", "not built yet; paths ignore case"],
  ["custom_page_html", "not built yet as a setting; a page of your own is uploaded: PUT …/rooms/<room>/template"],
  ["metrics", "not built yet as a setting; GET …/admin/api/metrics has every room's"],
  ["jurisdiction", "not built yet; see location_hint"],
  ["cookie_suffix", "not built yet; cookies carry the room's name"],
  ["cookie_attributes", "not built yet; see cookie_domain and partitioned_cookies"],
]);

/** Values of built settings that are not built yet. */
export const VALUES_NOT_BUILT: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([["over_limit", ["slow"]]]);
