/** How long tests wait for what must come. Imports nothing. */

/** Before a test fails: only a hang lasts longer, on a slow computer that does much else as well. Nothing that a rule bounds is measured by it. */
export const PATIENCE = { timeout: 120_000 } as const;
