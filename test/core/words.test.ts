/** What visitors are told: words for every state, numbers and estimates. */
import { describe, expect, test } from "vitest";
import { estimate, fill, number, plural, span } from "../../src/core/durations";
import { english } from "../../src/core/languages/en";
import type { StatusReason, VisitorState } from "../../src/core/status";
import { kindOf, tell } from "../../src/core/telling";
import { KINDS, type Kind } from "../../src/core/words";
import { STATES, status } from "../support/page-states";

const context = { title: "Demo shop", lang: "en", auto: true };

// `Record` makes a state or reason that is added to the type, but not here, fail to compile.
const states = Object.keys({
  joining: 0,
  waiting: 0,
  called: 0,
  returning: 0,
  inside: 0,
  void: 0,
  paused: 0,
  ended: 0,
  full: 0,
  refused: 0,
  closed: 0,
  lobby: 0,
  drawing: 0,
} satisfies Record<VisitorState, 0>) as VisitorState[];
const reasons = Object.keys({
  paused: 0,
  "rate-zero": 0,
  slow: 0,
  moment: 0,
  "missed-away": 0,
  restarted: 0,
  "room-unreachable": 0,
  "storage-full": 0,
  "room-off": 0,
  "taken-over": 0,
  "no-takeovers-left": 0,
  left: 0,
  removed: 0,
  flushed: 0,
  "return-time-over": 0,
  "session-over": 0,
  "place-void": 0,
  "network-changed": 0,
  "sold-out": 0,
  "joins-stopped": 0,
  "network-limit": 0,
  "network-refused": 0,
  challenge: 0,
  "cookies-needed": 0,
  "in-app-browser": 0,
  delayed: 0,
  cancelled: 0,
  "outside-events": 0,
  rejected: 0,
  "invitation-needed": 0,
  "invitation-bad": 0,
  "invitation-expired": 0,
  "invitation-other-room": 0,
  "invitation-used": 0,
  "identity-needed": 0,
  "identity-bad": 0,
  "identity-expired": 0,
  "identity-unchecked": 0,
  unknown: 0,
} satisfies Record<StatusReason, 0>) as StatusReason[];

describe("words", () => {
  test("[PAGE-1] every state with every reason has a title, a heading and no unfilled placeholder", () => {
    for (const state of states) {
      for (const reason of [null, ...reasons]) {
        for (const numbers of [
          {},
          { slot: null, ahead: null, eta: null },
          { ahead: 0, dueInMs: 900, validForMs: 61_000, takeoversLeft: 1 },
        ]) {
          const told = tell(status({ state, reason, ...numbers }), english, context);
          const texts = [told.title, told.heading, told.sentence, told.estimate ?? "-", told.count?.label ?? "-", ...told.body];
          for (const text of texts) expect(text, `${state} ${reason}`).toMatch(/^[^{}]+$/);
          expect(told.title).toContain("Demo shop");
        }
      }
    }
  });

  test("[PAGE-1] each kind of page is reached by its own state, and no two kinds say the same", () => {
    for (const kind of KINDS) expect(kindOf(STATES[kind])).toBe(kind);
    const said = KINDS.map((kind) => {
      const { heading, body, estimate } = tell(STATES[kind], english, context);
      return [heading, ...body, estimate].join(" ");
    });
    expect(new Set(said).size).toBe(KINDS.length);
  });

  test("[PAGE-1] C3 the missed-turn table: what is said, and the button", () => {
    const rows: [Kind, RegExp, string | null, boolean][] = [
      ["missed", /missed your turn while away.*You are next/, null, false],
      ["missed-others", /missed your turn while away.*among the next/, null, false],
      ["moment", /your turn.*opens for you in 3 seconds/, null, true],
      ["welcome-back", /Welcome back/, null, false],
      ["left", /left the line.*end of the line/, "join", false],
      ["removed", /ended/, "join", false],
      ["network-changed", /Your place is kept/, "continue", false],
      ["place-void", /another browser showed this place first/, "join", false],
      ["flushed", /emptied/, "join", false],
      ["turn-over", /turn has passed/, "join", false],
      ["visit-over", /visit has ended/, "join", false],
      ["void", /another window.*continue here 2 more times/, "continue", false],
      ["void-final", /too often to be continued here/, "join", false],
      ["restarted", /room was restarted.*new place/, null, false],
    ];
    for (const [kind, words, act, enters] of rows) {
      const told = tell(STATES[kind], english, context);
      expect(told.sentence, kind).toMatch(words);
      expect(told.act, kind).toBe(act);
      expect(told.enters, kind).toBe(enters);
    }
  });

  test("[PAGE-1] somebody with a place is told that it is kept, where nothing moves", () => {
    for (const kind of ["paused", "unreachable", "not-moving"] as const) {
      const told = tell(STATES[kind], english, context);
      expect(told.body.join(" ")).toContain("You keep your place");
      expect(told.count?.number).toBe("1,204");
    }
    expect(tell(STATES["joining-unreachable"], english, context).sentence).not.toContain("keep your place");
  });

  test("[PAGE-25] since when the message stands, in the visitor's own time, or in UTC", () => {
    const paused = { ...STATES.paused, messageAt: status().now - 3_600_000 };
    expect(tell(paused, english, context).messageAt).toBe("As of Sun, Nov 29, 08:21 AM (UTC)");
    const own = { locale: "en-GB", zone: "Europe/Berlin" };
    expect(tell(paused, english, { ...context, own }).messageAt).toBe("As of Sun 29 Nov, 09:21 CET");
    expect(tell(STATES.paused, english, context).messageAt).toBeNull();
  });

  test("[PAGE-2] the number: exact, in its plural, and none when nobody is ahead", () => {
    const at = (ahead: number | null) => tell(status({ ahead }), english, context);
    expect(at(1204).count).toEqual({ number: "1,204", label: "people ahead of you" });
    expect(at(1).count).toEqual({ number: "1", label: "person ahead of you" });
    expect(at(1204).title).toBe("1,204 ahead · You are in line – Demo shop");
    expect(at(0)).toMatchObject({ kind: "next", count: null, heading: "You are next", title: "You are next – Demo shop" });
    expect(at(null).count).toBeNull();
  });

  test("[PAGE-2] others who came back are told apart from people in line", () => {
    expect(tell(STATES["missed-others"], english, context).count?.label).toBe("others who came back are ahead of you");
    expect(plural(english.aheadReturning, 1, "en")).toBe("other person who came back is ahead of you");
  });

  test("[PAGE-3] the estimate is a range of coarse steps, rounded outwards", () => {
    const rows: [number, number, string][] = [
      [0, 1, "less than 1 minute"],
      [0, 60, "less than 1 minute"],
      [0, 61, "less than 2 minutes"],
      [60, 120, "1–2 minutes"],
      [600, 600, "about 10 minutes"],
      [620, 840, "10–15 minutes"],
      [3600, 5400, "60–90 minutes"],
      [5400, 9000, "90 minutes to 2.5 hours"],
      [7200, 10_800, "2–3 hours"],
      [40_000, 90_000, "more than 10 hours"],
      [90_000, 200_000, "more than 24 hours"],
    ];
    for (const [minSeconds, maxSeconds, words] of rows) expect(estimate({ minSeconds, maxSeconds }, english, "en")).toBe(words);
  });

  test("[PAGE-3] no estimate where none holds: paused, not moving, unreachable, not known yet", () => {
    const eta = { minSeconds: 60, maxSeconds: 120 };
    for (const kind of ["paused", "not-moving", "unreachable", "called", "moment", "missed", "full"] as const) {
      expect(tell({ ...STATES[kind], eta }, english, context).estimate, kind).toBeNull();
    }
    expect(tell(status({ eta: null }), english, context).estimate).toBe("We can’t estimate the wait yet.");
    expect(tell(STATES.waiting, english, context).estimate).toBe("Estimated wait: 10–15 minutes");
  });

  test("[PAGE-3] time to come is rounded up, time that is left is rounded down", () => {
    expect(span(2_100, "en", true)).toBe("3 seconds");
    expect(span(900, "en", true)).toBe("1 second");
    expect(span(178_900, "en", false)).toBe("2 minutes");
    expect(span(119_900, "en", false)).toBe("119 seconds");
    expect(span(-5, "en", false)).toBe("0 seconds");
  });

  test("[PAGE-4] nothing promises that something is still available, and waiting people are told so", () => {
    expect(english.placeNotes.join(" ")).toContain("does not mean that what you want is still available");
    const all = JSON.stringify(english);
    for (const promise of [/guarantee/i, /reserved for you/i, /you will get/i, /hang tight/i]) expect(all).not.toMatch(promise);
  });

  test("[PAGE-4] where the place is kept and what leaving means is said", () => {
    const notes = english.placeNotes.join(" ");
    expect(notes).toContain("Your place is kept in this browser; it is lost if you clear cookies or close a private window.");
    expect(notes).toContain("at least 10 minutes to come back");
    expect(english.leaveConsequence).toMatch(/goes to the next person.*end of the line/);
  });

  test("[PAGE-3] texts follow the language: plural forms and numbers by Intl, sentences without their value left out", () => {
    const forms = { one: "{n} osoba", few: "{n} osoby", many: "{n} osób", other: "{n} osoby" };
    expect([1, 2, 5].map((n) => plural(forms, n, "pl"))).toEqual(["1 osoba", "2 osoby", "5 osób"]);
    expect(number(1204, "de")).toBe("1.204");
    expect(fill("in {due}", { due: "3 s" })).toBe("in 3 s");
    expect(fill("in {due}", {})).toBeNull();
    expect(fill("in {due}", { due: undefined })).toBeNull();
  });
});
