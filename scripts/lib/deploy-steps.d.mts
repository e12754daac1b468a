/** Types of deploy-steps.mjs, for its test. */
export interface World {
  root: string;
  readers: object;
  wrangler(args: string[]): Promise<number>;
  fetch(url: string): Promise<Response>;
  wait(ms: number): Promise<void>;
  say(text: string): void;
  complain(text: string): void;
}
export interface FirstOptions {
  routes: string[];
  zone?: string;
  totalActiveUsers: number;
  newUsersPerMinute: number;
  secretsFile?: string;
  dryRun: boolean;
}
export function deploy(options: { dryRun: boolean }, world: World): Promise<number>;
export function deployFirst(options: FirstOptions, world: World): Promise<number>;
