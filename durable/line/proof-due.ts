/**
 * What a newcomer has to show before a place is given, and how dear it is: the one decision that limits, ladder, `challenge_everyone` and
 * an attack come down to. Pure. Never asked about somebody who has a place.
 */
import { type JoinRequest, MOST_COST } from "../../src/core/exchange";
import type { ManifestChallenge } from "../../src/core/manifest";
import { stageAt } from "../../src/core/schedule";
import type { RoomSettings } from "../../src/core/settings-types";
import { lastMinute } from "./advance";
import { isUnderAttack } from "./attack";
import type { JoinFrom, JoinWorth } from "./recent-joins";
import type { LineState } from "./state";

export type Due =
  /** A place may be given, and counts as this. */
  | { readonly as: "nothing"; readonly worth: JoinWorth }
  | { readonly as: "proof"; readonly cost: number }
  /** Over a limit of a room that refuses, or of an edge that knows of no proofs. */
  | { readonly as: "refusal" };

export function fromOf({ network, address = 0, wide = 0 }: JoinRequest): JoinFrom {
  return { network, address, wide };
}

export function dueOf(line: LineState, settings: RoomSettings, request: JoinRequest): Due {
  if (request.exempt === true) return { as: "nothing", worth: { proof: 0, limited: false, slack: [], beyond: false } };
  const { now } = line.counters;
  const limits = {
    network: settings.joinLimitPerMinute,
    address: settings.joinLimitAddressPerMinute,
    wide: settings.joinLimitWidePerMinute,
  };
  const { isOver, ...standing } = line.recent.limitsOf(fromOf(request), limits, now);
  if (isOver && settings.overLimit === "refuse") return { as: "refusal" };
  const shown = Math.min(MOST_COST, request.proof ?? 0);
  const isUsed = shown > 0 && line.recent.isUsed(request.key, shown, now);
  const proof = isUsed ? 0 : shown;
  const cost = settings.challenge === "off" ? 0 : costOf(line, settings, request, isOver);
  const limited = proof === 0 || settings.overLimit === "refuse";
  if (proof >= cost) return { as: "nothing", worth: { proof, limited, ...standing } };
  if (request.proof === undefined || (isUsed && shown === MOST_COST)) return { as: "refusal" };
  // A proof that has given a place counts for nothing, and a dearer one is another proof.
  return { as: "proof", cost: Math.max(cost, isUsed ? shown + 1 : 0) };
}

function costOf(line: LineState, settings: RoomSettings, request: JoinRequest, isOver: boolean): number {
  const byLadder = ladderCost(line, settings, fromOf(request));
  return Math.min(MOST_COST, Math.max(costOfAll(line, settings), attackStep(line) + Math.max(isOver ? 1 : 0, byLadder)));
}

/** By the number of entries from there in the draw of the lobby that is open. */
function ladderCost(line: LineState, settings: RoomSettings, from: JoinFrom): number {
  const { collecting, now } = line.counters;
  const stage = stageAt(settings, now);
  if (settings.freeEntries === 0 || collecting === null || stage.in !== "lobby" || !stage.event.shuffle) return 0;
  return line.entryCounts.nextCost(collecting.id, from, settings.freeEntries);
}

function attackStep(line: LineState): number {
  return isUnderAttack(line) ? 1 : 0;
}

/** What every newcomer is asked for; 0 = nothing. */
function costOfAll(line: LineState, settings: RoomSettings): number {
  return (settings.challengeEveryone ? 1 : 0) + attackStep(line);
}

/** For the edges, which ask without a call where everybody is asked. */
export function challengeOf(line: LineState, settings: RoomSettings): ManifestChallenge | null {
  if (settings.challenge === "off") return null;
  const all = costOfAll(line, settings);
  const difficulty = difficultyOf(lastMinute(line).attempts, settings.newUsersPerMinute);
  return { kind: settings.challenge, everyone: all > 0, cost: Math.max(1, all), difficulty };
}

/** Attempts below this are no crowd, per minute. */
const CALM_PER_MINUTE = 60;
/** An old phone needs about 30 s for cost 1 then. */
const MOST_DIFFICULTY = 8;

/**
 * How much work cost 1 is: as much as at rest, or twice as much for each time that attempts to join have doubled beyond what the room lets
 * in, up to eight times.
 */
export function difficultyOf(attemptsPerMinute: number, newUsersPerMinute: number): number {
  const times = attemptsPerMinute / Math.max(CALM_PER_MINUTE, newUsersPerMinute);
  return times < 2 ? 1 : Math.min(MOST_DIFFICULTY, 2 ** Math.floor(Math.log2(times)));
}
