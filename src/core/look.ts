/**
 * The colours of the waiting page: its own, and from a few settings of the operator's the palette of each scheme and the style sheet that puts
 * it over the page's own (src/routes/page-style.ts). Pure arithmetic.
 */
import { contrast, leastContrast, mixed, readable, TEXT_CONTRAST } from "./colours";
import type { LookSettings } from "./settings-types";

export interface Palette {
  readonly accent: string;
  /** Text on the accent. */
  readonly onAccent: string;
  readonly back: string;
  readonly card: string;
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly soft: string;
}

export type Scheme = "light" | "dark";

/** Of a page that nobody has touched. */
export const OURS: Readonly<Record<Scheme, Palette>> = {
  light: {
    accent: "#0f6b50",
    onAccent: "#ffffff",
    back: "#f7f5f0",
    card: "#fffefb",
    ink: "#1c211f",
    quiet: "#59615d",
    line: "#dedbd2",
    soft: "#e4efe9",
  },
  dark: {
    accent: "#7cd3b0",
    onAccent: "#06231a",
    back: "#121513",
    card: "#1a1e1c",
    ink: "#eceeea",
    quiet: "#a3aca7",
    line: "#333936",
    soft: "#1f2e28",
  },
};

export type Colours = Pick<LookSettings, "accentColor" | "accentColorDark" | "backgroundColor" | "backgroundColorDark" | "colorScheme">;

/** Away from the ground. */
const FAR = { light: "#000000", dark: "#ffffff" } as const;

/** The share of the accent in the ground of boxes, and of the text's colour in lines. */
const SOFT_SHARE = 0.12;
const LINE_SHARE = 0.14;

/** The colours of one scheme. What is not set for the dark one follows from the light one. */
export function paletteOf(
  scheme: Scheme,
  { accentColor, accentColorDark, backgroundColor, backgroundColorDark }: Omit<Colours, "colorScheme">,
): Palette {
  const ours = OURS[scheme];
  const own = scheme === "light" ? backgroundColor : backgroundColorDark;
  const back = own ?? ours.back;
  const line = own === null ? ours.line : mixed(back, ours.ink, LINE_SHARE);
  const set = scheme === "light" ? accentColor : accentColorDark;
  // Ours on the operator's ground, or a dark page's from a light one's: as near as can be read.
  const derived = readable((scheme === "dark" ? accentColor : null) ?? ours.accent, [back, ours.card], FAR[scheme]);
  const accent = set ?? derived;
  if (accent === ours.accent) return { ...ours, back, line };
  const onAccent = contrast(accent, "#ffffff") >= TEXT_CONTRAST ? "#ffffff" : "#000000";
  return { ...ours, back, line, accent, onAccent, soft: mixed(ours.card, accent, SOFT_SHARE) };
}

/** What cannot be read, with its ratio and a colour that could; null = all of it can. */
export interface Unreadable {
  readonly ratio: number;
  readonly instead: string;
}

/** Text on the page's ground. */
export function unreadableBack(scheme: Scheme, back: string): Unreadable | null {
  const { ink, quiet } = OURS[scheme];
  const ratio = leastContrast(back, [ink, quiet]);
  if (ratio >= TEXT_CONTRAST) return null;
  return { ratio, instead: readable(back, [ink, quiet], FAR[scheme === "light" ? "dark" : "light"]) };
}

/** Numbers and links in the accent's colour, on the page's ground and on the card. */
export function unreadableAccent(scheme: Scheme, { accent, back, card }: Palette): Unreadable | null {
  const ratio = leastContrast(accent, [back, card]);
  if (ratio >= TEXT_CONTRAST) return null;
  return { ratio, instead: readable(accent, [back, card], FAR[scheme]) };
}

/** Over the page's own style sheet; "" = nothing is the operator's. Made of colours that were read, and nothing else. */
export function lookSheet(look: Colours): string {
  const { colorScheme } = look;
  const isOurs = [look.accentColor, look.accentColorDark, look.backgroundColor, look.backgroundColorDark].every((each) => each === null);
  if (colorScheme !== "auto") return `:root{color-scheme:${colorScheme};${declarations(paletteOf(colorScheme, look))}}`;
  if (isOurs) return "";
  return bothSchemes(paletteOf("light", look), paletteOf("dark", look));
}

/** Each where the visitor prefers it. */
function bothSchemes(light: Palette, dark: Palette): string {
  return `:root{${declarations(light)}}@media (prefers-color-scheme:dark){:root{${declarations(dark)}}}`;
}

/** What the page's own style sheet begins with. */
export const OUR_SHEET = `:root{color-scheme:light dark}${bothSchemes(OURS.light, OURS.dark)}`;

function declarations({ accent, onAccent, back, card, ink, quiet, line, soft }: Palette): string {
  return `--accent:${accent};--on-accent:${onAccent};--back:${back};--card:${card};--ink:${ink};--quiet:${quiet};--line:${line};--soft:${soft}`;
}

/** The colour of the page's icon in browser tabs. */
export function iconColour(look: Colours): string {
  return paletteOf(look.colorScheme === "dark" ? "dark" : "light", look).accent;
}
