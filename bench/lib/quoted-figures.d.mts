export interface QuotedFigure {
  readonly id: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly met: boolean | null;
}

export interface QuotedReport {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly cases: readonly { readonly name: string; readonly figures: readonly QuotedFigure[] }[];
}

export interface SimulatedReport {
  readonly scenarios: readonly {
    readonly name: string;
    readonly rooms: readonly {
      readonly checks: readonly { readonly holds: boolean }[];
      readonly figures: Readonly<Record<string, number | boolean>>;
    }[];
  }[];
}

export interface Reports {
  readonly bench?: QuotedReport;
  readonly simulate?: SimulatedReport;
}

export function quoteFigures(text: string, reports: Reports): string;
export function marksIn(text: string): string[];
export function mergeCases<T extends { readonly name: string }>(before: readonly T[], now: readonly T[]): T[];
