/**
 * Figures that documents quote from bench/results: the word in front of `<!-- bench.CASE.FIGURE -->` is what the results say, and is written
 * anew by `npm run figures`. Pure.
 *
 * `.low`, `.high` and `.met` (yes or no) of a figure; `bench.machine.cpu` and the like, whose spaces are hard ones. What could not be measured
 * is `unmeasured`. `simulate.SCENARIO.FIGURE` is of a scenario's first room; `simulate.SCENARIO.holds` says whether all its limits do.
 */
import { amount } from "./report.mjs";

const MARK = /([^ \n|*_`()>–]+)<!-- ((?:\w[\w-]*\.)+\w[\w-]*) -->/g;
/** The same behind no word. */
const LONELY = /(?:^|[ |*_`()>–])<!-- ((?:\w[\w-]*\.)+\w[\w-]*) -->/m;
const UNMEASURED = "unmeasured";

/**
 * @param reports `{ bench, simulate }`: the contents of bench.json and simulate.json
 * @throws Error that names the mark, if there is nothing of that name, or no word in front of it
 */
export function quoteFigures(text, reports) {
  const lonely = LONELY.exec(text);
  if (lonely !== null) throw new Error(`${lonely[1]}: there is no word right in front of the mark`);
  return text.replace(MARK, (_, _word, mark) => `${quoted(mark, reports)}<!-- ${mark} -->`);
}

/** The marks of a text, in order. */
export function marksIn(text) {
  return [...text.matchAll(MARK)].map(([, , mark]) => mark);
}

function quoted(mark, reports) {
  const [source, ...path] = mark.split(".");
  const report = reports[source];
  if (report === undefined) throw new Error(`${mark}: there are no results named ${source}; there are: ${Object.keys(reports).join(", ")}`);
  if (source === "simulate") return simulatedOf(mark, report, path);
  return path[0] === "machine" ? machineOf(mark, report, path[1]) : figureOf(mark, report, path);
}

function machineOf(mark, { machine }, name) {
  if (machine[name] === undefined) throw new Error(`${mark}: the machine has ${Object.keys(machine).join(", ")}`);
  return String(machine[name])
    .replace(/\([^)]*\)/g, "")
    .replaceAll(" ", "\u00a0");
}

function figureOf(mark, { cases }, [caseName, id, part = "value"]) {
  const found = cases.find(({ name }) => name === caseName);
  if (found === undefined) throw new Error(`${mark}: no case is named ${caseName}; there are: ${cases.map(({ name }) => name).join(", ")}`);
  if (found.figures.length === 0) return UNMEASURED;
  const figure = found.figures.find((each) => each.id === id);
  if (figure === undefined)
    throw new Error(`${mark}: ${caseName} has no ${id}; it has: ${found.figures.map((each) => each.id).join(", ")}`);
  if (part === "met") return figure.met === null ? UNMEASURED : figure.met ? "yes" : "no";
  if (typeof figure[part] !== "number") throw new Error(`${mark}: a figure has value, low, high and met, not ${part}`);
  return amount(figure[part]);
}

function simulatedOf(mark, { scenarios }, [name, id]) {
  const rooms = scenarios.find((each) => each.name === name)?.rooms;
  if (rooms === undefined)
    throw new Error(`${mark}: no scenario is named ${name}; there are: ${scenarios.map((each) => each.name).join(", ")}`);
  if (id === "holds") return rooms.every(({ checks }) => checks.every(({ holds }) => holds)) ? "yes" : "no";
  const [{ figures }] = rooms;
  if (typeof figures[id] !== "number") throw new Error(`${mark}: ${name} has no ${id}; it has: holds, ${Object.keys(figures).join(", ")}`);
  return amount(figures[id]);
}

/** What was measured now, and of what was not, what was measured before; in the order of the names. */
export function mergeCases(before, now) {
  const kept = before.filter(({ name }) => now.every((each) => each.name !== name));
  return [...kept, ...now].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
