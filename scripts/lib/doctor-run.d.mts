/** Types of doctor-run.mjs and doctor-probe.mjs, for their test. */
import type { Finding } from "./doctor-findings.mjs";
export function examine(
  options: { url?: string | null; secretsFile?: string | null; listSecrets?: boolean; adminToken?: string },
  world: {
    root: string;
    readers: object;
    fetch(url: string, init: { headers: Record<string, string> }): Promise<Response>;
    now(): number;
    listSecrets(): Promise<string[]>;
  },
): Promise<Finding[]>;
