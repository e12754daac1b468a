/** Miniflare by `require`: for an `import` Node reads all of its 6 MB once more, to find the names that it exports. In every process of the tests. */
import { createRequire } from "node:module";

export const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = createRequire(import.meta.url)(
  "miniflare",
) as typeof import("miniflare");
export type Miniflare = import("miniflare").Miniflare;
