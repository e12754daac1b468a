/** Three charts of a room's minutes, with a line where somebody acted; each can be read as a table, and all can be saved. */
/*! uPlot: Copyright (c) Leon Sorokin, MIT License, https://github.com/leeoniya/uPlot/blob/master/LICENSE */
import uPlot from "uplot";
import type { AuditEntry, Minute } from "../../src/core/audit";
import { roomPath } from "./api";
import { button, card, fill, h, table } from "./dom";
import type { Bridge } from "./operator";
import { LEAST_S, type Mark, marksOf, type Point, pointsOf, summary } from "./points";
import type { View } from "./watch";
import { amount, when } from "./words";

const RANGES: readonly (readonly [string, number | null])[] = [
  ["15 min", 15],
  ["1 h", 60],
  ["All", null],
];
const MOST_MINUTES = 2_880;
const READ_EVERY_MS = 15_000;
const HEIGHT = 190;

interface Line {
  readonly label: string;
  readonly unit: string;
  readonly colour: string;
  readonly dash?: readonly number[];
  /** Right-hand scale. */
  readonly scale?: string;
  of(point: Point): number | null;
}
const CHARTS: readonly { readonly title: string; readonly lines: readonly Line[] }[] = [
  { title: "Waiting", lines: [{ label: "waiting", unit: "", colour: "--accent", of: ({ waiting }) => waiting }] },
  {
    title: "Let in per minute, and the target",
    lines: [
      { label: "let in", unit: "", colour: "--accent", of: ({ entered }) => entered },
      { label: "target", unit: "", colour: "--second", dash: [6, 4], of: ({ target }) => target },
    ],
  },
  {
    title: "The site: errors and time to the first byte",
    lines: [
      { label: "errors", unit: " %", colour: "--bad", of: ({ errorPercent }) => errorPercent },
      { label: "p95", unit: " ms", colour: "--second", dash: [6, 4], scale: "ms", of: ({ p95 }) => p95 },
    ],
  },
];

/** Over the data: where somebody acted. */
function marking(marks: () => readonly Mark[], colour: () => string): uPlot.Plugin {
  const draw = ({ ctx, bbox, valToPos }: uPlot) => {
    ctx.save();
    ctx.strokeStyle = colour();
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const { at } of marks()) {
      const x = Math.round(valToPos(at, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  };
  return { hooks: { draw } };
}

export function charts({ api, name }: Bridge): { readonly node: HTMLElement; show(view: View): void; stop(): void } {
  let minutes: readonly Minute[] = [];
  let acts: readonly AuditEntry[] = [];
  let marks: readonly Mark[] = [];
  let points: readonly Point[] = [];
  let range = RANGES[1]?.[1] ?? null;
  let asTable = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let head = -1;
  let plots: uPlot[] = [];
  const css = (variable: string) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
  const boxes = CHARTS.map(({ title, lines }) => {
    const key = lines.map(({ label, colour, dash }) =>
      h("span", {}, h("span", { class: `key ${colour.slice(2)}${dash === undefined ? "" : " dashed"}`, "aria-hidden": "true" }), label),
    );
    const box = h("div", { class: "plot", role: "img" });
    return { lines, title, box, node: h("figure", {}, h("figcaption", {}, title, h("span", { class: "keys" }, ...key)), box) };
  });
  const tableBox = h("div", { hidden: true });
  const plotBox = h("div", { class: "plots" }, ...boxes.map(({ node }) => node));
  const acted = h("ul", { class: "marks" });

  function build(): void {
    for (const plot of plots) plot.destroy();
    plots = boxes.map(({ lines, box }) => {
      const axis = { stroke: css("--quiet"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line"), width: 1 } };
      const right = lines.find(({ scale }) => scale !== undefined)?.scale;
      const options: uPlot.Options = {
        width: Math.max(260, box.clientWidth),
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, points: { show: true } },
        scales: {
          x: { time: true, range: (_, low, high) => [Math.min(low, high - LEAST_S), high] },
          y: { range: (_, low, high) => [Math.min(0, low ?? 0), nice(high)] },
          ...(right === undefined
            ? {}
            : { [right]: { range: (_: uPlot, __: number, high: number) => [0, nice(high)] as [number, number] } }),
        },
        axes: [
          { ...axis, values: (_, ticks) => ticks.map((at) => clock(at, ticks)) },
          { ...axis, size: 52 },
          ...(right === undefined ? [] : [{ ...axis, scale: right, side: 1 as const, size: 56, grid: { show: false } }]),
        ],
        series: [
          {},
          ...lines.map(({ label, colour, dash, scale }) => ({
            label,
            stroke: css(colour),
            width: 2,
            ...(dash === undefined ? {} : { dash: [...dash] }),
            ...(scale === undefined ? {} : { scale }),
            ...(lines.length === 1 ? { fill: css("--soft") } : {}),
            points: { show: points.length < 3 },
          })),
        ],
        plugins: [
          marking(
            () => marks,
            () => css("--mark"),
          ),
        ],
      };
      return new uPlot(options, dataOf(lines), box);
    });
  }

  function dataOf(lines: readonly Line[]): uPlot.AlignedData {
    return [points.map(({ at }) => at), ...lines.map(({ of }) => points.map(of))];
  }

  function draw(): void {
    boxes.forEach(({ lines, box, title }, i) => {
      const said = lines.map(({ label, unit, of }) => `${label} ${summary(points, of, unit)}`).join("; ");
      box.setAttribute("aria-label", `${title}: ${said}`);
      plots[i]?.setData(dataOf(lines));
    });
    const rows = marks
      .slice(-6)
      .map(({ at, label }) => h("li", {}, h("time", {}, when(new Date(1_000 * at).toISOString(), Date.now())), ` ${label}`));
    acted.replaceChildren(...rows);
    if (!asTable) return;
    const cell = (value: number | null) => (value === null ? "–" : amount(value));
    const lines = points.toReversed().slice(0, 240);
    fill(
      tableBox,
      table(
        "Minutes, the newest first",
        ["Minute's end", "Waiting", "Inside", "Joined", "Let in", "Target", "Waited p50, min", "Waited p95, min", "Errors, %", "p95, ms"],
        lines.map((p) => [
          when(new Date(1_000 * p.at).toISOString(), Date.now()),
          ...[p.waiting, p.inside, p.joined, p.entered, p.target, p.waitHalf, p.waitMost, p.errorPercent, p.p95].map(cell),
        ]),
      ),
    );
  }

  async function read(): Promise<void> {
    readAt = performance.now();
    const [series, audit] = await Promise.all([
      api.get<{ minutes: Minute[] }>(roomPath(name, `/series?minutes=${range ?? MOST_MINUTES}`)),
      api.get<{ audit: AuditEntry[] }>(roomPath(name, "/audit?limit=100")),
    ]);
    if (series.as === "ok") minutes = series.value.minutes;
    if (audit.as === "ok") acts = audit.value.audit.filter(({ role }) => role !== "deploy");
  }

  const pickRange = RANGES.map(([label, of]) => {
    const pick = button(
      label,
      () => {
        range = of;
        for (const other of pickRange) other.setAttribute("aria-pressed", String(other === pick));
        readAt = Number.NEGATIVE_INFINITY;
      },
      { class: "plain small", "aria-pressed": String(of === range) },
    );
    return pick;
  });
  const asTableButton = button(
    "As a table",
    () => {
      asTable = !asTable;
      asTableButton.setAttribute("aria-pressed", String(asTable));
      tableBox.hidden = !asTable;
      plotBox.hidden = asTable;
      draw();
    },
    { class: "plain small", "aria-pressed": "false" },
  );
  const sized = new ResizeObserver(() => {
    for (const [i, plot] of plots.entries()) plot.setSize({ width: Math.max(260, boxes[i]?.box.clientWidth ?? 0), height: HEIGHT });
  });
  for (const { box } of boxes) sized.observe(box);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", build);

  return {
    node: card("The last minutes", h("div", { class: "presets" }, ...pickRange, asTableButton), plotBox, tableBox, acted),
    show({ stats }) {
      const newest = stats.recent.audit[0]?.id ?? 0;
      if (newest !== head || performance.now() - readAt > READ_EVERY_MS) void read();
      head = newest;
      points = pointsOf(minutes, stats, { minutes: range });
      marks = marksOf(acts, points);
      if (plots.length === 0 && boxes[0]?.box.isConnected) build();
      draw();
    },
    stop() {
      sized.disconnect();
      scheme.removeEventListener("change", build);
      for (const plot of plots) plot.destroy();
    },
  };
}

/** The upper end of a scale: never zero, with a little air. */
function nice(high: number | null): number {
  return high === null || high <= 0 ? 1 : high * 1.1;
}

/** Seconds are told where the ticks are closer than a minute. */
function clock(at: number, ticks: readonly number[]): string {
  const isFine = ticks.length > 1 && (ticks[1] ?? 0) - (ticks[0] ?? 0) < 60;
  const two = "2-digit";
  return new Date(1_000 * at).toLocaleTimeString("en-GB", { hour: two, minute: two, ...(isFine ? { second: two } : {}) });
}
