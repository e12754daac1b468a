/** Types of deploy-routes.mjs, for its test. */
export interface Place {
  host: string;
  path: string;
}
export type Pattern = { problem: string } | { problem?: never; host: string; prefix?: string; exact?: string };
export function readPattern(pattern: string): Pattern;
export function checkRoutes(deployment: {
  routes: readonly (string | object)[];
  rooms: readonly { room: string; routes: readonly Place[] }[];
  passHosts: readonly string[];
  hasOrigin: boolean;
  workersDev: boolean | undefined;
}): { problems: string[]; warnings: string[] };
export function planRoutes(asked: readonly string[]): { problems: string[] } | { problems?: never; patterns: string[]; places: Place[] };
export function roomNameFor(place: Place, taken: ReadonlySet<string>): string;
