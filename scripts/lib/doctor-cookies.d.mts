/** Types of doctor-cookies.mjs, for its test. */
export function whyNotKept(line: string, url: string): string | null;
