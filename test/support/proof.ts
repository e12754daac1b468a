/**
 * What a proof says: numbers measured against their limits, and lines to draw. Plain data: the tests judge it, `npm run proof` writes it
 * into docs/proof.
 */

export interface Check {
  readonly what: string;
  readonly measured: string;
  readonly limit: string;
  readonly holds: boolean;
}

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** A limit or a setting rather than something measured. */
  readonly dashed?: boolean;
}

export interface Chart {
  /** File name in docs/proof, without the ending. */
  readonly file: string;
  readonly title: string;
  /** With the unit. */
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
  readonly logX?: boolean;
}

export interface Proof {
  readonly title: string;
  /** Promises of SPEC.md that it is about. */
  readonly rules: readonly string[];
  /** What was done, in a sentence or two. */
  readonly about: string;
  readonly checks: readonly Check[];
  readonly charts: readonly Chart[];
}

export function atLeast(what: string, measured: number, limit: number, unit = "", digits = 1): Check {
  return { what, measured: shown(measured, unit, digits), limit: `≥ ${shown(limit, unit, digits)}`, holds: measured >= limit };
}

export function atMost(what: string, measured: number, limit: number, unit = "", digits = 1): Check {
  return { what, measured: shown(measured, unit, digits), limit: `≤ ${shown(limit, unit, digits)}`, holds: measured <= limit };
}

/** Measured only: there is no limit to hold. */
export function noted(what: string, measured: number | string, unit = "", digits = 1): Check {
  return { what, measured: typeof measured === "string" ? measured : shown(measured, unit, digits), limit: "", holds: true };
}

function shown(value: number, unit: string, digits: number): string {
  const number =
    Number.isInteger(value) || Math.abs(value) < 1e-3 ? (Math.round(value) + 0).toLocaleString("en-US") : value.toFixed(digits);
  if (unit === "") return number;
  return unit === "%" ? `${number} %` : `${number} ${unit}`;
}

/** Checks that do not hold, as lines for a test's message. */
export function broken({ checks }: Proof): string[] {
  return checks.filter(({ holds }) => !holds).map(({ what, measured, limit }) => `${what}: ${measured}, not ${limit}`);
}
