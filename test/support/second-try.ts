/** Tests of real processes are tried a second time in CI (vitest.config.ts), and a Room remembers what the first try has done. */
import { afterAll, beforeAll, beforeEach, type TestContext } from "vitest";

/**
 * What the tests of a file or a group share: begun before the first of them, and anew for a second try. For tests that follow each other, each of
 * which finds what it needs in what was just begun.
 */
export function shared(begin: () => Promise<void>, end: () => Promise<void>, timeoutMs?: number): void {
  beforeAll(begin, timeoutMs);
  afterAll(end, timeoutMs);
  beforeEach(async ({ task }) => {
    if (isFirstTry(task)) return;
    await end();
    await begin();
  }, timeoutMs);
}

function isFirstTry({ result }: TestContext["task"]): boolean {
  const { retryCount = 0, repeatCount = 0 } = result ?? {};
  return retryCount + repeatCount === 0;
}

const again = (name: string) => `${name}-again`;

/**
 * The name of the room that a try has for itself, where tests wait at the same time on one Worker, which is not begun anew under the others.
 * The Worker has both: `roomsOfTries`.
 */
export const roomOfTry = (task: TestContext["task"], name: string) => (isFirstTry(task) ? name : again(name));

/** A room for each try of each test, by its name. */
export function roomsOfTries<T>(names: readonly string[], roomOf: (name: string, named: string) => T): Record<string, T> {
  return Object.fromEntries(names.flatMap((named) => [named, again(named)].map((name) => [name, roomOf(name, named)])));
}
