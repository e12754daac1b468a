/** The number of people ahead as the room shows it (`position_display`). Pure. What programs are told stays exact. */
import { number } from "./durations";
import type { PositionDisplay } from "./settings-types";

/** `capped`: from here on only that it is more. */
const CAP = 2_000;

/** null = it is not shown. Never less than it is, and a line that moves never makes it go up. */
export function positionText(ahead: number, display: PositionDisplay, lang: string): string | null {
  switch (display) {
    case "exact":
      return number(ahead, lang);
    case "rounded": {
      const up = roundedUp(ahead);
      return up === ahead ? number(ahead, lang) : `≈ ${number(up, lang)}`;
    }
    case "capped":
      return ahead < CAP ? number(ahead, lang) : `${number(CAP, lang)}+`;
    case "hidden":
      return null;
  }
}

/** As it is shown: it needs smaller digits to stand in one line. */
export function isLong(number: string): boolean {
  return number.length > 7;
}

/** Two figures. */
function roundedUp(n: number): number {
  if (n < 100) return n;
  const unit = 10 ** (Math.floor(Math.log10(n)) - 1);
  return Math.ceil(n / unit) * unit;
}
