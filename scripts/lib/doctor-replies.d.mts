/** Types of doctor-replies.mjs, for its test. */
import type { Finding, Replies } from "./doctor-findings.mjs";
export function judgeReplies(facts: {
  url: string;
  room: { name: string; isSure: boolean } | null;
  replies: Replies;
  ring: { signingKid: string; kids: readonly string[]; where: string } | null;
  fileSettings: Readonly<Record<string, unknown>> | null;
  namedHosts: readonly string[];
}): Finding[];
