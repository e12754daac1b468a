/** Templates of 1 MiB are read in little memory, and come out as mustache alone would have them. */
import mustache from "mustache";
import { describe, expect, test } from "vitest";
import { checkTemplate } from "../../src/template/check";
import { parseTemplate, shortened } from "../../src/template/parse";
import { renderTemplate } from "../../src/template/render";

const VALUES = { waitTime: 14, waitTimeKnown: true, queueIsFull: false, title: "Shop & Co", room: "demo" };
/** With mustache's own reader. */
function alone(template: string): string {
  const writer = new mustache.Writer();
  return writer.renderTokens(writer.parse(template), new mustache.Context(VALUES), undefined, template);
}
const ours = (template: string) => renderTemplate(template, VALUES as never);

const PIECES = [
  "{{waitTime}}",
  "{{ title }}",
  "{{{room}}}",
  "{{& room }}",
  "{{#waitTimeKnown}}",
  "{{/waitTimeKnown}}",
  "{{^queueIsFull}}",
  "{{/queueIsFull}}",
  "{{! a note\nof two lines }}",
  "{{=<% %>=}}<% waitTime %><%={{ }}=%>",
  "{{= | | =}}|title||={{ }}=|",
  "\n",
  "\r\n",
  "  ",
  "\t",
  "<p>Some words</p>",
  "{ one } }}",
  "\uE000",
  "line\nline\n\n  line\n",
];

describe("reading a template", () => {
  test("[OWN-2] what it comes to is what mustache alone makes of it, white space and all", () => {
    let seed = 7;
    const below = (n: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * n);
    };
    let read = 0;
    for (let i = 0; i < 6_000; i++) {
      const template = Array.from({ length: 1 + below(9) }, () => PIECES[below(PIECES.length)]).join("");
      let expected: string | null = null;
      try {
        expected = alone(template);
      } catch {
        expect(() => parseTemplate(template), JSON.stringify(template)).toThrow(SyntaxError);
      }
      if (expected === null) continue;
      read += 1;
      expect(ours(template), JSON.stringify(template)).toBe(expected);
    }
    expect(read).toBeGreaterThan(2_000);
  });

  test("[OWN-2] of 1 MiB between two tags mustache reads a few characters: it makes an array of each", () => {
    const image = `<img src="data:image/png;base64,${"iVBORw0K".repeat(60_000)}">`;
    const lines = "<p>Some words of an operator.</p>\n".repeat(15_000);
    const template = `<html>{{waitTime}}${image}{{#waitTimeKnown}}\n${lines}{{/waitTimeKnown}}</html>`;
    expect(shortened(template).text.length).toBeLessThan(100);
    // Not `toBe`, which would print all of it.
    expect(ours(template) === `<html>14${image}\n${lines}</html>`).toBe(true);
  });

  test("[OWN-2] what cannot be read is told by its line", () => {
    expect(checkTemplate("one\ntwo {{waitTime}}\nthree {{/waitTimeKnown}}\nfour").problems).toEqual([
      'is not Mustache: Unopened section "waitTimeKnown" in line 3',
    ]);
    expect(checkTemplate("one\ntwo {{#waitTimeKnown}}\n{{/queueAll}}").problems).toEqual([
      'is not Mustache: Unclosed section "waitTimeKnown" in line 3',
    ]);
  });
});

describe("texts of people in templates", () => {
  const problemsOf = (template: string) => checkTemplate(template).problems;

  test("[OWN-4] W3 do not stand where escaping for HTML is not enough: in scripts, handlers, addresses, documents of frames", () => {
    const bad = {
      "<script>var t = '{{title}}';</script>": "in a script",
      "<SCRIPT type=module>\nlet m = `{{message}}`": "in a script",
      "<p onclick=\"say('{{heading}}')\">": "in onclick",
      "<p class='x' ONCLICK = 'if (a < b) say(\"{{text}}\")'>": "in onclick",
      "<p onclick=say('{{estimate}}')>": "in onclick",
      '<a href="{{message}}">': "in href",
      "<a title='x' href={{message}}>": "in href",
      '<iframe srcdoc="<p>{{message}}</p>">': "in srcdoc",
    };
    for (const [template, where] of Object.entries(bad)) expect(problemsOf(template).join(), template).toContain(where);
  });

  test("[OWN-4] stand in text, titles and harmless attributes; numbers, switches and names of ours stand anywhere", () => {
    const good = [
      '<title>{{title}}</title><h1 class="x">{{heading}}</h1><p title="{{text}}" data-x=\'{{estimate}}\'>{{message}}</p>',
      "<script>var a = 1;</script><a href=\"/x\" onclick='f()'>{{title}}</a>",
      "<script>var w = {{waitTime}}, y = {{isYourTurn}}, s = '{{state}}', l = '{{language}}';</script>",
      '<img src="{{logo}}" alt="{{title}}"><a href="/help?ref={{reference}}" onclick="go({{ahead}})">?</a>',
      "<script>{{#title}}titled(){{/title}}</script>",
    ];
    for (const template of good) expect(problemsOf(template), template).toEqual([]);
  });

  test("[OWN-2] a template of tags alone is refused for their number, and names are told back cut short", () => {
    const many = Array.from({ length: 3_000 }, (_, i) => `{{unknown${i}}}`).join("");
    expect(problemsOf(many)).toEqual(["has 3000 tags, but may have at most 2000"]);
    expect(problemsOf(`{{${"x".repeat(100_000)}}}`).join("").length).toBeLessThan(200);
  });
});
