/**
 * Colours as operators write them (`#0f6b50`), and how well one can be read on another: WCAG 2.2's relative luminance and contrast ratio.
 * Pure arithmetic.
 */

type Rgb = readonly [red: number, green: number, blue: number];

/** WCAG 1.4.3, level AA, for text of ordinary size. */
export const TEXT_CONTRAST = 4.5;

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/;

/** `#RGB` and `#RRGGBB` in their one spelling, `#rrggbb`; null = neither. */
export function readColour(text: string): string | null {
  const small = text.toLowerCase();
  const full = /^#[0-9a-f]{3}$/.test(small) ? `#${[...small.slice(1)].map((digit) => digit + digit).join("")}` : small;
  return HEX.test(full) ? full : null;
}

/** @param hex in its one spelling */
function rgbOf(hex: string): Rgb {
  const [, red = "0", green = "0", blue = "0"] = HEX.exec(hex) ?? [];
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1, the same, to 21, black on white. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** `share` of `other` in `one`, 0…1. */
export function mixed(one: string, other: string, share: number): string {
  const [from, to] = [rgbOf(one), rgbOf(other)];
  const parts = from.map((byte, i) => Math.round(byte + ((to[i] ?? 0) - byte) * share));
  return `#${parts.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The least contrast with any of these. */
export function leastContrast(colour: string, grounds: readonly string[]): number {
  return Math.min(...grounds.map((ground) => contrast(colour, ground)));
}

/** `colour`, as little nearer to `towards` as makes it readable on all of `grounds`. */
export function readable(colour: string, grounds: readonly string[], towards: "#000000" | "#ffffff"): string {
  for (let percent = 0; percent < 100; percent++) {
    const shade = mixed(colour, towards, percent / 100);
    if (leastContrast(shade, grounds) >= TEXT_CONTRAST) return shade;
  }
  return towards;
}
