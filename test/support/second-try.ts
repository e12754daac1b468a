/** Tests of real processes are tried a second time in CI (vitest.config.ts), and a Room remembers what the first try has done. */
import { afterAll, beforeAll, beforeEach } from "vitest";

/**
 * What the tests of a file or a group share: begun before the first of them, and anew for a second try. For tests that follow each other, each of
 * which finds what it needs in what was just begun.
 */
export function shared(begin: () => Promise<void>, end: () => Promise<void>, timeoutMs?: number): void {
  beforeAll(begin, timeoutMs);
  afterAll(end, timeoutMs);
  beforeEach(async ({ task }) => {
    const { retryCount = 0, repeatCount = 0 } = task.result ?? {};
    if (retryCount + repeatCount === 0) return;
    await end();
    await begin();
  }, timeoutMs);
}
