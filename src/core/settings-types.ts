/**
 * The settings of a room after validation: plain data that every part reads.
 * Pure: types only. `settings.ts` (the schema) is the only producer of these values.
 */
import type { Lang } from "./languages";
import type { WordOverrides } from "./word-overrides";

/** A host and path prefix that a room protects. `host: "*"` is the catch-all, for development. */
export interface RoomRoute {
  /** Lower-case host without port or trailing dot, or `"*"`. */
  readonly host: string;
  /** Path prefix, starts with `/`; matches case-insensitively and ends at a segment boundary. */
  readonly path: string;
}

export type PublicTotals = "exact" | "rounded" | "hidden";

export type QueueingMethod = "fifo" | "random" | "passthrough" | "reject";

/** How the page shows the number of people ahead. */
export type PositionDisplay = "exact" | "rounded" | "capped" | "hidden";

/** How the page looks where it is the operator's; null = as ours. Colours are `#rrggbb`. */
export interface LookSettings {
  readonly accentColor: string | null;
  readonly accentColorDark: string | null;
  readonly backgroundColor: string | null;
  readonly backgroundColorDark: string | null;
  readonly colorScheme: "auto" | "light" | "dark";
  /** Names of files that the Room keeps. */
  readonly logo: string | null;
  readonly template: string | null;
  /** "" = the logo stands beside the title and says nothing that the title does not. */
  readonly logoAlt: string;
  /** Origins that the template's scripts may be of and may ask. */
  readonly templateOrigins: readonly string[];
}

/** What a site may say about a visit; `revoke` is Cloudflare's word. */
export type OriginCommand = "revoke" | "release" | "extend" | "done";

/** Who may join. */
export type Entry = "open" | "invited" | "identified";

/** How visitors of an `identified` room are recognised by the site's own log-in. */
export interface IdentitySettings {
  /** Name of the cookie that holds the JWT; null = none. */
  readonly cookie: string | null;
  /** Name of the header, lower case; null = none. */
  readonly header: string | null;
  readonly issuer: string;
  readonly audience: string;
  /** The claim that tells one person from another. */
  readonly claim: string;
  /** Where the public keys are; null = the room's shared key of IDENTITY_KEYS. */
  readonly jwksUrl: string | null;
  /** Shortest time between two fetches because of a key that is not known, ms. */
  readonly jwksRefetchMs: number;
  /** Where visitors log in: a path of the site or an https URL; null = not told. */
  readonly loginUrl: string | null;
}

export interface TurnstileSettings {
  readonly sitekey: string;
  readonly action: string;
  /** What newcomers meet while siteverify cannot be reached. */
  readonly outage: "closed" | "pow";
}

/** When the site counts as struggling, and how far the rate falls then. */
export interface SlowDownSettings {
  readonly maxErrorPercent: number;
  /** Of the time to the first byte. */
  readonly maxP95Ms: number;
  readonly floorPerMinute: number;
  /** The rate comes back by itself, in small steps. */
  readonly recover: boolean;
}

/** What a webhook can be told of. */
export type Topic = "queueing" | "wait" | "errors" | "entries" | "brake" | "settings" | "draws" | "limits";

export interface Webhook {
  /** Unique within the room. */
  readonly name: string;
  /** "" = the secret WEBHOOK_URLS has it. */
  readonly url: string;
  readonly tell: readonly Topic[];
  /** Which of its secrets signs; the one before signs as well. */
  readonly secretVersion: number;
}

/** A rule by which requests go to the site without a place. All that is not null must hold. */
export interface BypassRule {
  /** Canonical; this path and what is below it, or with `exact` this one alone. */
  readonly path: string | null;
  readonly exact: boolean;
  readonly methods: readonly string[] | null;
  /** CIDR prefixes. */
  readonly networks: readonly string[] | null;
  /** Names of keys in BYPASS_KEYS. */
  readonly signedBy: string | null;
  readonly tokenOf: string | null;
  /** Of the site; value null = whatever it is. */
  readonly cookie: { readonly name: string; readonly value: string | null } | null;
  readonly verifiedBot: boolean;
}

/** Settings that an event may change for its duration. */
export type EventOverrides = Partial<
  Omit<
    RoomSettings,
    | "routes"
    | "events"
    | "closedOutsideEvents"
    | "locationHint"
    | "bypassRules"
    | "corsOrigins"
    | "staffPlaces"
    | "mode"
    | "awsEventId"
    | "webhooks"
  >
>;

/** A scheduled sale. Times are ms since the Unix epoch. */
export interface RoomEvent {
  /** Unique within the room; its name in the admin API and in draw records. */
  readonly name: string;
  /** The lobby opens; null = no lobby. */
  readonly prequeueStartMs: number | null;
  /** The cut-off of entries, and when the doors open. */
  readonly startMs: number;
  readonly endMs: number;
  readonly shuffle: boolean;
  /** Passes from before the lobby stay good. */
  readonly keepSessions: boolean;
  /** Called off, with this message to those who had entered; null = it takes place. */
  readonly cancelled: string | null;
  /** Minutes east of UTC in which the operator wrote the start: shown beside the visitor's own time. */
  readonly utcOffsetMinutes: number;
  /** Differences from the room's own settings for its duration. */
  readonly overrides: EventOverrides;
}

/** One room's validated settings. Durations are milliseconds, whatever unit the operator wrote. */
export interface RoomSettings {
  readonly routes: readonly RoomRoute[];
  /** Places: people inside, plus places held by calls, plus unproven leases, never exceed it (P1). */
  readonly totalActiveUsers: number;
  /** Entries per minute (P2). May be fractional; 0 lets nobody in. */
  readonly newUsersPerMinute: number;
  readonly sessionDurationMs: number;
  /** From the entry on; `sessionDurationMs` at most where sessions are not renewed. */
  readonly sessionMaxMs: number;
  readonly reentryWindowMs: number;
  readonly passRefreshMs: number;
  readonly reserveMs: number;
  readonly claimWindowMs: number;
  readonly maxCalls: number;
  readonly absentAfterMs: number;
  readonly pollNearMs: number;
  readonly pollFarMs: number;
  /** Most people who may wait at once; null = no limit. */
  readonly queueCapacity: number | null;
  readonly revokeBoundMs: number;
  readonly cookieMaxAgeMs: number;
  /** Pause: nobody enters. */
  readonly queueAll: boolean;
  /** Room off: everybody goes straight to the site. */
  readonly suspended: boolean;
  /** `shadow`: nobody is held. */
  readonly mode: "active" | "shadow";
  readonly queueingMethod: QueueingMethod;
  /** `random`: arrivals within one window of this length are dealt as one draw. */
  readonly shuffleWindowMs: number;
  /** After a draw, those who were not seen for this long are passed over. */
  readonly settleMs: number;
  /** Public randomness of a shuffled event's draw, and how long to wait for it. */
  readonly beacon: "drand" | "none";
  readonly beaconWaitMs: number;
  readonly closedOutsideEvents: boolean;
  /** Sorted by time; none overlap. */
  readonly events: readonly RoomEvent[];
  readonly queueingStatusCode: 200 | 202 | 429 | 503;
  /** Apps that ask for JSON get `cfWaitingRoom`. */
  readonly jsonResponseEnabled: boolean;
  /** Clients made for AWS Virtual Waiting Room are answered, by this id of their event; null = they are not. */
  readonly awsEventId: string | null;
  /** What the site may say about the visit that a reply belongs to. */
  readonly enabledOriginCommands: readonly OriginCommand[];
  /** null = off. */
  readonly slowDown: SlowDownSettings | null;
  readonly failurePolicy: "closed" | "open";
  readonly openAfterMs: number;
  readonly entry: Entry;
  readonly identity: IdentitySettings;
  readonly challenge: "off" | "pow" | "turnstile";
  readonly challengeEveryone: boolean;
  /** New places per minute without proof of one network prefix (IPv4 /24, IPv6 /64), IPv4 address, IPv6 /48; 0 = no limit. */
  readonly joinLimitPerMinute: number;
  readonly joinLimitAddressPerMinute: number;
  readonly joinLimitWidePerMinute: number;
  readonly overLimit: "challenge" | "refuse";
  /** Entries of one network prefix in a lobby's draw without proof; 0 = all. */
  readonly freeEntries: number;
  /** Attempts to join per minute above which the room is under attack by itself; 0 = never. */
  readonly underAttackJoinsPerMinute: number;
  /** CIDR prefixes whose newcomers are never counted and never asked. */
  readonly trustedNetworks: readonly string[];
  /** CIDR prefixes whose newcomers are refused at the edge. */
  readonly refusedNetworks: readonly string[];
  readonly turnstile: TurnstileSettings;
  readonly publicTotals: PublicTotals;
  readonly bypassRules: readonly BypassRule[];
  /** Origins whose scripts may ask with credentials. */
  readonly corsOrigins: readonly string[];
  /** Passes of staff links that may count at once, besides `totalActiveUsers`. */
  readonly staffPlaces: number;
  readonly webhooks: readonly Webhook[];
  /** A newcomer waits longer; 0 = never told. */
  readonly tellWaitOverMinutes: number;
  /** More of the last minute's replies failed; 0 = never told. */
  readonly tellErrorsOverPercent: number;
  /** In a day, or in the event; 0 = not said. */
  readonly expectedVisitors: number;
  /** As somebody has said it. */
  readonly workersPlan: "unknown" | "free" | "paid";
  readonly cookieDomain: string | null;
  readonly bindNetwork: "off" | "pass" | "ticket";
  readonly partitionedCookies: boolean;
  readonly frameAncestors: readonly string[];
  readonly title: string;
  readonly message: string;
  /** In place of `message`, by language. */
  readonly messages: Readonly<Partial<Record<Lang, string>>>;
  /** Of visitors whose own language the page does not have. */
  readonly defaultLanguage: Lang;
  /** Texts of the page in place of ours. */
  readonly words: Readonly<Partial<Record<Lang, WordOverrides>>>;
  readonly positionDisplay: PositionDisplay;
  readonly look: LookSettings;
  readonly locationHint: string | null;
}
