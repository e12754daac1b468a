/** What the verify page's script starts from: written by src/routes/verify-page.ts, read by static/verify.ts. Pure: types only. */
import type { VerifyWords } from "./verify-words";

export interface VerifyData {
  /** Paths of this origin. */
  readonly record: string;
  readonly batches: string;
  /** BCP 47. */
  readonly lang: string;
  readonly words: VerifyWords;
  /** The visitor's own, from their cookie; `slot` is null while it is not drawn, `chain` is hex. */
  readonly own: { readonly entry: number; readonly slot: number | null; readonly chain: string } | null;
}
