/** Types of revoke-steps.mjs, for its tests. */
import type { RotateOptions, RotateWorld } from "./rotate-steps.mjs";

export interface RevokeWorld extends RotateWorld {
  fetch(url: string, init: { method?: string; headers: Record<string, string>; body?: string }): Promise<Response>;
  wait(ms: number): Promise<void>;
  ask(question: string): Promise<string>;
}
export interface RevokeOptions extends Omit<RotateOptions, "retire" | "abort"> {
  revoke: readonly string[];
  line?: string;
  url?: string;
}
export function revoke(options: RevokeOptions, world: RevokeWorld): Promise<number>;
