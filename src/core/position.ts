/** The number of people ahead as the room shows it (`position_display`). Pure. What programs are told stays exact. */
import { number } from "./durations";
import type { PositionDisplay } from "./settings-types";

/** `capped`: from here on only that it is more. */
const CAP = 2_000;

/** `n`: the number in `text`, whose plural form the words beside it have. */
export interface Position {
  readonly n: number;
  readonly text: string;
}

/** null = it is not shown. Never less than it is, and a line that moves never makes it go up. */
export function positionOf(ahead: number, display: PositionDisplay, lang: string): Position | null {
  const exact = { n: ahead, text: number(ahead, lang) };
  switch (display) {
    case "exact":
      return exact;
    case "rounded": {
      const up = roundedUp(ahead);
      return up === ahead ? exact : { n: up, text: `≈ ${number(up, lang)}` };
    }
    case "capped":
      return ahead < CAP ? exact : { n: CAP, text: `${number(CAP, lang)}+` };
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
