/** Types of crowd-own.mjs, for its test. */
export const OWN_ROOM: string;
export const OWN_PAGES: readonly string[];
export const OWN_SETTINGS: Readonly<Record<string, unknown>>;
