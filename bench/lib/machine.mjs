/**
 * What the figures were measured on: nothing that names the computer or a place on it. How long a system call and a page fault take is measured,
 * not read: of two virtual computers with one processor's name one may take many times as long for them as the other.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, totalmem } from "node:os";

const require = createRequire(import.meta.url);

const PAGE_BYTES = 4_096;
const PAGES = 8_192;
const READS = 50_000;
const ROUNDS = 5;

export function machine() {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: process.platform,
    node: process.versions.node,
    workerd: JSON.parse(readFileSync(require.resolve("workerd/package.json"), "utf8")).version,
  };
}

/** What entering the kernel costs here, µs: half a second of a processor's. */
export function kernelCosts() {
  return { pageFaultUs: leastUs(PAGES, touchPages), readUs: leastUs(READS, readBytes) };
}

/** The first touch of memory that the system has given: one page fault for each page. @returns ms */
function touchPages() {
  const bytes = new Uint8Array(PAGES * PAGE_BYTES);
  const startedAt = performance.now();
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) bytes[at] = 1;
  return performance.now() - startedAt;
}

/** The dearest part of a read of one byte is to enter the kernel and to leave it. @returns ms */
function readBytes() {
  const file = openSync("/dev/zero");
  const byte = new Uint8Array(1);
  const startedAt = performance.now();
  for (let i = 0; i < READS; i++) readSync(file, byte, 0, 1, null);
  const ms = performance.now() - startedAt;
  closeSync(file);
  return ms;
}

/** µs for one of `count` in the quickest round, with two decimals. */
function leastUs(count, measure) {
  const rounds = Array.from({ length: ROUNDS }, measure);
  return Math.round((100_000 * Math.min(...rounds)) / count) / 100;
}
