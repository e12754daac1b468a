/** Types of start-shop.mjs, for its test. */
export interface Counts {
  through: number;
  byPass: number;
  refused: number;
}
export function startShop(environment: Readonly<Record<string, string>>): Promise<{
  url: string;
  ended: Promise<unknown>;
  stop(): Promise<Counts>;
}>;
