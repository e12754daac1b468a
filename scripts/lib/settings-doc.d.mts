/** Types of settings-doc.mjs, for its test. */
export function settingsDoc(schema: object): string;
