/**
 * Numbers and durations as people say them, by Intl in the visitor's language. Pure: no clock, no I/O.
 */
import type { Eta } from "./status";
import type { PageWords, Plural } from "./words";

/** Coarse steps of an estimate, minutes: finer ones would flicker and claim a precision that nobody has. */
const STEPS = [1, 2, 5, 10, 15, 20, 30, 45, 60, 75, 90, 105, 120, 150, 180, 240, 300, 360, 480, 600, 720, 960, 1440] as const;
const HOURS_FROM = 120;

/** Put values into `{name}` placeholders; null if one of them has no value. */
export function fill(text: string, values: Readonly<Record<string, string | undefined>>): string | null {
  let whole = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) whole = false;
    return value ?? "";
  });
  return whole ? filled : null;
}

/** The form of a text that fits `n`, with `{n}` filled in, as it is shown. */
export function plural(forms: Plural, n: number, lang: string, shown = number(n, lang)): string {
  const text = forms[new Intl.PluralRules(lang).select(n)] ?? forms.other;
  return text.replaceAll("{n}", shown);
}

export function number(n: number, lang: string): string {
  return new Intl.NumberFormat(lang).format(n);
}

function unitFormat(unit: "second" | "minute" | "hour", lang: string): Intl.NumberFormat {
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 });
}

/** A span in milliseconds: seconds below two minutes, then whole minutes. `up` for "in …", else down, for time that is left. */
export function span(ms: number, lang: string, up: boolean): string {
  const round = up ? Math.ceil : Math.floor;
  const seconds = Math.max(0, round(ms / 1000));
  return seconds < 120 ? unitFormat("second", lang).format(seconds) : unitFormat("minute", lang).format(round(seconds / 60));
}

function minutes(m: number, lang: string): string {
  return m < HOURS_FROM ? unitFormat("minute", lang).format(m) : unitFormat("hour", lang).format(m / 60);
}

/** The coarse steps that an estimate lies between, minutes: `from` 0 = less than `to`; `to` absent = more than any step. */
export function stepsOf({ minSeconds, maxSeconds }: Eta): { readonly from: number; readonly to: number | undefined } {
  return { from: STEPS.findLast((step) => step * 60 <= minSeconds) ?? 0, to: STEPS.find((step) => step * 60 >= maxSeconds) };
}

/** An estimate as a range of coarse steps, rounded outwards: "10–15 minutes", "less than 2 minutes", "more than 24 hours". */
export function estimate(eta: Eta, words: Pick<PageWords, "about" | "lessThan" | "moreThan" | "range">, lang: string): string {
  const { from: low, to: high } = stepsOf(eta);
  const say = (text: string, m: number) => text.replaceAll("{time}", minutes(m, lang));
  if (high === undefined) return say(words.moreThan, low || STEPS[0]);
  if (low === 0) return say(words.lessThan, high);
  if (low >= high) return say(words.about, high);
  if (low < HOURS_FROM === high < HOURS_FROM) {
    const [unit, per] = high < HOURS_FROM ? (["minute", 1] as const) : (["hour", 60] as const);
    return unitFormat(unit, lang).formatRange(low / per, high / per);
  }
  return words.range.replaceAll("{from}", minutes(low, lang)).replaceAll("{to}", minutes(high, lang));
}
