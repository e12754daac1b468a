/** What another process uses of the computer, as Linux says. Node only. */
import { readFileSync } from "node:fs";

/** Resident memory, bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/** What it has used of the processors since it started, ms, in steps of 10. */
export function usedCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // The name before it may hold anything.
  return 10 * (Number(fields[11]) + Number(fields[12])); // Linux counts hundredths of a second.
}
