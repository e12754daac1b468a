/** The table of docs/failure.md, made from the gate's own decision: who comes × how the Room fails × answer. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compileRules, rulesFor } from "../../src/core/bypass";
import { opennessOf } from "../../src/core/failure";
import { english } from "../../src/core/languages/en";
import type { Lobby, Manifest } from "../../src/core/manifest";
import { parseRoom } from "../../src/core/settings";
import type { RoomSettings } from "../../src/core/settings-types";
import { staffPassCounts } from "../../src/core/staff";
import type { Status, Trouble } from "../../src/core/status";
import { endedStatus, joiningStatus, waitingStatus } from "../../src/core/status-of";
import { entryStatus } from "../../src/core/status-of-event";
import { kindOf } from "../../src/core/telling";
import { type Asked, decide, type Facts, type Identity, type Step } from "../../src/gate/decide";
import { manifestWith } from "../support/manifest";

const FILE = fileURLToPath(new URL("../../docs/failure.md", import.meta.url));
const NOW_S = 1_790_000_000;
const NOW = NOW_S * 1_000;
/** When the last notice says no more how the Room is, as src/gate/hold.ts has it, ms. */
const OLD_MS = 10_000;

const page: Asked = { method: "read", navigation: true, form: false, prefetch: false, crawler: false };
const data: Asked = { ...page, navigation: false };
const write: Asked = { ...data, method: "write" };

const busy = manifestWith({ generation: 5, at: NOW });
const lobby: Lobby = {
  ...{ event: "drop", draw: 7, entries: 900, opensAt: NOW - 600_000, startsAt: NOW + 600_000, endsAt: NOW + 7_200_000 },
  ...{ plannedAt: NOW + 600_000, utcOffsetMinutes: 0, commitment: "ab".repeat(32), beacon: "drand" },
};

function settingsOf(failure_policy: string): RoomSettings {
  const shop = { host: "shop.example.com", total_active_users: 100, new_users_per_minute: 60 };
  const bypass_rules = [{ path: "/hook", methods: ["POST"] }];
  const parsed = parseRoom("r", { ...shop, failure_policy, bypass_rules, staff_places: 2 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

/** How the Room fails, as one isolate sees it. */
interface Failing {
  readonly policy: "closed" | "open";
  /** Since the last word of the Room, ms; null = there was none. */
  readonly quietMs: number | null;
  /** The connection has failed for so long, ms; null = that is not what fails. */
  readonly lostMs: number | null;
  readonly trouble: Trouble;
}

const FAILURES: readonly [string, Failing][] = [
  ["never reached from this isolate", { policy: "open", quietMs: null, lostMs: 120_000, trouble: "room-unreachable" }],
  ["out of reach for seconds", { policy: "open", quietMs: 5_000, lostMs: 4_000, trouble: "room-unreachable" }],
  ["for longer, `closed`", { policy: "closed", quietMs: 120_000, lostMs: 119_000, trouble: "room-unreachable" }],
  ["for longer, `open`", { policy: "open", quietMs: 120_000, lostMs: 119_000, trouble: "room-unreachable" }],
  ["overloaded, or failing by its own code", { policy: "open", quietMs: 120_000, lostMs: null, trouble: "room-unreachable" }],
  ["its storage full", { policy: "open", quietMs: 1_000, lostMs: null, trouble: "storage-full" }],
];

const times = { iat: NOW_S - 900, exp: NOW_S + 80_000 };
const nobody: Identity = { pass: null, ticket: null, entry: null, visitor: null };
const visitor: Identity = { ...nobody, visitor: { kind: "visitor", room: "r", key: "A".repeat(22), ...times } };
const ticket = (slot: number): Identity => ({ ...nobody, ticket: { kind: "ticket", room: "r", generation: 5, slot, ...times } });
const entry: Identity = {
  ...nobody,
  entry: { kind: "entry", room: "r", generation: 5, draw: 7, entry: 4, chain: "A".repeat(43), ...times },
};
const pass = (ageS: number, over: object = {}, expired = false): Identity => ({
  ...ticket(50),
  pass: {
    claims: {
      kind: "pass",
      room: "r",
      generation: 5,
      slot: 50,
      serial: 1,
      iat: NOW_S - ageS,
      exp: NOW_S + 600,
      end: NOW_S + 3_600,
      ...over,
    },
    expired,
  },
});
const openPass = { kind: "open", room: "r", key: "A".repeat(22), iat: NOW_S - 9, exp: NOW_S + 111, end: NOW_S + 591 } as const;

const WHO: readonly [string, Identity, Asked, Partial<Facts>?, Partial<Manifest>?][] = [
  ["no cookie, a page load", nobody, page],
  ["no cookie, a program", nobody, data],
  ["a cookie, no place", visitor, page],
  ["the same, a program", visitor, data],
  ["in line", ticket(200), page],
  ["in line, a program", ticket(200), data],
  ["the turn has come", ticket(50), page],
  ["an entry, in a lobby", entry, page, { draw: "pending" }, { phase: "lobby", lobby }],
  ["inside, a young pass", pass(5), page],
  ["inside, a pass to be renewed", pass(90), page],
  ["inside, a POST", pass(90), write],
  ["the pass has run out", pass(900, { exp: NOW_S - 1 }, true), page],
  ["the visit’s time is over", pass(9_000, { exp: NOW_S - 9, end: NOW_S - 1 }, true), page],
  ["a place of a former line", { ...nobody, ticket: { kind: "ticket", room: "r", generation: 4, slot: 7, ...times } }, page],
  ["let in while `open`", visitor, page, { openPass }],
  ["let in while `open`, a POST", visitor, write, { openPass }],
  ["a POST without a pass", ticket(200), write],
  ["a form without a pass", visitor, { ...write, form: true }],
  ["HEAD, prefetch, prerender", ticket(50), { ...page, prefetch: true }],
  ["a crawler", nobody, { ...page, crawler: true }],
];

/** Pages that most cells are, by a name that fits a cell. */
const SHORT = [
  ["no line", "unreachable"],
  ["no places", "storage-full"],
] as const;

/** Whom the gate lets through before it decides about anybody else, as src/gate/carry-out.ts has it. */
const BEFORE: readonly [string, (own: RoomSettings, manifest: Manifest | null, quietMs: number) => boolean][] = [
  [
    "a webhook, by a bypass rule",
    ({ bypassRules }) => {
      const asked = { url: { path: "/hook", ambiguous: false }, method: "POST", ip: null, verifiedBot: false, cookie: () => [] };
      return rulesFor(compileRules(bypassRules), asked).length > 0;
    },
  ],
  [
    "a staff pass",
    (own, manifest, quietMs) => {
      const pass = { kind: "staff", room: "r", link: 3, key: "A".repeat(22), ...times } as const;
      return staffPassCounts(pass, manifest, quietMs, own);
    },
  ],
];

function answerBefore([, passes]: (typeof BEFORE)[number], { policy, quietMs }: Failing): string {
  const manifest = quietMs === null ? null : { ...busy, at: NOW - quietMs };
  return passes(settingsOf(policy), manifest, quietMs ?? 0) ? "the site" : "as without it";
}

function answerTo([, identity, asked, more = {}, over = {}]: (typeof WHO)[number], { policy, quietMs, lostMs, trouble }: Failing): string {
  const own = settingsOf(policy);
  const manifest = quietMs === null ? null : { ...busy, ...over, at: NOW - quietMs };
  const silence = lostMs === null ? null : { sinceMs: NOW - lostMs, lastMs: NOW };
  const last = manifest === null ? null : { manifest, heardAtMs: NOW - (quietMs ?? 0), isSettled: true };
  const open = opennessOf(own, silence, last, NOW);
  const step = decide({ identity, asked, manifest, ageMs: quietMs ?? 0, settings: own, nowS: NOW_S, open, ...more });
  const told = { room: "r", manifest, settings: own, now: NOW };
  const isOld = quietMs === null || quietMs > OLD_MS;

  const shows = (status: Status, code: number) =>
    asked.navigation || asked.form ? `“${english.kinds[kindOf(status)].heading}”` : `${code} \`${status.reason ?? status.state}\``;
  const ifStored = (got: string, words: string) => (trouble === "storage-full" ? `${got}, if that can be stored; else ${words}` : words);
  const wordsFor = (what: Step): string => {
    switch (what.do) {
      case "forward-inside":
      case "forward-open":
        return "the site";
      case "enter-open":
        return `the site for one at a time; else ${wordsFor(what.otherwise)}`;
      case "cookie-check":
        return "the cookie check";
      case "cookie-needed":
        return "428 `cookies-needed`";
      case "join":
      case "rejoin":
        return ifStored("a place", shows(joiningStatus(told, trouble), 503));
      case "wait":
        return shows(waitingStatus(told, what.place.slot, isOld ? "room-unreachable" : null), isOld ? 503 : 429);
      case "claim":
        return ifStored("the site", shows(waitingStatus(told, what.place.slot, trouble), 503));
      case "hold":
        return shows(entryStatus(told, what.entry, isOld ? "room-unreachable" : null), isOld ? 503 : 429);
      case "tell-unreachable": {
        if (what.place !== null) return shows(waitingStatus({ ...told, manifest: null }, what.place.slot, "room-unreachable"), 503);
        const { entry: own } = identity;
        return shows(own === null ? joiningStatus(told, "room-unreachable") : entryStatus(told, own, "room-unreachable"), 503);
      }
      case "tell-ended":
        return shows(endedStatus(told, what.place.slot, "session-over"), 429);
      case "tell-form":
        return shows(joiningStatus(told), 429);
      case "turn-away":
        return String(what.status);
      default:
        throw new Error(`while the Room fails nobody is answered by ${what.do}`);
    }
  };
  return wordsFor(step);
}

describe("docs/failure.md", () => {
  test("[FAIL-7] has the table of who meets what, as the gate decides it", async () => {
    const head = ["the Room is", ...FAILURES.map(([name]) => name)];
    const rows = [
      ...WHO.map((who) => [who[0], ...FAILURES.map(([, failing]) => answerTo(who, failing))]),
      ...BEFORE.map((who) => [who[0], ...FAILURES.map(([, failing]) => answerBefore(who, failing))]),
    ];
    const long = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    const table = SHORT.reduce((told, [name, kind]) => told.replaceAll(`“${english.kinds[kind].heading}”`, `*${name}*`), long);
    const legend = SHORT.map(([name, kind]) => `- *${name}*: the page “${english.kinds[kind].heading}”`).join("\n");
    const text = readFileSync(FILE, "utf8").replace(/(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/, `$1\n${legend}\n\n${table}\n\n$2`);
    await expect(text).toMatchFileSnapshot(FILE);
  });

  test("[FAIL-7] [P11] people inside go on whatever fails, and nobody else reaches the site but where the door is open", () => {
    for (const who of WHO) {
      for (const [name, failing] of FAILURES) {
        const reaches = answerTo(who, failing).startsWith("the site");
        const isInside = who[0].startsWith("inside");
        const isOpen = failing.policy === "open" && failing.lostMs !== null;
        const mayStillBeStored = failing.trouble === "storage-full" && ["the turn has come", "the pass has run out"].includes(who[0]);
        if (isInside) expect([who[0], name, reaches]).toEqual([who[0], name, true]);
        else if (!isOpen && !mayStillBeStored) expect([who[0], name, reaches]).toEqual([who[0], name, false]);
      }
    }
  });
});
