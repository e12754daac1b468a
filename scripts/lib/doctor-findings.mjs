/**
 * What `npm run doctor` finds: `{ id, severity, what, why, fix }`, each text a sentence or the end of one. Pure.
 * `problem`: something is open or broken. `warning`: it may be, or is seldom meant. `note`: good to know, or cannot be seen from here.
 */

export const problem = (id, what, why, fix) => ({ id, severity: "problem", what, why, fix });
export const warning = (id, what, why, fix) => ({ id, severity: "warning", what, why, fix });
export const note = (id, what, why, fix) => ({ id, severity: "note", what, why, fix });
