/** Words of the operator's own: what is refused, by name, and where they end up. */
import { describe, expect, test } from "vitest";
import { estimate, plural } from "../../src/core/durations";
import { english } from "../../src/core/languages/en";
import { parseRoom } from "../../src/core/settings";
import { overrideProblem, withOverrides, wordNames } from "../../src/core/word-overrides";

const ROOM = { host: "shop.test", total_active_users: 10, new_users_per_minute: 10 };
const problemsOf = (more: object) => {
  const parsed = parseRoom("shop", { ...ROOM, ...more });
  return parsed.ok ? [] : parsed.problems.map(({ setting, problem }) => `${setting} ${problem}`);
};

describe("words of the operator's own", () => {
  test("[PAGE-22] any text can be replaced, and nothing else changes", () => {
    for (const name of wordNames()) expect(overrideProblem(name, "")).not.toBeNull();
    const own = {
      "waiting.heading": "Hello",
      "called.body": ["Come in."],
      leave_confirm: "Yes",
      "ahead.few": "some",
      "proof.stop": "Halt",
    };
    for (const [name, value] of Object.entries(own)) expect(overrideProblem(name, value), name).toBeNull();
    const words = withOverrides(english, own);
    expect([words.kinds.waiting.heading, words.kinds.called.body, words.leaveConfirm, words.ahead.few, words.proof.stop]).toEqual(
      Object.values(own),
    );
    expect(words.ahead.other).toBe(english.ahead.other);
    expect(english.kinds.waiting.heading).not.toBe("Hello");
    expect(words.kinds.called.heading).toBe(english.kinds.called.heading);
  });

  test("[PAGE-22] a placeholder is filled in wherever it stands", () => {
    expect(plural({ other: "{n} of {n}" }, 7, "en")).toBe("7 of 7");
    expect(estimate({ minSeconds: 600, maxSeconds: 1_200 }, { ...english, range: "{from}–{to}, {from} at best" }, "en")).not.toMatch(
      /[{}]/,
    );
  });

  test("[PAGE-22] what does not fit is refused by name, with what would", () => {
    const rows: [string, unknown, RegExp][] = [
      ["waiting.headin", "x", /nearest is waiting\.heading/],
      ["no.such.thing.at.all", "x", /is no text of the page/],
      ["__proto__", "x", /is no text/],
      ["waiting.heading", ["x"], /must be a text/],
      ["called.body", "x", /list of at most 8 texts/],
      ["called.body", ["{valid} and {due}"], /has \{due\}, but filled in there is \{valid\}/],
      ["leave", "{n}", /nothing is filled in there/],
      ["wait", "soon", /lacks \{wait\}/],
      ["leave", "a\nb", /on one line/],
      ["leave", "x".repeat(501), /1 to 500 characters/],
    ];
    for (const [name, value, why] of rows) expect(overrideProblem(name, value), name).toMatch(why);
  });

  test("[PAGE-22] settings name the language and the text that is wrong", () => {
    expect(problemsOf({ words: { en: { leave: "Go" } }, messages: { de: "Hallo" }, default_template_language: "de-DE" })).toEqual([]);
    expect(problemsOf({ words: { en: { leav: "Go" }, xx: {} } }).join("\n")).toMatch(/en, leav[\s\S]*nearest is leave[\s\S]*xx/);
    expect(problemsOf({ messages: { klingon: "nuqneH" } }).join()).toMatch(/klingon/);
    expect(problemsOf({ messages: { de: "x".repeat(281) } }).join()).toMatch(/280/);
    expect(problemsOf({ default_template_language: "de" }).join()).toMatch(/default_template_language.*"de-DE"/);
    expect(problemsOf({ words: { en: Object.fromEntries(wordNames().map((name) => [name, "x".repeat(400)])) } })).not.toEqual([]);
  });
});
