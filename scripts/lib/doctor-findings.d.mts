/** Types of doctor-findings.mjs, and of what the judges read, for their tests. */
export interface Finding {
  id: string;
  severity: "problem" | "warning" | "note";
  what: string;
  why: string;
  fix: string;
}
export type Reply =
  | { url: string; status: number; headers: readonly (readonly [string, string])[]; body: string; atMs: number }
  | { url: string; failed: string };
export interface Replies {
  health?: readonly Reply[];
  page?: Reply;
  blank?: Reply;
  check?: Reply;
  status?: readonly Reply[];
  manifest?: Reply;
  spellings?: readonly Reply[];
  plain?: Reply;
  admin?: Reply;
}
