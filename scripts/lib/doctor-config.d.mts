/** Types of doctor-config.mjs, for its test. */
import type { Finding } from "./doctor-findings.mjs";
export function judgeConfig(facts: {
  config: { workers_dev?: boolean; preview_urls?: boolean };
  deployment: object;
  rooms: ReadonlyMap<string, object>;
  isLocal: boolean;
}): Finding[];
export function judgeSecrets(facts: {
  where: string | null;
  problems: readonly { setting: string; problem: string }[];
  listed: readonly string[] | null;
  needed: readonly string[];
  kept?: readonly string[];
}): Finding[];
