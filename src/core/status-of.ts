/**
 * From a manifest and what is known of one visitor to the `Status` they are told. Pure arithmetic; no clock, no I/O.
 * `now` is the edge's time, ms; everything in the manifest is Room time. An old manifest only shows a longer wait (P8).
 */
import type { ClaimVerdict, JoinVerdict } from "./exchange";
import type { Manifest } from "./manifest";
import type { Challenge } from "./proof";
import type { DoorReason, Eta, Status, StatusReason, Trouble } from "./status";
import { closedStatus, lobbyStatus } from "./status-of-event";
import { type PollSettings, slowPoll, statusWith, type Told, waitingTotal } from "./status-parts";

export type { PollSettings, Told } from "./status-parts";

/** Polls aim at this share of the time left: near the front often, far back seldom. */
const POLL_SHARE = 1 / 8;
/** A line that moves at less than this share of its rate is called slow. */
const SLOW_SHARE = 0.5;
/** The quickest wait told supposes at most this much more speed than was measured. */
const OPTIMISM = 1.5;
/** When a room is switched off, people go in by themselves over this long, ms. */
export const ROOM_OFF_SPREAD_MS = 30_000;
/** How soon a page asks again while a join is on its way, ms, and how late at most: a join that nobody asks for is given up. */
const JOINING_POLL_MS = { least: 2_000, most: 15_000 };
/** Nobody is told to ask sooner than the damper of status requests lets them (GATE-60). */
const MOMENT_POLL_MIN_MS = 1_000;

/** Someone whose turn has not come: `slot` ≥ admitted epoch, or a slot of a generation this manifest does not know yet. */
export function waitingStatus(told: Told, slot: number, why: "restarted" | Trouble | null = null): Status {
  const { manifest, settings } = told;
  const isTrouble = why === "room-unreachable" || why === "storage-full";
  if (manifest === null) {
    return statusWith(told, { state: "waiting", slot, reason: why ?? "room-unreachable", pollAfterMs: slowPoll(settings) });
  }
  if (manifest.phase === "off") return roomOffStatus(told, slot);
  if (manifest.phase === "ended") return endedStatus(told, slot, "sold-out");
  if (manifest.phase === "closed") return closedStatus(told, slot);
  if (manifest.phase === "lobby" && !isTrouble) return lobbyStatus(told, manifest, slot, why);
  const ahead = Math.max(0, slot - manifest.admittedEpoch);
  const isPaused = manifest.phase === "paused";
  const known = { slot, ahead, waiting: waitingTotal(manifest, ahead), pollAfterMs: pollGap(manifest, settings, ahead) };
  if (isTrouble) return statusWith(told, { ...known, state: "waiting", reason: why, pollAfterMs: slowPoll(settings) });
  const news = why ?? (told.isCalledOff ? "cancelled" : null);
  if (isPaused) return statusWith(told, { ...known, state: "paused", reason: news ?? "paused" });
  return statusWith(told, { ...known, state: "waiting", eta: etaOf(manifest, ahead), reason: news ?? lineReason(manifest) });
}

/** What the Room answered to a claim or a look. `hadPass`: the visitor had been inside before. */
export function claimStatus(told: Told, slot: number, verdict: ClaimVerdict, hadPass: boolean): Status {
  const { manifest, settings } = told;
  const near = settings.pollNearMs;
  if (verdict.as === "called" || verdict.as === "returning" || verdict.as === "paused") {
    // A look tells of the place alone; that nobody may enter stands in the manifest that came with it.
    if (manifest?.phase === "ended") return endedStatus(told, slot, "sold-out");
    if (manifest?.phase === "closed") return closedStatus(told, slot);
    if (manifest?.phase === "lobby") return lobbyStatus(told, manifest, slot);
    if (verdict.as === "paused" || manifest?.phase === "paused")
      return statusWith(told, { state: "paused", slot, reason: "paused", pollAfterMs: Math.min(settings.pollFarMs, near * 2) });
  }
  switch (verdict.as) {
    case "entered":
    case "inside":
      return statusWith(told, { state: "inside", slot, pollAfterMs: near });
    case "moment": {
      const dueInMs = Math.max(0, verdict.dueInMs);
      return statusWith(told, {
        state: "called",
        slot,
        reason: "moment",
        dueInMs,
        pollAfterMs: Math.max(MOMENT_POLL_MIN_MS, Math.min(dueInMs, near)),
      });
    }
    case "called":
      return statusWith(told, {
        state: "called",
        slot,
        holdForMs: verdict.holdForMs,
        validForMs: verdict.validForMs,
        ...(verdict.extendable && { extendable: true }),
        pollAfterMs: near,
      });
    case "waiting":
      return waitingStatus(told, slot);
    case "returning": {
      const validForMs = Math.max(0, verdict.untilMs - (manifest?.at ?? told.now));
      const reason = hadPass ? null : "missed-away";
      return statusWith(told, { state: "returning", slot, ahead: Math.max(0, verdict.ahead), validForMs, reason, pollAfterMs: near });
    }
    case "void": {
      if (verdict.moved) return statusWith(told, { state: "void", slot, reason: "network-changed", pollAfterMs: settings.pollFarMs });
      const left = Math.max(0, verdict.takeoversLeft);
      const reason = left > 0 ? "taken-over" : "no-takeovers-left";
      return statusWith(told, { state: "void", slot, takeoversLeft: left, reason, pollAfterMs: settings.pollFarMs });
    }
    case "ended":
      return endedStatus(told, slot, verdict.why);
    case "restarted":
      return waitingStatus(told, slot, "restarted");
  }
}

/** Over: the only way on is a new place. */
export function endedStatus(told: Told, slot: number | null, why: StatusReason): Status {
  return statusWith(told, { state: "ended", slot, reason: why, pollAfterMs: told.settings.pollFarMs });
}

/** Inside, as far as the pass tells. */
export function insideStatus(told: Told, slot: number | null): Status {
  return statusWith(told, { state: "inside", slot, pollAfterMs: told.settings.pollNearMs });
}

/** The Room is off: everybody goes in, waiting people spread by their slot or entry so that they do not come in one instant. */
export function roomOffStatus(told: Told, slot: number | null, entry: number | null = null): Status {
  const number = slot ?? entry;
  const dueInMs = number === null ? 0 : (((Math.imul(number, 0x9e3779b1) >>> 0) / 2 ** 32) * ROOM_OFF_SPREAD_MS) | 0;
  return statusWith(told, { state: "called", slot, reason: "room-off", dueInMs, pollAfterMs: Math.max(dueInMs, told.settings.pollNearMs) });
}

/** A newcomer whose join is on its way, or who has only a visitor token. `why`: it gets no further. `delayMs`: about how long it will take. */
export function joiningStatus(told: Told, why: Trouble | null = null, delayMs = 0): Status {
  const { least, most } = JOINING_POLL_MS;
  return statusWith(told, {
    state: "joining",
    reason: why,
    pollAfterMs: why === null ? Math.round(Math.min(most, Math.max(least, delayMs))) : slowPoll(told.settings),
  });
}

/** In the browser of another app: the page joins in `leftMs`, or when it is told to. */
export function inAppStatus(told: Told, leftMs: number): Status {
  return statusWith(told, { state: "joining", reason: "in-app-browser", dueInMs: leftMs, pollAfterMs: leftMs, pollExactly: true });
}

/** Nobody we know: there is no cookie of ours, so there is no place. */
export function cookiesNeededStatus(told: Told): Status {
  return statusWith(told, { state: "joining", reason: "cookies-needed", pollAfterMs: told.settings.pollFarMs });
}

/** The Room refused a new place. */
export function refusedStatus(told: Told, verdict: Extract<JoinVerdict, { as: "refused" }>): Status {
  const pollAfterMs = Math.max(told.settings.pollNearMs, verdict.retryAfterMs);
  switch (verdict.why) {
    case "full":
      return statusWith(told, { state: "full", pollAfterMs });
    case "stopped":
      if (verdict.banned) return statusWith(told, { state: "refused", reason: "rejected", pollAfterMs: told.settings.pollFarMs });
      return statusWith(told, { state: "closed", reason: "joins-stopped", pollAfterMs });
    case "ended":
      return endedStatus(told, null, "sold-out");
    case "closed":
      return closedStatus(told, null);
    case "reject":
      return statusWith(told, { state: "refused", reason: "rejected", pollAfterMs });
    case "network":
      return statusWith(told, { state: "refused", reason: "network-limit", pollAfterMs });
    case "used":
      return doorStatus(told, "invitation-used");
  }
}

/** The room asks for an invitation or a log-in, and this newcomer has none that counts. */
export function doorStatus(told: Told, why: DoorReason): Status {
  const pollAfterMs = why === "identity-unchecked" ? slowPoll(told.settings) : told.settings.pollFarMs;
  return statusWith(told, { state: "refused", reason: why, pollAfterMs });
}

/** Something has to be shown before a place is given. Asked again seldom: what helps is the answer, or that fewer people come. */
export function challengeStatus(told: Told, challenge: Challenge): Status {
  const pollAfterMs = challenge.again === "unchecked" ? slowPoll(told.settings) : told.settings.pollFarMs;
  return statusWith(told, { state: "joining", reason: "challenge", challenge, pollAfterMs });
}

/** From one of `refused_networks`: no place, whatever is shown. */
export function networkRefusedStatus(told: Told): Status {
  return statusWith(told, { state: "refused", reason: "network-refused", pollAfterMs: told.settings.pollFarMs });
}

/** What the manifest alone says to newcomers; null = they may join. Costs no call to the Room. */
export function closedToNewcomers(told: Told): Status | null {
  const { manifest, settings } = told;
  if (manifest === null) return null;
  if (manifest.phase === "closed") return closedStatus(told, null);
  if (manifest.joins === "open" && manifest.phase !== "ended") return null;
  const why = manifest.phase === "ended" || manifest.joins === "open" ? "ended" : manifest.joins;
  return refusedStatus(told, { as: "refused", why, retryAfterMs: settings.pollFarMs });
}

function etaOf(manifest: Manifest, ahead: number): Eta | null {
  const { epochPerMinute: measured, ratePerMinute: rate } = manifest;
  // Nothing measured (a young or a full room) or nothing promised: a number would be invented.
  if (!(measured > 0) || !(rate > 0)) return null;
  // The set rate is the best case only if the line has lately come near it: where places are short, it never will.
  const quick = Math.max(measured, Math.min(rate, measured * OPTIMISM));
  return { minSeconds: Math.floor((ahead * 60) / quick), maxSeconds: Math.ceil(((ahead + 1) * 60) / measured) };
}

function lineReason(manifest: Manifest): StatusReason | null {
  if (!(manifest.ratePerMinute > 0)) return "rate-zero";
  const measured = manifest.epochPerMinute;
  return measured > 0 && measured < manifest.ratePerMinute * SLOW_SHARE ? "slow" : null;
}

function pollGap(manifest: Manifest, settings: PollSettings, ahead: number): number {
  const perMinute = Math.max(manifest.epochPerMinute, manifest.ratePerMinute);
  const expectedMs = perMinute > 0 ? (ahead * 60_000) / perMinute : Number.POSITIVE_INFINITY;
  return Math.round(Math.min(settings.pollFarMs, Math.max(settings.pollNearMs, expectedMs * POLL_SHARE)));
}
