/** Types of cf-room.mjs, for its tests. */
export interface LeftOut {
  what: string;
  why: string;
}
export interface Imported {
  name: string;
  settings: Record<string, unknown> | null;
  leftOut: LeftOut[];
  /** Pages of one's own, to be uploaded; `event` is null for the room's. */
  templates: { event: string | null; html: string }[];
  remarks: string[];
  problems: { setting: string; problem: string }[];
}
export function objectsIn(json: unknown): Record<string, unknown>[] | null;
export function nameFrom(text: unknown, max: number, otherwise: string): string;
export function importRoom(
  room: Record<string, unknown>,
  lists: { events?: Record<string, unknown>[]; rules?: Record<string, unknown>[]; name?: string },
  readers: object,
): Imported;
export function toToml(imported: Imported, warnings?: string[]): string;
