/**
 * A line chart as plain SVG: axes with units, a legend, readable in light and dark. Pure: a chart of test/support/proof.ts in, text out.
 */

const WIDTH = 860;
const PLOT = { left: 70, right: 20, top: 58, height: 300 };
const LEGEND_LINE = 20;
/** Told apart by hue and by dashes; dark enough on white, light enough on black. */
const COLOURS = ["#0a7f5c", "#c2410c", "#2563eb", "#a21caf", "#b58900", "#0891b2", "#64748b", "#dc2626"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "", "7 3", "2 3", "9 3 2 3"];

/** @returns the SVG document */
export function lineChart({ title, x, y, series, logX = false }) {
  const points = series.flatMap((line) => line.points);
  const xs = points.map(([at]) => at);
  const scaleX = logX ? logarithmic(Math.min(...xs), Math.max(...xs)) : linear(Math.min(0, ...xs), Math.max(...xs));
  const scaleY = linear(0, Math.max(1e-9, ...points.map(([, value]) => value)) * 1.05);
  const width = WIDTH - PLOT.left - PLOT.right;
  const placeX = (at) => round(PLOT.left + scaleX.share(at) * width);
  const placeY = (value) => round(PLOT.top + (1 - scaleY.share(value)) * PLOT.height);
  const bottom = PLOT.top + PLOT.height;
  const height = bottom + 52 + series.length * LEGEND_LINE;
  let measured = 0;
  const lines = series.map(({ name, points: own, dashed }, i) => {
    const style = dashed
      ? 'class="limit" stroke-dasharray="4 4"'
      : `stroke="${COLOURS[measured % COLOURS.length]}" stroke-dasharray="${DASHES[measured++ % DASHES.length]}"`;
    const path = own.map(([at, value], n) => `${n === 0 ? "M" : "L"}${placeX(at)} ${placeY(value)}`).join("");
    const legendY = bottom + 56 + i * LEGEND_LINE;
    return [
      `<path d="${path}" fill="none" stroke-width="2" ${style}/>`,
      `<path d="M${PLOT.left} ${legendY - 4}h28" fill="none" stroke-width="2" ${style}/>`,
      `<text x="${PLOT.left + 36}" y="${legendY}">${quoted(name)}</text>`,
    ].join("\n");
  });
  const gridX = scaleX.ticks.map(
    (at) =>
      `<path class="grid" d="M${placeX(at)} ${PLOT.top}V${bottom}"/><text x="${placeX(at)}" y="${bottom + 18}" text-anchor="middle">${number(at)}</text>`,
  );
  const gridY = scaleY.ticks.map(
    (value) =>
      `<path class="grid" d="M${PLOT.left} ${placeY(value)}H${WIDTH - PLOT.right}"/><text x="${PLOT.left - 8}" y="${placeY(value) + 4}" text-anchor="end">${number(value)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${quoted(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2937; }
.title { font-weight: 600; font-size: 15px; }
.grid { stroke: #9ca3af; stroke-opacity: 0.35; fill: none; }
.limit { stroke: #6b7280; }
.paper { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  text { fill: #e5e7eb; }
  .limit { stroke: #d1d5db; }
  .paper { fill: #111827; }
  path[stroke] { filter: brightness(1.6); }
}
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
<text class="title" x="${PLOT.left}" y="22">${quoted(title)}</text>
<text x="${PLOT.left - 50}" y="${PLOT.top - 10}">${quoted(y)}</text>
${[...gridX, ...gridY].join("\n")}
<text x="${WIDTH - PLOT.right}" y="${bottom + 36}" text-anchor="end">${quoted(x)}</text>
${lines.join("\n")}
</svg>
`;
}

function linear(from, to) {
  const span = to - from || 1;
  const step = niceStep(span / 6);
  const ticks = [];
  for (let at = Math.ceil(from / step) * step; at <= to + step * 1e-6; at += step) ticks.push(Number(at.toPrecision(12)));
  return { ticks, share: (value) => (value - from) / span };
}

function logarithmic(from, to) {
  const span = Math.log(to / from) || 1;
  const ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((at) => at >= from && at <= to);
  return { ticks, share: (value) => Math.log(value / from) / span };
}

/** 1, 2 or 5 times a power of ten, not below `least`. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((times) => times * power >= least) ?? 10) * power;
}

function number(value) {
  return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

function round(value) {
  return Math.round(value * 10) / 10;
}

/** Text for SVG. */
function quoted(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
