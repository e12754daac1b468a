export interface Load {
  readonly url: string | URL;
  readonly connections: number;
  readonly seconds?: number;
  readonly amount?: number;
  readonly requests: readonly { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>> }[];
  readonly expect: number;
}
export function load(wanted: Load): Promise<{ readonly count: number; readonly seconds: number; readonly rate: number }>;
