import type { CaseResult } from "./run-cases.mjs";

export interface Report {
  readonly at: string;
  readonly tookS: number;
  readonly options: { readonly rounds: number; readonly smoke: boolean };
  readonly machine: Readonly<Record<"cpu" | "cores" | "memoryGb" | "node" | "workerd" | "pageFaultUs" | "readUs", string | number>>;
  readonly cases: readonly Omit<CaseResult, "file">[];
}
export function formatReport(report: Report): string;
export function amount(value: number): string;
