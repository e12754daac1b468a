/** Types of crowd-hostile.mjs, for its test. */
interface Crowd {
  readonly requests: number;
  readonly diaries: readonly {
    readonly places: readonly { readonly from: number }[];
    readonly entries: readonly { readonly to: number }[];
  }[];
}
export function compareCrowds(
  alone: Crowd,
  beside: Crowd,
  hostileRequests: number,
): {
  readonly share: number;
  readonly gotIn: readonly number[];
  readonly waits: readonly number[];
  readonly isShown: boolean;
  readonly holds: boolean;
};
