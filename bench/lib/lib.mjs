/** What cases are given as `lib`; bench/README.md says how to use it. */

export { loadSource } from "../../scripts/lib/load-source.mjs";
export { root } from "../../scripts/setup.mjs";
export { figure, interleave, median, perSecond, ratiosOf, spreadOf } from "./figures.mjs";
export { newcomers, onceEach, operate } from "./line.mjs";
export { load, loadOf } from "./load.mjs";
export { startServer, startSite } from "./servers.mjs";
export { admit, BY_SCRIPT, PAGE_LOAD } from "./visitors.mjs";
export { startBuilt, startCounting, startEdited, startPlain } from "./workers.mjs";
