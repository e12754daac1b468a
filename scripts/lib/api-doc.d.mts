/** See api-doc.mjs. */
type Source = typeof import("../../src/core/admin-routes") &
  typeof import("../../src/core/admin-shapes") &
  typeof import("../../src/core/admin-words");
export function withRoutes(text: string, source: Source): string;
export function openapiText(source: Source): string;
