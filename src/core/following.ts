/**
 * A status that goes on: when an open stream looks again, what is worth telling, and when it ends and the visitor is to ask anew
 * (docs/decisions/0038). Pure: time and randomness are arguments; milliseconds throughout.
 *
 * An open stream is weak evidence that somebody is there: a frozen phone keeps its connection. So near the front the stream ends each time
 * the visitor is due to be seen, and only who asks again is.
 */
import type { Manifest } from "./manifest";
import type { Status, VisitorState } from "./status";

/** A stream looks at the manifest at least so often, ±25 %; near the front as often as a page would ask. */
export const LOOK_MAX_MS = 10_000;
/** How old a manifest does for a look far from the front. */
export const FOLLOW_STALE_MS = 4_000;
/** Something is told at least so often: networks close a connection that is silent for a minute. */
export const TELL_MAX_MS = 45_000;
/** A number is told again when it is off by more than this share. */
export const COARSE = 1 / 16;
/** Estimates are shown in coarse steps, and start from a measurement that wavers. */
const ESTIMATE_COARSE = 1 / 8;
const ESTIMATE_LEAST_S = 20;
/**
 * Longest life of a stream, of which each takes three quarters or more: those that began together do not end together. Long before half of a
 * cookie's time is over, which only a question renews.
 */
const LIFE_MS = 4 * 3_600_000;
/** The same where the Room is not heard of: its isolate may be of a version that the Room does not understand any more. */
const UNHEARD_LIFE_MS = 3_600_000;
/** So long before an absence shows, at least, somebody near the front has to ask: a hidden tab asks a minute late, and looks and the Room's pace take time. */
const SEEN_REST_MS = 80_000;
/** Share of `absent_after` after which they have to ask at the latest. */
const SEEN_SHARE = 0.6;
/** A stream that ends sooner is not worth it. */
const SEEN_LEAST_MS = 15_000;
/** So much further from their turn than `absent_after`, an open stream is evidence enough … */
const SEEN_MARGIN_MS = 40_000;
/** … and stands for its visitor once more within so much of that, so that one sign of life is enough from there to the turn. */
const SEEN_LAST_MS = 2 * LOOK_MAX_MS;
/** So long before an absence shows, by the slowest estimate, the turn is near enough to need no other sign than going in. */
const TURN_REST_MS = 40_000;
/** Manifests and sightings that one stream asks for itself: a request on the free plan may make 50 calls of any kind, and each of these makes three. */
export const FETCHES_MAX = 15;
/** Ask at once. */
const NOW_MS = 1_000;

/** Somebody who only has to wait. Everybody else asks as before. */
const WAITS: ReadonlySet<VisitorState> = new Set(["waiting", "paused", "lobby", "drawing"]);

/** What a stream remembers. */
export interface Following {
  readonly openedAtMs: number;
  /** Numbers in [0, 1), of this stream alone. */
  readonly lifeShare: number;
  readonly seenShare: number;
  readonly generation: number;
  readonly revokedKeys: number;
  readonly told: Status;
  readonly toldAtMs: number;
  /** Since when this slot counts as seen; null = it is beyond the horizon. */
  readonly seenAtMs: number | null;
  /** Manifests and sightings that this stream has asked for. */
  readonly fetches: number;
}

/** What a look found. */
export interface Look {
  readonly nowMs: number;
  readonly status: Status;
  /** null = the Room was never reached from here. */
  readonly manifest: Manifest | null;
  readonly absentAfterMs: number;
  readonly pollFarMs: number;
  /** People may be going in without the Room: only a question lets them. */
  readonly isOpen: boolean;
  /** The place has another stream by now. */
  readonly isReplaced: boolean;
}

export type FollowStep =
  /** `seen`: the open stream stands for the visitor. */
  | { readonly as: "go-on"; readonly tell: boolean; readonly seen: boolean }
  /** Tell this and close: the visitor asks again after its `pollAfterMs`. `called`: tell what the Room says of the turn, if it can be had. */
  | { readonly as: "end"; readonly status: Status; readonly called?: true };

/** Does it make sense to follow this status? Not where the turn or the news is about to come, and the visitor is to ask anyway. */
export function canFollow(status: Status, manifest: Manifest, absentAfterMs: number): boolean {
  const isSeen = !isNear(status, manifest) || isFarFromTurn({ status, absentAfterMs }) || seenAfterMs(absentAfterMs) >= SEEN_LEAST_MS;
  return WAITS.has(status.state) && status.pollExactly !== true && isSeen;
}

/** After so long somebody near the front has to be seen again. */
function seenAfterMs(absentAfterMs: number): number {
  return Math.min(absentAfterMs * SEEN_SHARE, absentAfterMs - SEEN_REST_MS);
}

/** A stream that begins with `status`, told at `nowMs`. The question that opened it counts as a sighting. */
export function startFollowing(
  status: Status,
  manifest: Manifest,
  { nowMs, generation, random }: { readonly nowMs: number; readonly generation: number; readonly random: () => number },
): Following {
  return {
    openedAtMs: nowMs,
    lifeShare: random(),
    seenShare: random(),
    generation,
    revokedKeys: manifest.revokedKeys.length,
    told: status,
    toldAtMs: nowMs,
    seenAtMs: isNear(status, manifest) ? nowMs : null,
    fetches: 0,
  };
}

/** @param random in [0, 1) */
export function lookAfterMs({ pollAfterMs }: Status, random: number): number {
  return Math.min(LOOK_MAX_MS, pollAfterMs) * (0.75 + random / 2);
}

/** How old a manifest does for the next look. */
export function patienceMs({ pollAfterMs }: Status, nearMs: number): number {
  return pollAfterMs < LOOK_MAX_MS ? nearMs : FOLLOW_STALE_MS;
}

/** @param random in [0, 1) */
export function followStep(following: Following, look: Look, random: number): FollowStep {
  const { status, manifest, nowMs, pollFarMs } = look;
  const end = (pollAfterMs = NOW_MS, spread = false) => {
    const gap = spread ? { pollAfterMs: Math.round(NOW_MS + random * pollAfterMs), pollExactly: true as const } : { pollAfterMs };
    return { as: "end", status: { ...status, ...gap } } as const;
  };
  if (manifest !== null) {
    // What everybody hears at once: nobody asks in the same second as all others.
    const isOther = manifest.generation !== following.generation || manifest.revokedKeys.length !== following.revokedKeys;
    if (isOther || isDrawn(status, manifest)) return end(pollFarMs, true);
    if (isCalled(status, manifest)) return { ...end(), called: true };
  }
  if (!WAITS.has(status.state) || status.pollExactly === true || look.isOpen || look.isReplaced) return { as: "end", status };
  const lived = (nowMs - following.openedAtMs) / (0.75 + following.lifeShare / 4);
  if (lived >= LIFE_MS || following.fetches >= FETCHES_MAX) return end();
  if (lived >= UNHEARD_LIFE_MS && status.reason === "room-unreachable") return end(pollFarMs, true);
  const isFar = isFarFromTurn(look);
  if (!isFar && isSeenDue(following, look) && !isTurnSoon(following, look)) return end();
  const seen = isFar && (isSeenDue(following, look) || (following.seenAtMs !== null && !isFarFromTurn(look, SEEN_LAST_MS)));
  return { as: "go-on", tell: isWorthTelling(following, look), seen };
}

/** What to remember after a look that goes on. */
export function followed(following: Following, look: Look, step: FollowStep & { readonly as: "go-on" }, fetched: boolean): Following {
  const { status, manifest, nowMs } = look;
  const isWithin = manifest !== null && isNear(status, manifest);
  return {
    ...following,
    seenAtMs: !isWithin ? null : step.seen ? nowMs : (following.seenAtMs ?? nowMs),
    fetches: following.fetches + (fetched ? 1 : 0) + (step.seen ? 1 : 0),
    ...(step.tell && { told: status, toldAtMs: nowMs }),
  };
}

/** Within the horizon: whoever is not seen there is taken for absent. */
function isNear({ slot }: Status, { admittedEpoch, horizon }: Manifest): boolean {
  return slot !== null && slot >= admittedEpoch && slot < horizon;
}

/** The turn has come, by this manifest. Whoever is told so of an older one hears it soon. */
function isCalled({ slot, state }: Status, { admittedEpoch }: Manifest): boolean {
  return slot !== null && slot < admittedEpoch && WAITS.has(state);
}

/** The entry has a slot by now, which only a reply with a cookie can give. */
function isDrawn({ draw, slot }: Status, { lobby, window }: Manifest): boolean {
  return draw !== undefined && slot === null && lobby?.draw !== draw.id && window?.draw !== draw.id;
}

function isSeenDue({ seenAtMs, seenShare }: Following, { nowMs, absentAfterMs }: Look): boolean {
  return seenAtMs !== null && nowMs - seenAtMs >= seenAfterMs(absentAfterMs) * (0.8 + seenShare / 5);
}

/** The turn comes later than an absence takes to show, and by so much more, however quick the line gets. */
function isFarFromTurn({ status: { eta }, absentAfterMs }: Pick<Look, "status" | "absentAfterMs">, moreMs = 0): boolean {
  return eta !== null && eta.minSeconds * 1_000 > absentAfterMs + SEEN_MARGIN_MS + moreMs;
}

/** The turn comes before this visitor could be taken for absent, however slow the line gets. */
function isTurnSoon({ seenAtMs }: Following, { status: { eta }, nowMs, absentAfterMs }: Look): boolean {
  return eta !== null && seenAtMs !== null && nowMs - seenAtMs + eta.maxSeconds * 1_000 <= absentAfterMs - TURN_REST_MS;
}

function isWorthTelling({ told, toldAtMs }: Following, { status, nowMs }: Look): boolean {
  if (nowMs - toldAtMs >= TELL_MAX_MS) return true;
  // Whoever asks would have heard of the slightest change by now.
  if (nowMs - toldAtMs >= told.pollAfterMs && NUMBERS.some((number) => number(told) !== number(status))) return true;
  if ((["look", "state", "slot", "reason", "phase", "message"] as const).some((name) => told[name] !== status[name])) return true;
  if (isOff(told.ahead, status.ahead, COARSE, 0)) return true;
  if (isOff(told.eta?.minSeconds, status.eta?.minSeconds, ESTIMATE_COARSE, ESTIMATE_LEAST_S)) return true;
  if (isOff(told.eta?.maxSeconds, status.eta?.maxSeconds, ESTIMATE_COARSE, ESTIMATE_LEAST_S)) return true;
  return isMoved(told.event, status.event);
}

const NUMBERS: readonly ((status: Status) => number | null | undefined)[] = [
  ({ ahead }) => ahead,
  ({ waiting }) => waiting,
  ({ event }) => event?.entries,
];

/** How many have entered is no news by itself. */
function isMoved(told: Status["event"], now: Status["event"]): boolean {
  if (told === undefined || now === undefined) return told !== now;
  return (["name", "opensAt", "startsAt", "plannedAt", "endsAt", "commitment"] as const).some((name) => told[name] !== now[name]);
}

function isOff(told: number | null | undefined, now: number | null | undefined, share: number, least: number): boolean {
  if (told == null || now == null) return (told ?? null) !== (now ?? null);
  return Math.abs(told - now) > Math.max(least, Math.abs(told) * share);
}
