/** Types of crowd-run.mjs, for its test. */
import type { Check, Diary, Sample } from "./crowd-judge.mjs";

export interface GuestReply {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  path: string;
  from: number;
  to: number;
}
/** Somebody who is in. */
export interface Guest {
  id: number;
  random(): number;
  pause(ms: number): Promise<void>;
  cookie(name: string): string | null;
  open(path: string): Promise<GuestReply>;
  submit(path: string, fields: Record<string, string>): Promise<GuestReply>;
  leave(path: string): Promise<GuestReply>;
}

export interface CrowdOptions {
  target: URL;
  room: string;
  adminToken: string;
  visitors: number;
  seconds: number;
  seed: number;
  pages: readonly string[];
  say(text: string): void;
  /** What they do inside, instead of looking at pages; resolves with the outcome. */
  visit?(guest: Guest): Promise<string>;
  signal?: AbortSignal;
  pace?(signal: AbortSignal): Promise<void>;
  aheadMs?: number;
}
export function runCrowd(
  options: CrowdOptions,
): Promise<{ diaries: Diary[]; samples: Sample[]; checks: Check[]; seconds: number; requests: number }>;
export function askRoom(crowd: { target: URL; adminToken: string }, path: string): Promise<unknown>;
export function seeded(seed: number): () => number;
