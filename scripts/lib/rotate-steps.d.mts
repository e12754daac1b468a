/** Types of rotate-steps.mjs, for its tests. */
export interface RotateWorld {
  root: string;
  readers: object;
  wrangler(args: string[]): Promise<number>;
  now(): number;
  newKey(): string;
  say(text: string): void;
  complain(text: string): void;
}
export interface RotateOptions {
  secretsFile?: string;
  lifeHours: number;
  retire?: string;
  abort: boolean;
  dryRun: boolean;
}
export function rotate(options: RotateOptions, world: RotateWorld): Promise<number>;
