/** Types of without-routes.mjs, for its test. */
export function withoutRoutes(toml: string): string;
