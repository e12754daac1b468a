/** The waiting page as a document: complete without scripts, nothing but text from outside, small. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assets } from "../../src/assets";
import type { PageData } from "../../src/core/page-data";
import { returnPath } from "../../src/core/return-path";
import { KINDS } from "../../src/core/words";
import { type PageView, renderPage } from "../../src/routes/page";
import { NOW, STATES, status } from "../support/page-states";

const view = (change: Partial<PageView> = {}): PageView => ({
  status: STATES.waiting,
  title: "Demo shop",
  nonce: "bm9uY2U",
  returnTo: "/tickets?day=2&hall=b",
  method: "GET",
  ...change,
});

/** Names of all tags in order, and nothing else of the page. */
const tags = (page: string) => page.match(/<[^\s>]+/g) ?? [];

function dataOf(page: string): PageData {
  const found = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page);
  return JSON.parse(found?.[1] ?? "null") as PageData;
}

describe("without scripts", () => {
  test("[PAGE-5] the first view has the state, the real number, the estimate and the time of the update", () => {
    const page = renderPage(view());
    expect(page).toContain("<title>1,204 ahead · You are in line – Demo shop</title>");
    expect(page).toContain('<h1 id="heading" tabindex="-1">You are in line</h1>');
    expect(page).toContain('<strong id="number">1,204</strong>');
    expect(page).toContain("Estimated wait: 10–15 minutes");
    expect(page).toContain("Last update 09:21:07 UTC");
    for (const kind of KINDS) expect(renderPage(view({ status: STATES[kind] })).match(/<h1/g)).toHaveLength(1);
  });

  test("[PAGE-5] a page that goes on reloads itself, with a link to check and a way to stop it", () => {
    const page = renderPage(view());
    expect(page).toContain('<noscript><meta http-equiv="refresh" content="20;url=/tickets?day=2&amp;hall=b"></noscript>');
    expect(page).toContain('<a id="check" href="/tickets?day=2&amp;hall=b">');
    expect(page).toContain('href="/__vestibule/rooms/demo/wait?to=%2Ftickets%3Fday%3D2%26hall%3Db&amp;auto=off"');
    expect(page).toContain("reloads itself every 20 seconds");
  });

  test("[PAGE-5] a moment that is due is not put off by the reload", () => {
    expect(renderPage(view({ status: STATES.moment }))).toContain('content="3;url=');
    expect(renderPage(view({ status: status({ pollAfterMs: 300 }) }))).toContain('content="5;url=');
  });

  test("[PAGE-5] switched off, nothing reloads or polls; it can be switched on again and checked by hand", () => {
    const page = renderPage(view({ auto: false }));
    expect(page).not.toContain("http-equiv");
    expect(page).not.toContain("<script");
    expect(page).not.toContain("this page takes you in");
    expect(page).toContain('<a href="/tickets?day=2&amp;hall=b">Update by itself</a>');
    expect(page).toContain('<a id="check" href="/__vestibule/rooms/demo/wait?to=%2Ftickets%3Fday%3D2%26hall%3Db&amp;auto=off">');
  });

  test("[PAGE-5] what is over does not reload", () => {
    for (const kind of ["left", "sold-out", "void", "turn-over", "cookies-needed"] as const) {
      expect(renderPage(view({ status: STATES[kind] })), kind).not.toContain("http-equiv");
    }
  });

  test("[PAGE-6] join again, continue here, try again and enter are there exactly where they mean something", () => {
    const shown = (kind: (typeof KINDS)[number]) => {
      const page = renderPage(view({ status: STATES[kind] }));
      return ["enter", "join", "continue", "retry", "place"].filter(
        (id) => new RegExp(`<\\w+ id="${id}"[^>]*>`).exec(page)?.[0].includes(" hidden") === false,
      );
    };
    expect(shown("waiting")).toEqual(["place"]);
    expect(shown("called")).toEqual(["enter", "place"]);
    expect(shown("inside")).toEqual(["enter"]);
    expect(shown("void")).toEqual(["continue"]);
    expect(shown("void-final")).toEqual(["join"]);
    expect(shown("left")).toEqual(["join"]);
    expect(shown("sold-out")).toEqual([]);
    expect(shown("full")).toEqual([]);
    expect(shown("cookies-needed")).toEqual(["retry"]);
    const page = renderPage(view({ status: STATES.void }));
    expect(page).toContain(
      'method="post" action="/__vestibule/rooms/demo/continue"><input type="hidden" name="to" value="/tickets?day=2&amp;hall=b">',
    );
  });

  test("[PAGE-6] leaving names its consequence before the button that does it", () => {
    const page = renderPage(view());
    const consequence = page.indexOf("Your place goes to the next person");
    expect(consequence).toBeGreaterThan(page.indexOf("<summary>Leave the line</summary>"));
    expect(page.indexOf("Yes, give up my place")).toBeGreaterThan(consequence);
  });
});

describe("forms whose body never arrived", () => {
  const fields = [
    ["size", "M"],
    ["note", 'two\r\nlines & "quotes" <b>'],
  ] as const;

  test("[PAGE-7] from another site: the page says so, offers only to open the page, and repeats nothing", () => {
    const page = renderPage(view({ method: "POST" }));
    expect(page).toContain("What you sent did not reach the site");
    expect(page).not.toContain('id="again"');
    expect(dataOf(page)).toMatchObject({ reloadable: false, holdsForm: false });
  });

  test("[PAGE-7] of the same site: a button sends the same fields again, never a script or a reload", () => {
    const page = renderPage(view({ method: "POST", resubmit: { action: "/order", enctype: "application/x-www-form-urlencoded", fields } }));
    expect(page).toContain(
      '<form id="again" method="post" action="/order" enctype="application/x-www-form-urlencoded" accept-charset="utf-8">',
    );
    expect(page).toContain('<input type="hidden" name="size" value="M">');
    expect(page).toContain('name="note" value="two\r\nlines &amp; &quot;quotes&quot; &lt;b&gt;"');
    expect(page).toContain("<noscript><p>To go in, open this page in a new tab.");
    expect(page).toMatch(/<a id="check" href="[^"]+" target="_blank">/);
    expect(page).not.toContain("http-equiv");
    expect(page).not.toContain("location.replace");
    expect(page).not.toContain("<p>When it is your turn");
    expect(dataOf(page).holdsForm).toBe(true);
  });
});

describe("text from outside stays text", () => {
  const hostile = [
    "</script><img src=x onerror=alert(1)>",
    "</title><script>alert(1)</script>",
    "<!--<script>",
    "\"'><svg onload=alert(1)>",
    "{{constructor.constructor('alert(1)')()}}",
    "\u2028\u2029\0&lt;&#60;",
  ];

  test("[PAGE-8] W2 W3 no value of title, message, path, room or form makes a tag or ends an attribute", () => {
    const plain = { action: "/order", enctype: "text/plain", fields: [["a", "b"]] } as const;
    const quiet = tags(renderPage(view({ status: status({ message: "m" }), method: "POST", resubmit: plain })));
    for (const text of hostile) {
      const resubmit = { action: `/${text}`, enctype: "text/plain", fields: [[text, text]] } as const;
      const page = renderPage(
        view({ status: status({ message: text, room: text }), title: text, returnTo: `/${text}?q=${text}`, method: "POST", resubmit }),
      );
      expect(tags(page)).toEqual(quiet);
      expect(dataOf(page).title).toBe(text);
      expect(dataOf(page).status.message).toBe(text);
    }
  });

  test("[PAGE-8] nor does any other text", () => {
    const quiet = tags(renderPage(view({ status: status({ message: "m" }) })));
    const text = fc.string({ unit: fc.constantFrom(..."<>\"'&/!-= \nas\0\u2028😀{}`$\\"), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, (title, message, path) => {
        const page = renderPage(view({ title, status: status({ message }), returnTo: `/${path}` }));
        expect(tags(page)).toEqual(quiet);
        expect(dataOf(page)).toMatchObject({ title, status: { message } });
      }),
    );
  });

  test("[PAGE-8] W1 a way back that could lead elsewhere becomes a path of this site", () => {
    const rows: [string, string][] = [
      ["/a?b=c#d", "/a?b=c"],
      ["https://shop.example/a?b", "/a?b"],
      ["//evil.example/x", "/x"],
      ["/\\evil.example", "/"],
      ["/\t/evil.example/x", "/x"],
      ["/.//evil.example", "/evil.example"],
      ["/a/..//evil.example", "/evil.example"],
      ["javascript:alert(1)", "/"],
      ["data:text/html,x", "/"],
      ["http://[", "/"],
      ["", "/"],
    ];
    for (const [raw, path] of rows) expect(returnPath(raw), raw).toBe(path);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."/\\.:@?#%\t\n e2fhtp") }), (raw) => {
        expect(new URL(returnPath(raw), "https://shop.example").origin).toBe("https://shop.example");
        expect(returnPath(raw)).toMatch(/^\/(?!\/)/);
      }),
    );
  });
});

describe("weight", () => {
  test("[PAGE-9] every view is at most 14 KB compressed, its module at most 10 KB, and nothing else is loaded before it is needed", async () => {
    for (const kind of KINDS) {
      const page = renderPage(view({ status: { ...STATES[kind], message: "x".repeat(200) } }));
      expect(gzipSync(page).byteLength, kind).toBeLessThanOrEqual(14 * 1024);
      const loaded = [...page.matchAll(/ (?:src|href|action)="([^"]+)"/g)].map((match) => match[1] ?? "");
      for (const url of loaded) expect(url.replace("data:image/svg+xml,", "/")).toMatch(/^\/(?!\/)/);
      expect(page.match(/ src="/g)).toHaveLength(1);
    }
    const moduleAt = (path: string) => readFile(fileURLToPath(new URL(`../../dist/static${path}`, import.meta.url)));
    const module = await moduleAt(assets.wait);
    expect(gzipSync(module).byteLength).toBeLessThanOrEqual(10 * 1024);
    for (const path of [assets.prove, assets.solver, assets.alerts])
      expect(gzipSync(await moduleAt(path)).byteLength, path).toBeLessThanOrEqual(2 * 1024);
  });

  test("[PAGE-9] scripts and styles carry the nonce of the reply, and there is no other way to run or style anything", () => {
    const page = renderPage(view());
    for (const tag of page.match(/<(?:script|style)\b[^>]*>/g) ?? []) {
      expect(tag.includes('nonce="bm9uY2U"') || tag.includes('type="application/json"')).toBe(true);
    }
    expect(page).not.toMatch(/ (?:on\w+|style)="/);
  });

  test("[PAGE-37] [PAGE-2] a number of a million and more has smaller digits, without scripts too", () => {
    expect(renderPage(view({ status: status({ ahead: 999_999 }) }))).toContain('<strong id="number">999,999<');
    expect(renderPage(view({ status: status({ ahead: 1_000_000 }) }))).toContain('<strong id="number" class="long">1,000,000<');
  });

  test("[PAGE-2] the script starts from the same status as the view", () => {
    expect(dataOf(renderPage(view()))).toMatchObject({
      status: STATES.waiting,
      returnTo: "/tickets?day=2&hall=b",
      api: "/__vestibule/rooms/demo",
    });
    expect(dataOf(renderPage(view())).status.now).toBe(NOW);
  });
});
