/** `npm run cost-doc`: writes the tables of docs/cost.md as the model in bench/lib/cost-model.ts has them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "./lib/load-source.mjs";
import { installIfNeeded, root } from "./setup.mjs";

installIfNeeded();
const file = join(root, "docs/cost.md");
const { withCostTables } = await loadSource(root, "bench/lib/cost-model.ts");
writeFileSync(file, withCostTables(readFileSync(file, "utf8")));
