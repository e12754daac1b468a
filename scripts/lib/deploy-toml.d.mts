/** Types of deploy-toml.mjs, for its test. */
export function withRoutes(toml: string, patterns: readonly string[], zone?: string): string;
export function withRoom(
  toml: string,
  name: string,
  room: { host: string; path: string; totalActiveUsers: number; newUsersPerMinute: number },
): string;
export function newLines(before: string, after: string): string[];
