/** A line as small as a word: where the number went in the last minutes. What it shows stands beside it in digits. */
import { pathOf } from "./points";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 96;
const HEIGHT = 24;

export function sparkline(values: readonly number[]): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const attributes = { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", pathOf(values, WIDTH, HEIGHT));
  svg.append(path);
  return svg;
}
