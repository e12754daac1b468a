/** Types of prices.mjs. */
export interface Use {
  readonly requests?: number;
  readonly cpuMs?: number;
  readonly roomCalls?: number;
  readonly roomGbSeconds?: number;
  readonly rowsRead?: number;
  readonly rowsWritten?: number;
  readonly storedBytes?: number;
  readonly logEvents?: number;
}
export const PRICES: Required<Use>;
export const INCLUDED: Required<Use>;
export const FREE_DAY: {
  readonly requests: number;
  readonly cpuMsPerRequest: number;
  readonly roomCalls: number;
  readonly rowsWritten: number;
  readonly roomGbSeconds: number;
};
export function dollarsByItem(use: Use): Use;
export function dollars(use: Use): number;
