/** Types of crowd-options.mjs, for its test. */
export interface CrowdWish {
  readonly target: URL | undefined;
  readonly room: string | undefined;
  readonly visitors: number;
  readonly seconds: number;
  readonly seed: number;
  readonly pages: readonly string[];
  readonly hostile: number | null;
  readonly rehearsal: { readonly token: string; readonly perSecond: number; readonly hostileShare: number } | null;
}
export const usage: string;
export function readOptions(args: readonly string[], environment?: Readonly<Record<string, string | undefined>>): CrowdWish | null;
export function readAdminToken(target: URL, environment?: Readonly<Record<string, string | undefined>>, directory?: string): string;
