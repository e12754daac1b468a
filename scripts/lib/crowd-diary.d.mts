/** Types of crowd-diary.mjs, for its test. */
import type { Diary } from "./crowd-judge.mjs";

export function newDiary(id: number): Diary;
export class Diarist {
  constructor(diary: Diary, options: { room: string; statusPath: string; aheadMs: number });
  read(
    reply: { path: string; status: number; from: number; to: number; headers: { "set-cookie"?: string[] } },
    sent: ReadonlyMap<string, string>,
  ): void;
}
