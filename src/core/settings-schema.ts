/**
 * Every setting of a room: its values and its default. The one list that validation and docs/settings.md come from; what each means is in
 * settings-about.ts. Pure.
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
  host: required(host()),
  path: optional(path(), "/"),
  additional_routes: optional(routes(32), []),
  total_active_users: required(whole(1, 1_000_000, "people; to let nobody in, set queue_all = true or new_users_per_minute = 0")),
  new_users_per_minute: required(amountOrZero(0.01, 1_000_000, "people per minute")),
  session_duration: optional(amount(0.05, 1_440, "minutes"), 10),
  session_max_minutes: optional(amount(0.05, 10_080, "minutes"), 60),
  disable_session_renewal: optional(flag(), false),
  reentry_window_minutes: optional(amount(0, 1_440, "minutes"), 10),
  pass_refresh_seconds: optional(amount(1, 600, "seconds"), 30),
  reserve_seconds: optional(amount(5, 600, "seconds"), 20),
  claim_window_seconds: optional(amount(150, 3_600, "seconds"), 180),
  max_calls: optional(whole(1, 20, "calls"), 3),
  absent_after_seconds: optional(amount(72, 7_200, "seconds"), 200),
  poll_near_seconds: optional(amount(1, 60, "seconds"), 3),
  poll_far_seconds: optional(amount(1, 600, "seconds"), 60),
  queue_capacity: optional(orOff(whole(0, 100_000_000, "people")), "off"),
  revoke_bound_seconds: optional(amount(3, 60, "seconds"), 5),
  cookie_max_age_hours: optional(amount(1, 720, "hours"), 24),
  queue_all: optional(flag(), false),
  suspended: optional(flag(), false),
  mode: optional(oneOf("active", "shadow"), "active"),
  queueing_method: optional(oneOf("fifo", "random", "passthrough", "reject"), "fifo"),
  shuffle_window_seconds: optional(amount(0.5, 60, "seconds"), 2),
  events: optional(tables(32, "an event"), []),
  closed_outside_events: optional(flag(), false),
  beacon: optional(oneOf("drand", "none"), "drand"),
  beacon_wait_seconds: optional(amount(15, 3_600, "seconds"), 60),
  settle_seconds: optional(amount(0, 3_600, "seconds"), 120),
  queueing_status_code: optional(oneOf(200, 202, 429, 503), 200),
  json_response_enabled: optional(flag(), false),
  aws_event_id: optional(name("Sample-Event"), ""),
  enabled_origin_commands: optional(someOf(...ORIGIN_COMMANDS), []),
  slow_down: optional(slowDown(), "off"),
  failure_policy: optional(oneOf("closed", "open"), "closed"),
  open_after_seconds: optional(amount(5, 3_600, "seconds"), 60),
  entry: optional(oneOf("open", "invited", "identified"), "open"),
  identity_cookie: optional(name("session"), ""),
  identity_header: optional(name("Authorization"), ""),
  identity_issuer: optional(text(512, false), ""),
  identity_audience: optional(text(512, false), ""),
  identity_claim: optional(name("sub"), "sub"),
  identity_jwks_url: optional(secureUrl(), ""),
  identity_jwks_refetch_seconds: optional(amount(1, 3_600, "seconds"), 30),
  identity_login_url: optional(place(), ""),
  challenge: optional(oneOf("off", "pow", "turnstile"), "off"),
  challenge_everyone: optional(flag(), false),
  join_limit_per_minute: optional(
    whole(0, 1_000_000, "new places per minute from one IPv4 /24 or IPv6 /64 without proof; 0 = no limit"),
    0,
  ),
  join_limit_address_per_minute: optional(
    whole(0, 1_000_000, "new places per minute from one IPv4 address without proof; 0 = no limit"),
    0,
  ),
  join_limit_wide_per_minute: optional(whole(0, 1_000_000, "new places per minute from one IPv6 /48 without proof; 0 = no limit"), 0),
  over_limit: optional(oneOf("challenge", "refuse"), "challenge"),
  free_entries: optional(whole(0, 1_000_000, "entries of one IPv4 /24 or IPv6 /64, 16 times as many of an IPv6 /48; 0 = all"), 0),
  under_attack_joins_per_minute: optional(whole(0, 100_000_000, "attempts to join per minute; 0 = never by itself"), 0),
  trusted_networks: optional(networks(64), []),
  refused_networks: optional(networks(64), []),
  turnstile_sitekey: optional(name("0x4AAAAAAA"), ""),
  turnstile_action: optional(name("vestibule"), "vestibule"),
  turnstile_outage: optional(oneOf("closed", "pow"), "pow"),
  public_totals: optional(oneOf("exact", "rounded", "hidden"), "rounded"),
  bypass_rules: optional(bypassRules(), []),
  staff_places: optional(whole(0, STAFF_PLACES_MAX, "people, besides total_active_users; 0 = nobody"), 0),
  webhooks: optional(webhooks(), []),
  tell_wait_over_minutes: optional(amountOrZero(0.5, 100_000, "minutes"), 30),
  tell_errors_over_percent: optional(amountOrZero(0.1, 100, "percent of the replies of the last minute"), 5),
  expected_visitors: optional(whole(0, 100_000_000, "people a day; 0 = not said"), 0),
  presets: optional(presets(), []),
  workers_plan: optional(oneOf("unknown", "free", "paid"), "unknown"),
  cors_origins: optional(origins(32), []),
  cookie_domain: optional(cookieDomain(), ""),
  bind_network: optional(oneOf("off", "pass", "ticket"), "off"),
  partitioned_cookies: optional(flag(), false),
  frame_ancestors: optional(origins(16), []),
  ...PAGE_SETTINGS,
  location_hint: optional(oneOf("auto", "wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"), "auto"),
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
