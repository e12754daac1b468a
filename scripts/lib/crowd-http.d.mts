/** Types of crowd-http.mjs, for its test. */
export function readTarget(text: string): URL;
export function now(): number;
