/** Joining: a place, or an entry in a draw, for a browser that proved it keeps our cookie. Pure. */
import { toBase64url } from "../../src/core/base64url";
import { slotOf } from "../../src/core/draw-sync";
import type { Guest, JoinRequest, JoinVerdict, RefusedWhy } from "../../src/core/exchange";
import { stageAt } from "../../src/core/schedule";
import type { RoomSettings } from "../../src/core/settings-types";
import { call, horizonOf, noteAttempt, noteEpoch, noteJoin } from "./advance";
import { claim, isGone, wasFlushed } from "./claims";
import type { CollectingDraw } from "./draw-state";
import { countEntry, openDraw, sealBatch } from "./draws";
import type { GivenPlace, GuestPlace } from "./guests";
import { LIMIT_WINDOW_MS } from "./join-windows";
import { note } from "./journal";
import { dueOf, fromOf } from "./proof-due";
import type { KnownJoin } from "./recent-joins";
import { freePlaces, isClosed, isQuiet, type LineState, waitingCount } from "./state";

/** How long someone refused because the line is full, closed or ended waits before asking again, ms. */
const REFUSED_RETRY_MS = 30_000;

/** Why newcomers may not join now, or null. */
export function joinsClosed(line: LineState, settings: RoomSettings): Exclude<RefusedWhy, "network" | "used"> | null {
  const { counters } = line;
  if (counters.ended) return "ended";
  if (isClosed(line, settings)) return "closed";
  if (settings.queueingMethod === "reject") return "reject";
  if (counters.joinsStopped) return "stopped";
  const waiting = waitingCount(line) + (counters.collecting?.count ?? 0);
  if (settings.queueCapacity !== null && waiting >= settings.queueCapacity) return isQuiet(line, settings) ? null : "full";
  return null;
}

/** Everybody of one exchange, in order. Entries carry the chain as it is after all of them. */
export function joinAll(line: LineState, settings: RoomSettings, requests: readonly JoinRequest[], random: () => number): JoinVerdict[] {
  const verdicts = requests.map((request) => join(line, settings, request, random));
  const sealed = sealBatch(line);
  if (sealed === null) return verdicts;
  line.recent.sealEntries(sealed);
  const chain = toBase64url(sealed);
  line.guests.sealEntries(chain);
  return verdicts.map((verdict) => (verdict.as === "entry" && verdict.chain === "" ? { ...verdict, chain } : verdict));
}

/** A place for whoever may join. In rooms that ask for an invitation or a log-in: one for each guest, as many as an invitation makes. */
function join(line: LineState, settings: RoomSettings, request: JoinRequest, random: () => number): JoinVerdict {
  const { guest } = request;
  if (line.bans.has(request.key)) return { ...refuse(line, "stopped", REFUSED_RETRY_MS), banned: true };
  if (guest !== undefined) return joinGuest(line, settings, request, guest, random);
  // From an edge that does not know yet that the room asks; told in a word that it knows.
  if (settings.entry !== "open") return refuse(line, "stopped", REFUSED_RETRY_MS);
  const known = line.recent.find(request.key);
  return known !== null ? verdictOf(known) : joinLine(line, settings, request, random);
}

/** A guest's place is known for the whole generation, and another follows it only once it has ended. */
function joinGuest(
  line: LineState,
  settings: RoomSettings,
  request: JoinRequest,
  { invitation, replaces }: Guest,
  random: () => number,
): JoinVerdict {
  const { guests } = line;
  const held = guests.find(request.key);
  const standing = held === null ? "none" : standingOf(line, held);
  if (held !== null && (standing === "pending" || (typeof standing === "number" && !isGone(line, standing)))) return held.given;
  // Ended through no act of the guest: made good, so that the invitation counts it once.
  const wasVisitEnded = (slot: number) => line.gone.wasVisitEnded(slot) || slot < line.counters.visitsMarkedFrom;
  const isEnded = (slot: number) => (slot === replaces && wasVisitEnded(slot)) || wasFlushed(line, slot);
  const isMadeGood = typeof standing === "number" ? isEnded(standing) : standing === "dropped";
  const counted = isMadeGood ? null : (invitation?.id ?? null);
  if (joinsClosed(line, settings) === null && counted !== null && guests.usesOf(counted) >= (invitation?.uses ?? 0))
    return refuse(line, "used", REFUSED_RETRY_MS);
  const verdict = joinLine(line, settings, request, random);
  if (verdict.as === "refused" || verdict.as === "challenge") return verdict;
  const given = verdict.as === "entered" ? { as: "placed" as const, slot: verdict.pass.slot, joinedAtS: verdict.joinedAtS } : verdict;
  const isWindow = given.as === "entry" && line.counters.collecting?.closesAtMs !== null;
  guests.give(request.key, { given, isWindow }, counted);
  return verdict;
}

/** The guest's slot; `pending`: an entry whose draw is to come; `dropped`: it never takes place; `forgotten`: it did, long ago. */
function standingOf(line: LineState, { given, isWindow }: GuestPlace): number | "pending" | "dropped" | "forgotten" {
  if (given.as === "placed") return given.slot;
  const { collecting, drawing, awaiting, drawn } = line.counters;
  if ([collecting, drawing, ...awaiting].some((draw) => draw?.id === given.draw)) return "pending";
  const places = drawn.find(({ id }) => id === given.draw) ?? line.guests.drawn(given.draw);
  if (places === null) return isWindow ? "forgotten" : "dropped";
  return slotOf(places, given.entry);
}

/** A new slot or entry for `request.key`, if no proof is due that was not shown. On a quiet room with `enter` the newcomer is inside at once. */
function joinLine(line: LineState, settings: RoomSettings, request: JoinRequest, random: () => number): JoinVerdict {
  const { counters } = line;
  const { key } = request;

  const closed = joinsClosed(line, settings);
  if (closed !== null) return refuse(line, closed, REFUSED_RETRY_MS);
  // Whoever shows a proof was counted when it was asked for; a line that is started anew sends everybody at once.
  if (request.exempt !== true && !(Number(request.proof) > 0)) noteAttempt(line);
  const due = dueOf(line, settings, request);
  if (due.as === "refusal") return refuse(line, "network", LIMIT_WINDOW_MS);
  if (due.as === "proof") {
    counters.totals.challenged += 1;
    return { as: "challenge", cost: due.cost };
  }
  const { worth } = due;
  if (worth.proof > 0) counters.totals.proven += 1;
  const from = fromOf(request);

  const straightIn = request.enter && isQuiet(line, settings) && freePlaces(line, settings) >= 1;
  const join = counters.totals.joined;
  const draw = straightIn ? null : drawForNewcomers(line, settings);
  if (draw !== null) {
    noteJoin(line, null);
    const entry = countEntry(line, draw, key, from);
    return verdictOf(line.recent.add(key, from, worth, { join, draw: draw.id, number: entry }, counters.now));
  }
  const slot = counters.tail;
  counters.tail += 1;
  noteJoin(line, slot);
  const placed = verdictOf(line.recent.add(key, from, worth, { join, draw: null, number: slot }, counters.now));
  // Further back nobody is asked about, and a note for each would grow with the line (P12).
  if (slot < horizonOf(line, settings)) line.sightings.see(slot, counters.now);
  if (!straightIn) return placed;

  // Quiet means that whoever still stands between the epoch and this slot has left.
  for (; counters.epoch <= slot; counters.epoch++) line.gone.passed(counters.epoch);
  noteEpoch(line);
  call(line, settings, slot);
  const joinedAtS = Math.floor(counters.now / 1_000);
  const verdict = claim(line, settings, { slot, serial: 0, tag: request.tag, ageMs: 0, joinedAtS, intent: "enter" }, random);
  return verdict.as === "entered" ? { as: "entered", joinedAtS, pass: verdict.pass } : placed;
}

/** The draw that newcomers' entries belong to, opened if need be; null = they get slots. */
function drawForNewcomers(line: LineState, settings: RoomSettings): CollectingDraw | null {
  const { counters } = line;
  const stage = stageAt(settings, counters.now);
  if (stage.in === "lobby") {
    if (stage.event.shuffle && counters.collecting === null) throw new Error("a lobby without its draw");
    return counters.collecting;
  }
  if (settings.queueingMethod !== "random") return null;
  return counters.collecting ?? openDraw(line, "", "none", counters.now + settings.shuffleWindowMs);
}

function verdictOf({ draw, number, chain, atMs }: KnownJoin): GivenPlace {
  const joinedAtS = Math.floor(atMs / 1_000);
  return draw === null ? { as: "placed", slot: number, joinedAtS } : { as: "entry", draw, entry: number, chain, joinedAtS };
}

function refuse(line: LineState, why: RefusedWhy, retryAfterMs: number): Extract<JoinVerdict, { as: "refused" }> {
  note(line, "refused", null);
  return { as: "refused", why, retryAfterMs };
}
