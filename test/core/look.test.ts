/** The operator's colours: what is refused, what follows from what, and that every page that is accepted can be read. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contrast, readColour, TEXT_CONTRAST } from "../../src/core/colours";
import { lookSheet, OURS, paletteOf, type Scheme } from "../../src/core/look";
import { lookId } from "../../src/core/look-id";
import { parseRoom } from "../../src/core/settings";
import type { RoomSettings } from "../../src/core/settings-types";
import { renderPage } from "../../src/routes/page";
import { pageStyle } from "../../src/routes/page-style";
import { STATES } from "../support/page-states";

const ROOM = { host: "shop.test", total_active_users: 5, new_users_per_minute: 5 };

function settingsOf(own: Record<string, unknown>): RoomSettings {
  const parsed = parseRoom("demo", { ...ROOM, ...own });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

function problemsOf(own: Record<string, unknown>): string[] {
  const parsed = parseRoom("demo", { ...ROOM, ...own });
  return parsed.ok ? [] : parsed.problems.map(({ setting, problem }) => `${setting} ${problem}`);
}

describe("contrast", () => {
  test("[LOOK-1] is WCAG's: black on white 21, a colour on itself 1, #767676 on white just enough", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrast("#0f6b50", "#0f6b50")).toBe(1);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });

  test("[LOOK-1] colours have one spelling, and anything that could end a declaration is none", () => {
    expect(readColour("#0F6B50")).toBe("#0f6b50");
    expect(readColour("#abc")).toBe("#aabbcc");
    for (const text of ["red", "#0f6b5", "#0f6b5000", "rgb(0,0,0)", "#fff;}", "#fff\n", " #fff", "url(#a)"])
      expect(readColour(text)).toBeNull();
    expect(problemsOf({ accent_color: "green" })).toEqual([
      'accent_color must be a colour such as "#0f6b50": # and six hex digits, or three, or "" for ours, not the text "green"',
    ]);
  });
});

describe("what cannot be read is refused", () => {
  test("[LOOK-1] by name, with the ratio and a colour that would do", () => {
    const [problem = "", ...more] = problemsOf({ accent_color: "#ffcc00" });
    expect(more).toEqual([]);
    expect(problem).toMatch(
      /^accent_color is #ffcc00, whose contrast with the page's ground is 1\.3 to 1, but text needs 4\.5 \(WCAG AA\): #[0-9a-f]{6} would do$/,
    );
    const instead = /(#[0-9a-f]{6}) would do/.exec(problem)?.[1];
    expect(problemsOf({ accent_color: instead })).toEqual([]);
    expect(problemsOf({ accent_color_dark: "#333366" })[0]).toContain("accent_color_dark is #333366, whose contrast");
  });

  test("[LOOK-1] a dark ground of a light page, and the way to a dark page", () => {
    const [problem = ""] = problemsOf({ background_color: "#101820" });
    expect(problem).toMatch(/^background_color is #101820, whose contrast with the page's text is 1 to 1.*background_color_dark$/);
    expect(problemsOf({ color_scheme: "dark", background_color_dark: "#101820", accent_color_dark: "#ffcc00" })).toEqual([]);
    expect(problemsOf({ background_color_dark: "#ffffff" })[0]).toContain("background_color_dark is #ffffff");
  });

  test("[LOOK-1] colours of a scheme that nobody sees are no matter", () => {
    expect(problemsOf({ color_scheme: "light", accent_color_dark: "#000000" })).toEqual([]);
    expect(problemsOf({ color_scheme: "dark", accent_color: "#ffcc00" })).toEqual([]);
  });

  test("[LOOK-1] an event's colours are judged with the room's", () => {
    const event = { name: "sale", event_start_time: "2027-05-01T10:00:00Z", event_end_time: "2027-05-01T12:00:00Z" };
    expect(problemsOf({ events: [{ ...event, accent_color: "#ffcc00" }] })[0]).toContain("events.sale.accent_color is #ffcc00");
    const { events } = settingsOf({ events: [{ ...event, accent_color: "#7a1f5c" }] });
    expect(events[0]?.overrides.look).toMatchObject({ accentColor: "#7a1f5c" });
  });
});

describe("palettes", () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
  const maybe = fc.option(hex, { nil: "" });
  // Most of all colours are refused as a ground.
  const near = (from: number) => fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: from, max: from + 63 })));
  const ground = (from: number) =>
    fc.option(
      near(from).map((parts) => `#${parts.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`),
      { nil: "" },
    );

  test("[LOOK-1] whatever is accepted reads: text on the ground, the accent on ground and card, text on the accent and in boxes", () => {
    fc.assert(
      fc.property(maybe, maybe, ground(192), ground(0), (accent, accentDark, back, backDark) => {
        const own = { accent_color: accent, accent_color_dark: accentDark, background_color: back, background_color_dark: backDark };
        const parsed = parseRoom("demo", { ...ROOM, ...own });
        if (!parsed.ok) return;
        for (const scheme of ["light", "dark"] as const satisfies Scheme[]) {
          const palette = paletteOf(scheme, parsed.settings.look);
          const pairs: [string, string][] = [
            [palette.ink, palette.back],
            [palette.quiet, palette.back],
            [palette.accent, palette.back],
            [palette.accent, palette.card],
            [palette.onAccent, palette.accent],
            [palette.ink, palette.soft],
            [palette.quiet, palette.soft],
          ];
          for (const [one, other] of pairs)
            expect(contrast(one, other), `${scheme} ${one} on ${other}`).toBeGreaterThanOrEqual(TEXT_CONTRAST);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("[LOOK-1] a dark page's accent follows from the light one's, and what is set is as it was set", () => {
    const look = settingsOf({ accent_color: "#1a237e" }).look;
    expect(paletteOf("light", look)).toMatchObject({ accent: "#1a237e", onAccent: "#ffffff", back: OURS.light.back });
    const { accent } = paletteOf("dark", look);
    expect(accent).not.toBe(OURS.dark.accent);
    expect(contrast(accent, OURS.dark.card)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    expect(paletteOf("dark", settingsOf({ accent_color: "#1a237e", accent_color_dark: "#ffab91" }).look).accent).toBe("#ffab91");
  });

  test("[LOOK-1] our colours are those of the page's own style sheet", () => {
    const [light, dark] = /^:root\{color-scheme:light dark\}:root\{(.*?)\}@media[^{]*\{:root\{(.*?)\}\}/.exec(pageStyle)?.slice(1) ?? [];
    expect(lookSheet({ ...settingsOf({}).look, colorScheme: "light" })).toBe(`:root{color-scheme:light;${light}}`);
    expect(lookSheet({ ...settingsOf({}).look, colorScheme: "dark" })).toBe(`:root{color-scheme:dark;${dark}}`);
  });
});

describe("the page", () => {
  const page = (own: Record<string, unknown>) =>
    renderPage({ status: STATES.waiting, title: "Shop", nonce: "n", returnTo: "/", method: "GET", look: settingsOf(own).look });

  test("[LOOK-1] has the sheet over its own, and the icon in the accent's colour; without settings neither", () => {
    expect(page({})).toContain('<style id="look" nonce="n"></style>');
    expect(page({})).toContain("%230f6b50");
    const own = page({ accent_color: "#7a1f5c" });
    expect(own).toContain('<style id="look" nonce="n">:root{--accent:#7a1f5c;--on-accent:#ffffff;');
    expect(own).toContain("%237a1f5c");
  });

  test("[LOOK-2] every setting of the look has a part in its name, and other settings have none", () => {
    const id = (own: Record<string, unknown>) => lookId(settingsOf(own)).look;
    expect(id({})).toBeUndefined();
    expect(id({ message: "Hello", new_users_per_minute: 7 })).toBeUndefined();
    const changes = [
      { title: "Shop" },
      { words: { en: { leave: "Go" } } },
      { position_display: "rounded" },
      { accent_color: "#7a1f5c" },
      { accent_color_dark: "#ffab91" },
      { background_color: "#ffffff" },
      { background_color_dark: "#000000" },
      { color_scheme: "light" },
      { logo: `logo-30x10.${"0f".repeat(12)}.svg` },
      { logo_alt: "Shop" },
      { template: `template.${"0f".repeat(12)}.html` },
    ];
    const ids = changes.map(id);
    expect(new Set(ids).size).toBe(changes.length);
    for (const each of ids) expect(each).toMatch(/^[0-9a-f]{8}$/);
  });
});
