export interface Spread {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}
export interface Figure extends Spread {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly bar: { readonly atLeast: number } | { readonly atMost: number } | null;
  readonly note: string;
}
export function median(numbers: readonly number[]): number;
export function spreadOf(numbers: readonly number[]): Spread;
export function ratiosOf(ours: readonly number[], theirs: readonly number[]): number[];
export function perSecond(times: readonly number[]): number;
export function judged(figure: Figure): Figure & { readonly met: boolean | null };
export function figure(id: string, title: string, unit: string, numbers: readonly number[], more?: Partial<Figure>): Figure;
export function interleave<T>(
  options: { readonly rounds: number; readonly progress: (line: string) => void; readonly warm?: boolean },
  sides: Readonly<Record<string, () => Promise<T>>>,
): Promise<Record<string, T[]>>;
