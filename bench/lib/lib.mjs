/** What cases are given as `lib`; bench/README.md says how to use it. */

export { loadSource } from "../../scripts/lib/load-source.mjs";
export { root } from "../../scripts/setup.mjs";
export { figure, interleave, median, ratiosOf, spreadOf } from "./figures.mjs";
export { load, loadOf } from "./load.mjs";
export { startSite } from "./origin.mjs";
export { admit, BY_SCRIPT, PAGE_LOAD } from "./visitors.mjs";
export { startBuilt, startEdited, startPlain } from "./workers.mjs";
