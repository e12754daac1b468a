/** Types of drill-run.mjs, for its test. */
export const SCENARIOS: Readonly<Record<string, string>>;
export const DRILL_SETTINGS: Readonly<Record<string, unknown>>;
export interface DrillCheck {
  readonly what: string;
  readonly found: string | number;
  readonly wanted: string;
  readonly kept: boolean;
}
export function runDrill(drill: {
  readonly target: URL;
  readonly room: string;
  readonly scenario: string;
  readonly policy: "closed" | "open";
  readonly seconds: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  readonly hinder: (fault: string | null) => Promise<unknown>;
}): Promise<{ readonly checks: readonly DrillCheck[]; readonly letIn: number }>;
