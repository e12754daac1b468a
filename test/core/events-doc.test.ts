/** The table of docs/events.md, made from the gate's own decision: phase of the room × who comes × answer. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { english } from "../../src/core/languages/en";
import type { Lobby, Manifest } from "../../src/core/manifest";
import type { Status } from "../../src/core/status";
import { closedToNewcomers, joiningStatus, type Told, waitingStatus } from "../../src/core/status-of";
import { cancelledStatus, entryStatus } from "../../src/core/status-of-event";
import { kindOf } from "../../src/core/telling";
import { type Asked, decide, type Facts, type Identity, type Step } from "../../src/gate/decide";
import { manifestWith } from "../support/manifest";

const FILE = fileURLToPath(new URL("../../docs/events.md", import.meta.url));
const NOW_S = 1_790_000_000;
const NOW = NOW_S * 1_000;
const page: Asked = { method: "read", navigation: true, form: false, prefetch: false, crawler: false };
const settings = {
  suspended: false,
  queueingMethod: "fifo" as const,
  revokeBoundMs: 5_000,
  passRefreshMs: 30_000,
  pollNearMs: 3_000,
  pollFarMs: 60_000,
};

const lobby: Lobby = {
  ...{ event: "drop", draw: 7, entries: 900, opensAt: NOW - 600_000, startsAt: NOW + 600_000, endsAt: NOW + 7_200_000 },
  ...{ plannedAt: NOW + 600_000, utcOffsetMinutes: 0, commitment: "ab".repeat(32), beacon: "drand" },
};
const busy = manifestWith({ generation: 5, at: NOW });

/** What the room does, and what has become of the draw that the visitor's entry belongs to. */
const PHASES: readonly [string, Partial<Manifest>, Facts["draw"] | "drawn"][] = [
  ["closed, before an event", { phase: "closed", joins: "closed", opensAt: NOW + 3_600_000 }, "dropped"],
  ["lobby, with a shuffle", { phase: "lobby", lobby, endSessionsBefore: NOW_S }, "pending"],
  [
    "lobby, without",
    { phase: "lobby", endSessionsBefore: NOW_S, lobby: { ...lobby, draw: null, commitment: null, beacon: "none" } },
    "dropped",
  ],
  ["lobby, `keep_sessions`", { phase: "lobby", lobby }, "pending"],
  ["doors open, places being drawn", { phase: "drawing", lobby, endSessionsBefore: NOW_S }, "pending"],
  ["doors open, people wait", { endSessionsBefore: NOW_S }, "drawn"],
  ["called off", { cancelled: { event: "drop", message: "" } }, "dropped"],
  ["called off, closed outside events", { phase: "closed", joins: "closed", cancelled: { event: "drop", message: "" } }, "dropped"],
  ["after it, the room is open", {}, "dropped"],
  ["`random`: in a window", { window: { draw: 7, closesAt: NOW + 2_000, commitment: "" } }, "pending"],
  ["`reject`", { joins: "reject" }, "drawn"],
  ["`passthrough`", { phase: "off" }, "drawn"],
  ["sold out", { phase: "ended", joins: "ended" }, "drawn"],
];

const times = { iat: NOW_S - 900, exp: NOW_S + 80_000 };
const nobody: Identity = { pass: null, ticket: null, entry: null, visitor: null };
const ticket = (slot: number) => ({ kind: "ticket" as const, room: "r", generation: 5, slot, ...times });
const WHO: readonly [string, Identity, (string | null)?][] = [
  ["no cookie", nobody],
  ["a cookie, no place", { ...nobody, visitor: { kind: "visitor", room: "r", key: "A".repeat(22), ...times } }],
  ["an entry", { ...nobody, entry: { kind: "entry", room: "r", generation: 5, draw: 7, entry: 4, chain: "A".repeat(43), ...times } }],
  ["a ticket from before", { ...nobody, ticket: ticket(800) }],
  [
    "a pass from before",
    {
      ...nobody,
      pass: { claims: { kind: "pass", room: "r", generation: 5, slot: 50, serial: 1, end: NOW_S + 3_600, ...times }, expired: false },
      ticket: ticket(50),
    },
  ],
];

function answerTo(manifest: Manifest, who: Identity, draw: Facts["draw"] | "drawn"): string {
  // A drawn entry is a ticket by then: here one that waits.
  const identity = draw === "drawn" && who.entry !== null ? { ...nobody, ticket: ticket(600) } : who;
  const known = draw === "drawn" || draw === undefined ? {} : { draw };
  return wordsFor(decide({ identity, asked: page, manifest, settings, nowS: NOW_S, ...known }), {
    ...{ room: "r", manifest, settings, now: NOW },
  });
}

function joins(manifest: Manifest | null): string {
  if (manifest?.window) return "enters the window";
  return manifest?.phase === "lobby" && manifest.lobby?.draw !== null ? "enters the draw" : "joins the line";
}

function wordsFor(step: Step, told: Told): string {
  const shows = (status: Status) => `“${english.kinds[kindOf(status)].heading}”`;
  switch (step.do) {
    case "forward-untouched":
      return "the site";
    case "forward-inside":
      return "the site";
    case "cookie-check":
      return "the cookie check, then as the next column";
    case "join":
      return joins(told.manifest);
    case "rejoin":
      return step.why === "draw-dropped" ? `${joins(told.manifest)} anew` : `visit ended; ${joins(told.manifest)}`;
    case "hold":
      return shows(entryStatus(told, step.entry));
    case "wait":
      return shows(waitingStatus(told, step.place.slot));
    case "claim":
      return "goes in, or is told why not";
    case "tell-closed":
      return shows(closedToNewcomers(told) ?? joiningStatus(told));
    case "tell-cancelled":
      return shows(cancelledStatus(told, step.entry));
    default:
      throw new Error(`a page load is not answered by ${step.do}`);
  }
}

describe("docs/events.md", () => {
  test("[EVENT-9] has the table of who gets which answer as the gate decides it", async () => {
    const head = ["the room", ...WHO.map(([name]) => name)];
    const rows = PHASES.map(([name, over, draw]) => [name, ...WHO.map(([, who]) => answerTo({ ...busy, ...over }, who, draw))]);
    const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    const text = readFileSync(FILE, "utf8").replace(/(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/, `$1\n${table}\n\n$2`);
    await expect(text).toMatchFileSnapshot(FILE);
  });
});
