/** The history check itself: one good history, and the same history with each rule of the model broken once. */
import { describe, expect, test } from "vitest";
import { History, type Kind, type Operation, type PassSeen, type Told } from "../support/history";
import { checkHistory, type Facts, RULES, type Rule } from "../support/history-check";

const FACTS: Facts = {
  issued: 4,
  totalActiveUsers: 3,
  newUsersPerMinute: 600,
  revokeBoundMs: 3_000,
  passRefreshMs: 1_000,
  staleMs: 2_000,
  outages: [],
};

const NOTHING: Told = { slot: null, state: null, ahead: null, reason: null, forwarded: false, pass: null };
const pass = (serial: number, issuedAtS: number, endsAtS = 3_600): PassSeen => ({ serial, issuedAtS, expiresAtS: issuedAtS + 60, endsAtS });
const waiting = (slot: number, ahead: number): Partial<Told> => ({ slot, state: "waiting", ahead });

interface Line extends Partial<Operation> {
  readonly says?: Partial<Told>;
}

/** One operation; without `says` its end is unknown. Times in seconds. */
function op(visitor: number, kind: Kind, fromS: number, toS: number, { says, ...more }: Line = {}): Operation {
  const told = says === undefined ? null : { ...NOTHING, ...says };
  const ended = told === null ? { to: Number.POSITIVE_INFINITY, outcome: "unknown" as const } : { to: toS * 1_000, outcome: "ok" as const };
  return { visitor, holder: 0, kind, presented: null, from: fromS * 1_000, ...ended, told, ...more };
}

const page = { forwarded: true };
const inside = (slot: number, given: PassSeen): Line => ({ says: { slot, ...page, pass: given } });
const seen = (presented: PassSeen, given: PassSeen | null = null, holder = 0): Line => ({
  presented,
  holder,
  says: { ...page, pass: given },
});
const refused = (presented: PassSeen, holder = 0): Line => ({ presented, holder, says: { state: "void", slot: 0, reason: "taken-over" } });

/** Four places: three told, slot 2 owned by a join without an answer. Visitor 0 goes in, renews and leaves; then 1, then 3. */
const GOOD: readonly Operation[] = [
  op(0, "join", 0, 1, { says: waiting(0, 0) }),
  op(0, "join", 0.5, 2, { says: waiting(0, 0) }),
  op(1, "join", 1.5, 3, { says: waiting(1, 1) }),
  op(2, "join", 2, 0),
  op(3, "join", 4, 5, { says: waiting(3, 3) }),
  op(0, "ask", 6, 7, inside(0, pass(1, 6))),
  op(1, "look", 6.5, 7.5, { says: waiting(1, 1) }),
  op(3, "look", 8, 9, { says: waiting(3, 2) }),
  op(0, "view", 8, 8.1, seen(pass(1, 6), pass(2, 8))),
  op(0, "view", 9, 9.1, seen(pass(2, 8))),
  op(1, "ask", 10, 11, inside(1, pass(1, 10))),
  op(0, "leave", 12, 13, { says: { slot: 0, state: "ended", reason: "left" } }),
  op(3, "ask", 14, 15, inside(3, pass(1, 14))),
];

const rulesOf = (operations: readonly Operation[], facts: Partial<Facts> = {}): Rule[] => [
  ...new Set(checkHistory(operations, { ...FACTS, ...facts }).map(({ rule }) => rule)),
];
const without = (index: number) => GOOD.filter((_, i) => i !== index);
const instead = (index: number, operation: Operation) => GOOD.map((each, i) => (i === index ? operation : each));
const [NEW, OLD] = [pass(2, 8), pass(1, 6)];

describe("the history check", () => {
  test("[P4] [P5] [P7] accepts a history that the model can explain", () => {
    expect(checkHistory(GOOD, FACTS)).toEqual([]);
    // The one without an answer was there after all, or never was.
    expect(rulesOf(instead(3, op(2, "join", 2, 3.5, { says: waiting(2, 2) })))).toEqual([]);
    expect(rulesOf(without(3).slice(0, 3), { issued: 2 })).toEqual([]);
    // Joins at the same time may stand either way round.
    expect(rulesOf([op(0, "join", 0, 2, { says: waiting(1, 1) }), op(1, "join", 1, 3, { says: waiting(0, 0) })], { issued: 2 })).toEqual(
      [],
    );
    // A copy that is refused, and one that takes over.
    expect(rulesOf([...GOOD, op(0, "view", 9.5, 9.6, refused(OLD, 1))])).toEqual([]);
    const taken = [
      op(0, "view", 9.5, 9.6, refused(OLD, 1)),
      op(0, "continue", 9.7, 9.8, seen(OLD, pass(3, 9), 1)),
      op(0, "view", 11, 11.1, seen(pass(3, 9), pass(4, 11), 1)),
      op(0, "view", 11.5, 11.6, refused(NEW)),
    ];
    expect(rulesOf([...GOOD, ...taken])).toEqual([]);
    // A holder who is void goes on while the Room cannot be reached, and while the pass is so young that no edge asks.
    const unreached = [op(0, "view", 9.5, 9.6, refused(OLD, 1)), op(0, "view", 9.8, 9.9, seen(OLD, null, 1))];
    expect(rulesOf([...GOOD, ...unreached], { outages: [{ from: 9_700, to: 9_850 }] })).toEqual([]);
    expect(rulesOf([...GOOD, ...unreached], { passRefreshMs: 2_000 })).toEqual([]);
  });

  const broken: readonly [Rule, string, readonly Operation[], Partial<Facts>?][] = [
    [
      "slot-twice",
      "two visitors have one slot",
      [op(0, "join", 0, 2, { says: waiting(0, 0) }), op(1, "join", 1, 3, { says: waiting(0, 0) })],
      { issued: 1 },
    ],
    ["slot-changed", "a second join of the same key gets another slot", instead(1, op(0, "join", 0.5, 2, { says: waiting(2, 0) }))],
    [
      "join-overtaken",
      "a join that began after another had returned stands before it",
      [op(0, "join", 0, 1, { says: waiting(1, 1) }), op(1, "join", 2, 3, { says: waiting(0, 0) })],
      { issued: 2 },
    ],
    ["slot-not-issued", "the Room forgot a slot that it gave", GOOD, { issued: 3 }],
    ["slot-without-owner", "a slot that no join can own", without(3)],
    ["slot-without-owner", "two slots, and one join without an answer", GOOD, { issued: 5 }],
    ["slot-without-owner", "the join without an answer began after a later slot had been given", instead(3, op(2, "join", 5.5, 0))],
    ["slot-without-owner", "the join had been refused", instead(3, op(2, "join", 2, 0, { outcome: "fail" }))],
    [
      "place-lost",
      "a place is not known any more",
      [...GOOD, op(1, "look", 5, 6, { says: { slot: 1, state: "ended", reason: "unknown" } })],
    ],
    [
      "place-lost",
      "a ticket is not known any more",
      [...GOOD, op(1, "look", 5, 6, { says: { state: "joining", reason: "cookies-needed" } })],
    ],
    ["turn-overtaken", "told to wait long after a later slot went in", [...GOOD, op(1, "look", 17.1, 18, { says: waiting(1, 1) })]],
    ["turn-overtaken", "told of people ahead who had been called long before", [...GOOD, op(3, "look", 9.1, 9.2, { says: waiting(3, 3) })]],
    ["two-sessions", "one slot, two sessions", instead(9, op(0, "view", 9, 9.1, seen(NEW, pass(3, 9, 7_200))))],
    ["serial-back", "a crash brought an old serial back", instead(9, op(0, "view", 9, 9.1, seen(NEW, pass(1, 9))))],
    [
      "two-branches",
      "a copy goes on beside the browser",
      [
        ...GOOD,
        op(0, "view", 8.5, 8.6, seen(OLD, pass(3, 8), 1)),
        op(0, "view", 9.5, 9.6, seen(NEW, pass(4, 9))),
        op(0, "view", 10, 10.1, seen(pass(3, 8), pass(5, 10), 1)),
      ],
    ],
    [
      "two-branches",
      "a copy is let through although the browser has gone on",
      [
        ...GOOD,
        op(0, "view", 8.5, 8.6, seen(OLD, pass(3, 8), 1)),
        op(0, "view", 9.5, 9.6, seen(NEW, pass(4, 9))),
        op(0, "view", 10, 10.1, seen(pass(3, 8), null, 1)),
      ],
    ],
    [
      "void-renewed",
      "a holder who was refused is given a pass",
      [...GOOD, op(0, "view", 8.2, 8.3, refused(OLD, 1)), op(0, "view", 8.5, 8.6, seen(OLD, pass(3, 8), 1))],
    ],
    [
      "void-forwarded",
      "a holder who was refused is let through",
      [...GOOD, op(0, "view", 9.5, 9.6, refused(OLD, 1)), op(0, "view", 9.8, 9.9, seen(OLD, null, 1))],
    ],
    ["cut-short", "a good pass meets the line", instead(9, op(0, "view", 9, 9.1, { presented: NEW, says: waiting(0, 0) }))],
    ["place-lost", "the browser itself is void without a copy", [...GOOD, op(0, "look", 9, 9.1, refused(NEW))]],
    ["too-many", "two places where there is one", GOOD, { totalActiveUsers: 1 }],
    ["too-many", "a place is given again before the old pass is refused everywhere", GOOD, { totalActiveUsers: 2, revokeBoundMs: 4_000 }],
    ["too-fast", "entries faster than the rate", GOOD, { newUsersPerMinute: 3 }],
  ];

  test.each(broken)("[P4] [P5] [P7] %s: %s", (rule, _, operations, facts) => {
    expect(rulesOf(operations, facts)).toEqual([rule]);
  });

  test("[P4] [P5] [P7] each of its rules is broken above", () => {
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(RULES));
  });

  test("[P7] what is not told to have ended may have happened", () => {
    let time = 0;
    const history = new History(() => time++);
    const call = { visitor: 1, holder: 0, kind: "join", presented: null } as const;
    history.invoke(call);
    history.invoke(call).ok({ ...NOTHING, slot: 0 });
    history.invoke({ ...call, visitor: 2 }).fail();
    expect(history.operations.map(({ from, to, outcome }) => [from, to, outcome])).toEqual([
      [0, Number.POSITIVE_INFINITY, "unknown"],
      [1, 2, "ok"],
      [3, 4, "fail"],
    ]);
    expect(rulesOf(history.operations, { issued: 1 })).toEqual([]);
    expect(rulesOf(history.operations, { issued: 2 })).toEqual(["slot-without-owner"]);
  });
});
