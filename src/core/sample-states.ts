/**
 * One status for every kind of thing a visitor can meet: made-up numbers, for previews, screenshots and tests of the page. Pure.
 */
import type { Status } from "./status";
import type { Kind } from "./words";

/** Someone waiting far back, changed by `change`. @param now ms since the Unix epoch */
export function sampleStatus(now: number, change: Partial<Status> = {}): Status {
  return {
    state: "waiting",
    room: "demo",
    slot: 2493,
    ahead: 1204,
    waiting: 2300,
    eta: { minSeconds: 620, maxSeconds: 840 },
    phase: "open",
    message: "",
    now,
    pollAfterMs: 20_000,
    reason: null,
    ...change,
  };
}

const nobody: Partial<Status> = { slot: null, ahead: null, waiting: null, eta: null };
const placed: Partial<Status> = { ahead: null, eta: null };

/** A shuffled sale that starts in twelve minutes. */
export function sampleEvent(now: number) {
  return {
    name: "drop",
    opensAt: now - 1_080_000,
    startsAt: now + 720_000,
    plannedAt: now + 720_000,
    endsAt: now + 7_920_000,
    utcOffsetMinutes: 60,
    entries: 18_312,
    commitment: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
    beacon: "drand",
  } as const satisfies Status["event"];
}

/** As a room gives it; its signature is nobody's. */
function sampleChallenge(now: number) {
  return {
    kind: "pow",
    cost: 1,
    altcha: {
      parameters: {
        algorithm: "PBKDF2/SHA-256",
        cost: 1_000,
        data: { cost: 1, holder: "AAECAwQFBgcICQoLDA0ODw", instead: false, kid: "k1", steps: 4_000 },
        expiresAt: now / 1_000 + 600,
        keyLength: 32,
        keyPrefix: "0f".repeat(16),
        keySignature: "1e".repeat(32),
        nonce: "2d".repeat(16),
        salt: "3c".repeat(16),
      },
      signature: "4b".repeat(32),
    },
  } as const satisfies Status["challenge"];
}

export function sampleStates(now: number): Readonly<Record<Kind, Status>> {
  const EVENT = sampleEvent(now);
  const status = (change: Partial<Status> = {}) => sampleStatus(now, change);
  const entered: Partial<Status> = { ...nobody, phase: "lobby", state: "lobby", event: EVENT, draw: { id: 7, entry: 4_711 } };
  return {
    joining: status({ ...nobody, state: "joining" }),
    "in-app": status({ ...nobody, state: "joining", reason: "in-app-browser", dueInMs: 15_000, pollAfterMs: 15_000, pollExactly: true }),
    "joining-unreachable": status({ ...nobody, state: "joining", reason: "room-unreachable" }),
    "storage-full": status({ ...nobody, state: "joining", reason: "storage-full" }),
    waiting: status(),
    next: status({ ahead: 0, eta: { minSeconds: 1, maxSeconds: 20 } }),
    nearly: status({ ahead: 12, eta: { minSeconds: 40, maxSeconds: 90 } }),
    slow: status({ reason: "slow", eta: { minSeconds: 5400, maxSeconds: 9000 } }),
    "not-moving": status({ reason: "rate-zero", eta: null }),
    restarted: status({ reason: "restarted", eta: null }),
    unreachable: status({ reason: "room-unreachable" }),
    paused: status({
      state: "paused",
      phase: "paused",
      reason: "paused",
      eta: null,
      message: "We are mending the checkout.\nBack at about 10:30.",
    }),
    called: status({ ...placed, state: "called", ahead: 0, holdForMs: 18_000, validForMs: 178_000 }),
    moment: status({ ...placed, state: "called", ahead: 0, reason: "moment", dueInMs: 2_400 }),
    missed: status({ ...placed, state: "returning", ahead: 0, reason: "missed-away", validForMs: 900_000 }),
    "missed-others": status({ ...placed, state: "returning", ahead: 2, reason: "missed-away", validForMs: 900_000 }),
    "welcome-back": status({ ...placed, state: "returning", ahead: 1 }),
    inside: status({ ...placed, state: "inside" }),
    "room-off": status({ ...placed, phase: "off", reason: "room-off", dueInMs: 12_000 }),
    void: status({ ...placed, state: "void", reason: "taken-over", takeoversLeft: 2 }),
    "void-final": status({ ...placed, state: "void", reason: "no-takeovers-left", takeoversLeft: 0 }),
    left: status({ ...placed, state: "ended", reason: "left" }),
    removed: status({ ...placed, state: "ended", reason: "removed" }),
    flushed: status({ ...placed, state: "ended", reason: "flushed" }),
    "turn-over": status({ ...placed, state: "ended", reason: "return-time-over" }),
    "network-changed": status({ ...placed, state: "void", reason: "network-changed" }),
    "place-void": status({ ...placed, state: "ended", reason: "place-void" }),
    "visit-over": status({ ...placed, state: "ended", reason: "session-over" }),
    ended: status({ ...placed, state: "ended", reason: "unknown" }),
    "sold-out": status({
      ...placed,
      state: "ended",
      phase: "ended",
      reason: "sold-out",
      message: "All 5,000 tickets are gone. Thank you!",
    }),
    full: status({ ...nobody, state: "full" }),
    closed: status({ ...nobody, state: "closed", reason: "joins-stopped" }),
    "network-limit": status({ ...nobody, state: "refused", reason: "network-limit" }),
    "network-refused": status({ ...nobody, state: "refused", reason: "network-refused" }),
    challenge: status({ ...nobody, state: "joining", reason: "challenge", challenge: sampleChallenge(now) }),
    "cookies-needed": status({ ...nobody, state: "refused", reason: "cookies-needed" }),
    lobby: status(entered),
    "lobby-line": status({ state: "lobby", phase: "lobby", eta: null, event: { ...EVENT, commitment: null, beacon: "none" } }),
    delayed: status({ ...entered, reason: "delayed", event: { ...EVENT, plannedAt: now + 120_000 } }),
    drawing: status({ ...entered, phase: "drawing", state: "drawing", event: { ...EVENT, beacon: "none" } }),
    "awaiting-number": status({ ...entered, phase: "drawing", state: "drawing" }),
    dealing: status({ ...nobody, state: "drawing", draw: { id: 8, entry: 3 } }),
    cancelled: status({
      ...nobody,
      state: "ended",
      reason: "cancelled",
      message: "The hall is closed. Tickets stay valid.",
      draw: { id: 7, entry: 4 },
    }),
    "cancelled-line": status({ reason: "cancelled", message: "The hall is closed. Tickets stay valid." }),
    "outside-events": status({ ...nobody, state: "closed", phase: "closed", reason: "outside-events", opensAt: now + 86_400_000 }),
    rejected: status({ ...nobody, state: "refused", reason: "rejected" }),
    "left-lobby": status({ ...nobody, state: "ended", phase: "lobby", reason: "left", draw: { id: 7, entry: 4_711 } }),
    "invitation-needed": status({ ...nobody, state: "refused", reason: "invitation-needed" }),
    "invitation-bad": status({ ...nobody, state: "refused", reason: "invitation-bad" }),
    "invitation-expired": status({ ...nobody, state: "refused", reason: "invitation-expired" }),
    "invitation-other-room": status({ ...nobody, state: "refused", reason: "invitation-other-room" }),
    "invitation-used": status({ ...nobody, state: "refused", reason: "invitation-used" }),
    "identity-needed": status({ ...nobody, state: "refused", reason: "identity-needed" }),
    "identity-bad": status({ ...nobody, state: "refused", reason: "identity-bad" }),
    "identity-expired": status({ ...nobody, state: "refused", reason: "identity-expired" }),
    "identity-unchecked": status({ ...nobody, state: "refused", reason: "identity-unchecked" }),
  };
}
