/** Types of room.mjs, for its test. */
export const ROOM: string;
export const SETTINGS: Readonly<Record<string, unknown>>;
