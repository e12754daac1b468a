/** The report as a table for people. Pure. */

export function formatReport({ at, tookS, options, machine, cases }) {
  const { cpu, cores, memoryGb, node, workerd, pageFaultUs, readUs } = machine;
  const lines = [`${at}, ${tookS} s, ${options.smoke ? "SMOKE: the figures mean nothing" : `medians of ${options.rounds} rounds`}`];
  lines.push(`${cpu}, ${cores} cores, ${memoryGb} GB; Node ${node}, workerd ${workerd}`);
  lines.push(`a page fault ${pageFaultUs} µs, a read of one byte ${readUs} µs`);
  for (const { name, title, figures, skipped, error } of cases) {
    lines.push("", `${name}: ${title}`);
    if (skipped !== null) lines.push(`  skipped: ${skipped}`);
    if (error !== null) lines.push(`  FAILED: ${error}`);
    const width = Math.max(0, ...figures.map((figure) => figure.title.length));
    for (const figure of figures) lines.push(`  ${lineOf(figure, width)}`);
  }
  return lines.join("\n");
}

function lineOf({ title, value, unit, low, high, bar, met, note }, width) {
  const spread = low === high ? "" : `${amount(low)} … ${amount(high)}`;
  const limit = bar === null ? "" : `${bar.atLeast === undefined ? "≤" : "≥"} ${amount(bar.atLeast ?? bar.atMost)}`;
  const verdict = met === null ? "" : met ? "met" : "MISSED";
  const columns = [
    title.padEnd(width),
    `${amount(value).padStart(9)} ${unit}`.padEnd(22),
    spread.padEnd(20),
    `${limit} ${verdict}`.padEnd(14),
  ];
  return `${columns.join("  ")}  ${note}`.trimEnd();
}

/** Three figures are more than such measurements have. */
export function amount(value) {
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 6)).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");
}
