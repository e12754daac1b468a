/** Types of guard-list.mjs, for its test. */
export interface Guard {
  /** A sentence; unique. */
  readonly name: string;
  /** A rule of SPEC.md. */
  readonly rule: string;
  readonly file: string;
  /** Found exactly once in `file`; `replace` takes its place. */
  readonly find: string;
  readonly replace: string;
  readonly test: readonly [file: string, name: string];
}
export function listGuards(directory?: string): Promise<Guard[]>;
export function projectOf(guard: Guard): string;
export function problemsOf(guards: readonly Guard[]): string[];
