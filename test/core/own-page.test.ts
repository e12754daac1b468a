/**
 * Pages of the operator's own: what is refused when they are uploaded, and five ways in which templates for Cloudflare are commonly written,
 * rendered as its documentation says.
 */
import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { english } from "../../src/core/languages/en";
import type { RoomSettings } from "../../src/core/settings-types";
import type { Status } from "../../src/core/status";
import { tell } from "../../src/core/telling";
import { CF_VARIABLES, OWN_VARIABLES, type TemplateValues, templateValues } from "../../src/core/template-values";
import { KINDS } from "../../src/core/words";
import { checkTemplate } from "../../src/template/check";
import { canShow, renderTemplate } from "../../src/template/render";
import { EVENT, NOW, STATES, status } from "../support/page-states";

const SALE: RoomSettings["events"][number] = {
  name: "drop",
  prequeueStartMs: EVENT.opensAt,
  startMs: EVENT.startsAt,
  endMs: EVENT.endsAt,
  shuffle: true,
  keepSessions: false,
  cancelled: null,
  utcOffsetMinutes: 60,
  overrides: {},
};
const SETTINGS = { queueingMethod: "fifo", events: [], closedOutsideEvents: false, positionDisplay: "exact" } as const;

function valuesOf(of: Status, settings: Partial<RoomSettings> = {}, title = "Shop"): TemplateValues {
  const telling = tell(of, english, { title, lang: "en", auto: true });
  return templateValues({ status: of, settings: { ...SETTINGS, ...settings }, telling, title, language: "en", direction: "ltr", logo: "" });
}

const render = (template: string, of: Status, settings: Partial<RoomSettings> = {}) => renderTemplate(template, valuesOf(of, settings));
const problemsOf = (text: string) => checkTemplate(text).problems;

describe("five idioms of Cloudflare's templates", () => {
  test("[OWN-3] sections: the three ways to tell a wait, each in its own state", () => {
    const template = `{{#waitTimeKnown}}<p>About {{waitTimeFormatted}}.</p>{{/waitTimeKnown}}{{^waitTimeKnown}}{{#queueIsFull}}<p>Over a day.</p>{{/queueIsFull}}{{^queueIsFull}}<p>Not known yet.</p>{{/queueIsFull}}{{/waitTimeKnown}}`;
    expect(problemsOf(template)).toEqual([]);
    expect(render(template, STATES.waiting)).toBe("<p>About 14 minutes.</p>");
    expect(render(template, STATES.full)).toBe("<p>Over a day.</p>");
    expect(render(template, STATES.paused)).toBe("<p>Not known yet.</p>");
  });

  test("[OWN-3] switches by the queueing method, with inverted sections", () => {
    const template = `{{#isFIFOQueue}}In order.{{/isFIFOQueue}}{{#isRandomQueue}}By lot: {{waitTime25Percentile}} to {{waitTime75Percentile}}.{{/isRandomQueue}}{{#isRejectQueue}}Closed.{{/isRejectQueue}}{{^isRejectQueue}} Stay.{{/isRejectQueue}}`;
    expect(problemsOf(template)).toEqual([]);
    expect(render(template, STATES.waiting)).toBe("In order. Stay.");
    expect(render(template, STATES.waiting, { queueingMethod: "random" })).toBe("By lot: 11 to 14. Stay.");
    expect(render(template, STATES.rejected, { queueingMethod: "reject" })).toBe("Closed.");
  });

  test("[OWN-3] numbers and booleans inside a script are literals in every state, known or not", () => {
    const template = `<script>
      var known = {{waitTimeKnown}}, minutes = {{waitTime}}, full = {{queueIsFull}}, every = {{refreshIntervalSeconds}};
      var p = [{{waitTime25Percentile}}, {{waitTime50Percentile}}, {{waitTime75Percentile}}], start = {{timeUntilEventStart}};
      var text = !known ? "no idea" : minutes > 60 ? Math.floor(minutes / 60) + " h" : minutes + " min";
    </script>`;
    expect(problemsOf(template)).toEqual([]);
    for (const kind of KINDS) {
      const code = /<script>([\s\S]*)<\/script>/.exec(render(template, STATES[kind]))?.[1] ?? "";
      const found = new Script(`${code}; ({ known, minutes, full, every, p, start, text })`).runInNewContext() as Record<string, unknown>;
      const types = [found["known"], found["minutes"], found["full"], found["every"], found["start"]].map((value) => typeof value);
      expect([kind, ...types]).toEqual([kind, "boolean", "number", "boolean", "number", "number"]);
    }
    expect(render("{{waitTimeKnown}} {{waitTime}}", STATES.paused)).toBe("false 0");
  });

  test("[OWN-3] durations: hours and the minutes beyond them", () => {
    const template = `{{#waitTimeHours}}{{waitTimeHours}} h {{/waitTimeHours}}{{waitTimeHourMinutes}} min ({{waitTime}}; {{ waitTimeFormatted }})`;
    expect(problemsOf(template)).toEqual([]);
    expect(render(template, STATES.slow)).toBe("2 h 30 min (150; 2 hours 30 minutes)");
    expect(render(template, STATES.waiting)).toBe("14 min (14; 14 minutes)");
    expect(render(template, STATES.paused)).toBe("0 min (0; unavailable)");
  });

  test("[OWN-3] events: before the doors open, while it is on, and otherwise", () => {
    const template = `{{#isEventActive}}{{#isEventPrequeueing}}{{#shuffleAtEventStart}}A draw{{/shuffleAtEventStart}} in {{timeUntilEventStartFormatted}}{{/isEventPrequeueing}}{{^isEventPrequeueing}}Ends in {{timeUntilEventEnd}}{{/isEventPrequeueing}}{{/isEventActive}}{{^isEventActive}}No sale ({{timeUntilEventStartFormatted}}){{/isEventActive}}`;
    const events = { events: [SALE] };
    expect(problemsOf(template)).toEqual([]);
    expect(render(template, STATES.lobby, events)).toBe("A draw in 12 minutes");
    expect(render(template, status({ now: EVENT.startsAt + 60_000 }), events)).toBe("Ends in 119");
    expect(render(template, status({ now: NOW }))).toBe("No sale (unavailable)");
  });
});

describe("every variable", () => {
  test("[OWN-3] has a value of the same kind in every state, and none is an object or nothing", () => {
    const kinds = Object.fromEntries(Object.entries(valuesOf(STATES.waiting)).map(([name, value]) => [name, typeof value]));
    expect(Object.keys(kinds).toSorted()).toEqual([...Object.keys(CF_VARIABLES), ...Object.keys(OWN_VARIABLES)].toSorted());
    expect(new Set(Object.values(kinds))).toEqual(new Set(["boolean", "number", "string"]));
    for (const kind of KINDS) {
      const values = Object.entries(valuesOf(STATES[kind], { events: [SALE] }));
      expect(Object.fromEntries(values.map(([name, value]) => [name, typeof value])), kind).toEqual(kinds);
      expect(values.filter(([, value]) => typeof value === "number" && !Number.isFinite(value))).toEqual([]);
    }
  });

  test("[OWN-1][OWN-3] refreshIntervalSeconds is when the page does load again: not below 5, at the moment that is due, never where it is over", () => {
    const refreshOf = (of: Status) => valuesOf(of).refreshIntervalSeconds;
    expect(refreshOf(status({ pollAfterMs: 20_000 }))).toBe(20);
    expect(refreshOf(status({ pollAfterMs: 3_000 }))).toBe(5);
    expect(refreshOf({ ...STATES.moment, dueInMs: 11_200 })).toBe(12);
    expect(refreshOf({ ...STATES.moment, dueInMs: 0 })).toBe(1);
    expect([refreshOf(STATES["sold-out"]), refreshOf(STATES.rejected)]).toEqual([0, 0]);
  });

  test("[OWN-3] ours tell what our page tells", () => {
    expect(valuesOf(STATES.waiting)).toMatchObject({
      state: "waiting",
      heading: "You are in line",
      aheadKnown: true,
      ahead: 1204,
      isOver: false,
    });
    expect(valuesOf(STATES.paused)).toMatchObject({ isPaused: true, message: "We are mending the checkout.\nBack at about 10:30." });
    expect(valuesOf(STATES.called)).toMatchObject({ isYourTurn: true, aheadKnown: false, ahead: 0 });
    expect(valuesOf(STATES["sold-out"])).toMatchObject({ isOver: true, heading: "Sold out" });
  });

  test("[OWN-4] W3 texts of people are escaped wherever they stand, and no tag reaches what is not a variable", () => {
    const evil = `</script><img src=x onerror=alert(1)>"'{{waitTime}}`;
    const values = valuesOf(status({ message: evil }), {}, evil);
    const html = renderTemplate(`<p title="{{title}}">{{message}}</p>`, values);
    expect(html).not.toMatch(/<img|<\/script|"'/);
    // The text is not read as a template again.
    expect(html).toContain("{{waitTime}}");
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"])
      expect(renderTemplate(`[{{${name}}}]`, values)).toBe("[]");
  });

  test("[OWN-3] {{{turnstile}}} may stand raw, and is empty", () => {
    expect(problemsOf("<div>{{{turnstile}}}</div>")).toEqual([]);
    expect(render("<div>{{{turnstile}}}</div>", STATES.waiting)).toBe("<div></div>");
  });
});

describe("what is refused", () => {
  test("[OWN-2] unknown variables, all of them by name, with the nearest", () => {
    expect(problemsOf("{{waitTime}} {{waitTimes}} {{#isFifoQueue}}{{price}}{{/isFifoQueue}} {{waitTimes}} {{title.length}} {{.}}")).toEqual(
      [
        "has {{waitTimes}}, which is no variable; the nearest is waitTime",
        "has {{isFifoQueue}}, which is no variable; the nearest is isFIFOQueue",
        "has {{price}}, which is no variable",
        "has {{title.length}}, which is no variable",
        "has {{.}}, which is no variable",
      ],
    );
  });

  test("[OWN-2] partials, raw texts of people, what is not Mustache, nothing at all", () => {
    expect(problemsOf("{{> header}}")).toEqual(["has {{> header}}: there are no partials"]);
    expect(problemsOf("{{{message}}} {{& title}} {{{waitTimeFormatted}}}")).toEqual([
      "has {{{message}}} without escaping: write {{message}}",
      "has {{{title}}} without escaping: write {{title}}",
    ]);
    expect(problemsOf("{{#waitTimeKnown}} never closed")[0]).toMatch(/^is not Mustache: Unclosed section "waitTimeKnown"/);
    expect(problemsOf("{{waitTime")[0]).toMatch(/^is not Mustache: Unclosed tag/);
    expect(problemsOf(" \n")).toEqual(["is empty: DELETE removes it"]);
  });

  test("[OWN-2] more than 1 MiB, more tags and deeper sections than any page needs; as much is taken", () => {
    const of = (bytes: number) => `é${"x".repeat(bytes - 2)}`;
    expect(problemsOf(of(1_048_576))).toEqual([]);
    expect(problemsOf(of(1_048_577))).toEqual(["has 1048577 bytes, but may have at most 1048576"]);
    expect(problemsOf("{{waitTime}}".repeat(2_000))).toEqual([]);
    expect(problemsOf("{{waitTime}}".repeat(2_001))).toEqual(["has 2001 tags, but may have at most 2000"]);
    const deep = (n: number) => "{{#queueAll}}".repeat(n) + "{{/queueAll}}".repeat(n);
    expect(problemsOf(deep(32))).toEqual([]);
    expect(problemsOf(deep(33))).toEqual(["has sections more than 32 deep"]);
  });

  test("[OWN-2] comments and other delimiters are Mustache too", () => {
    expect(problemsOf("{{! a note }}{{=<% %>=}}<% waitTime %>")).toEqual([]);
    expect(render("{{! a note }}{{=<% %>=}}<% waitTime %>{{x}}", STATES.waiting)).toBe("14{{x}}");
  });

  test("[OWN-5] scripts of elsewhere are found, however they are written", () => {
    const { origins } = checkTemplate(
      `<script src="https://cdn.test/a.js"></script><script async src='//cdn2.test/b.js'></script><script src=/own.js></script><SCRIPT SRC=https://cdn.test/c.js></SCRIPT>`,
    );
    expect(origins).toEqual(["https://cdn.test", "https://cdn2.test"]);
  });
});

describe("which pages it can be", () => {
  const shownBy = (template: string) =>
    KINDS.filter((kind) => canShow(template, tell(STATES[kind], english, { title: "", lang: "en", auto: true })));

  test("[OWN-1] none where the visitor has something to do; what is over only if it can tell so", () => {
    const plain = shownBy("{{waitTimeFormatted}}");
    const telling = shownBy("<h1>{{heading}}</h1>");
    expect(telling.filter((kind) => !plain.includes(kind))).toEqual(["sold-out", "network-refused"]);
    expect(plain).toEqual(
      expect.arrayContaining(["joining", "waiting", "paused", "called", "moment", "inside", "lobby", "full", "unreachable", "rejected"]),
    );
    for (const kind of [
      "void",
      "left",
      "turn-over",
      "challenge",
      "cookies-needed",
      "invitation-needed",
      "invitation-used",
      "identity-needed",
      "in-app",
    ] as const)
      expect(telling).not.toContain(kind);
  });
});
