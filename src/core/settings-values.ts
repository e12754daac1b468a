/**
 * From validated values in the operator's names and units to `RoomSettings`. Pure.
 */
import { toBypassRule } from "./bypass-schema";
import type { Colours } from "./look";
import type { SettingValues } from "./settings-schema";
import type { LookSettings, RoomEvent, RoomSettings, SlowDownSettings } from "./settings-types";
import { langOfTemplate } from "./settings-words";
import type { SlowDownTable } from "./slow-down-schema";

/** @param values valid, defaults filled in */
export function toRoomSettings(values: SettingValues, events: readonly RoomEvent[]): RoomSettings {
  const seconds = (n: number) => Math.round(n * 1_000);
  const minutes = (n: number) => Math.round(n * 60_000);
  return {
    routes: [{ host: values.host, path: values.path }, ...values.additional_routes.map(({ host, path }) => ({ host, path }))],
    totalActiveUsers: values.total_active_users,
    newUsersPerMinute: values.new_users_per_minute,
    sessionDurationMs: minutes(values.session_duration),
    sessionMaxMs: minutes(values.disable_session_renewal ? values.session_duration : values.session_max_minutes),
    reentryWindowMs: minutes(values.reentry_window_minutes),
    passRefreshMs: seconds(values.pass_refresh_seconds),
    reserveMs: seconds(values.reserve_seconds),
    claimWindowMs: seconds(values.claim_window_seconds),
    maxCalls: values.max_calls,
    absentAfterMs: seconds(values.absent_after_seconds),
    pollNearMs: seconds(values.poll_near_seconds),
    pollFarMs: seconds(values.poll_far_seconds),
    queueCapacity: values.queue_capacity === "off" ? null : values.queue_capacity,
    revokeBoundMs: seconds(values.revoke_bound_seconds),
    cookieMaxAgeMs: minutes(values.cookie_max_age_hours * 60),
    queueAll: values.queue_all,
    suspended: values.suspended,
    mode: values.mode,
    queueingMethod: values.queueing_method,
    shuffleWindowMs: seconds(values.shuffle_window_seconds),
    settleMs: seconds(values.settle_seconds),
    beacon: values.beacon,
    beaconWaitMs: seconds(values.beacon_wait_seconds),
    closedOutsideEvents: values.closed_outside_events,
    events,
    queueingStatusCode: values.queueing_status_code,
    jsonResponseEnabled: values.json_response_enabled,
    awsEventId: values.aws_event_id || null,
    enabledOriginCommands: values.enabled_origin_commands,
    slowDown: values.slow_down === "off" ? null : toSlowDown(values.slow_down),
    failurePolicy: values.failure_policy,
    openAfterMs: seconds(values.open_after_seconds),
    entry: values.entry,
    identity: {
      cookie: values.identity_cookie || null,
      header: values.identity_header.toLowerCase() || null,
      issuer: values.identity_issuer,
      audience: values.identity_audience,
      claim: values.identity_claim,
      jwksUrl: values.identity_jwks_url || null,
      jwksRefetchMs: seconds(values.identity_jwks_refetch_seconds),
      loginUrl: values.identity_login_url || null,
    },
    challenge: values.challenge,
    challengeEveryone: values.challenge_everyone,
    joinLimitPerMinute: values.join_limit_per_minute,
    joinLimitAddressPerMinute: values.join_limit_address_per_minute,
    joinLimitWidePerMinute: values.join_limit_wide_per_minute,
    overLimit: values.over_limit,
    freeEntries: values.free_entries,
    underAttackJoinsPerMinute: values.under_attack_joins_per_minute,
    trustedNetworks: values.trusted_networks,
    refusedNetworks: values.refused_networks,
    turnstile: { sitekey: values.turnstile_sitekey, action: values.turnstile_action, outage: values.turnstile_outage },
    bypassRules: values.bypass_rules.map(toBypassRule),
    corsOrigins: values.cors_origins,
    staffPlaces: values.staff_places,
    publicTotals: values.public_totals,
    webhooks: values.webhooks.map(({ secret_version: secretVersion, ...webhook }) => ({ ...webhook, secretVersion })),
    tellWaitOverMinutes: values.tell_wait_over_minutes,
    tellErrorsOverPercent: values.tell_errors_over_percent,
    expectedVisitors: values.expected_visitors,
    workersPlan: values.workers_plan,
    cookieDomain: values.cookie_domain === "" ? null : values.cookie_domain,
    bindNetwork: values.bind_network,
    partitionedCookies: values.partitioned_cookies,
    frameAncestors: values.frame_ancestors,
    title: values.title,
    message: values.message,
    messages: values.messages,
    defaultLanguage: langOfTemplate(values.default_template_language),
    words: values.words,
    positionDisplay: values.position_display,
    look: lookWith(values),
    locationHint: values.location_hint === "auto" ? null : values.location_hint,
  };
}

type LookNames = "accent_color" | "accent_color_dark" | "background_color" | "background_color_dark" | "color_scheme";

function lookWith(values: SettingValues): LookSettings {
  return {
    ...coloursOf(values),
    logo: values.logo || null,
    template: values.template || null,
    logoAlt: values.logo_alt,
    templateOrigins: values.template_origins,
  };
}

export function coloursOf(values: Pick<SettingValues, LookNames>): Colours {
  return {
    accentColor: values.accent_color || null,
    accentColorDark: values.accent_color_dark || null,
    backgroundColor: values.background_color || null,
    backgroundColorDark: values.background_color_dark || null,
    colorScheme: values.color_scheme,
  };
}

function toSlowDown(table: SlowDownTable): SlowDownSettings {
  return {
    maxErrorPercent: table.max_error_percent,
    maxP95Ms: table.max_p95_ms,
    floorPerMinute: table.floor_per_minute,
    recover: table.recover,
  };
}
