/** Types of cf-rules.mjs, for its tests. */
import type { LeftOut } from "./cf-room.mjs";

export function rulesFrom(
  rules: readonly Record<string, unknown>[],
  hosts: readonly string[],
): { rules: Record<string, unknown>[]; leftOut: LeftOut[]; remarks: string[] };
