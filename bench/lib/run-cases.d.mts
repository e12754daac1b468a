import type { Figure } from "./figures.mjs";

export interface Case {
  readonly file: string;
  readonly title: string;
}
export interface CaseResult extends Case {
  readonly name: string;
  readonly tookS: number;
  readonly figures: readonly (Figure & { readonly met: boolean | null })[];
  readonly skipped: string | null;
  readonly error: string | null;
}
export function findCases(directory?: string): Promise<Map<string, Case>>;
export function runCases(
  cases: ReadonlyMap<string, Case>,
  options: { readonly rounds: number; readonly seconds: number | null; readonly smoke: boolean },
  say: (line: string) => void,
  mostMs?: number,
): Promise<CaseResult[]>;
