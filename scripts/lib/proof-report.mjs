/**
 * docs/proof/README.md from the proofs. Pure: proofs of test/support/proof.ts in, Markdown out. The same numbers give the same text.
 */

export function proofReport(proofs) {
  const failed = proofs.flatMap(({ checks }) => checks).filter(({ holds }) => !holds).length;
  const summary = proofs.map(({ title, rules, checks }) => {
    const limits = checks.filter(({ limit }) => limit !== "");
    const held = limits.filter(({ holds }) => holds).length;
    return `| [${cell(title)}](#${fragment(title)}) | ${rules.join(", ")} | ${held} of ${limits.length} | ${held === limits.length ? "holds" : "**does not hold**"} |`;
  });
  return `# Proof by simulation

<!-- Made by \`npm run proof\`. Do not edit. -->

What [SPEC.md](../../SPEC.md) promises of the line, measured on the code that runs in the Room (\`durable/line\`) and at the edge
(\`src/room-client.ts\`), on virtual time, with fixed seeds: the same code gives the same numbers. What it cannot show is Cloudflare's network:
latencies, caches and the Room's time per call are models. A part of it runs with \`npm test\` (\`test/sim\`).

${failed === 0 ? "Every limit holds." : `**${failed} ${failed === 1 ? "limit does" : "limits do"} not hold.**`}

| what | promises | limits held | |
| --- | --- | --- | --- |
${summary.join("\n")}

${proofs.map(section).join("\n")}`;
}

function section({ title, about, checks, charts }) {
  const rows = checks.map(
    ({ what, measured, limit, holds }) =>
      `| ${cell(what)} | ${cell(measured)} | ${cell(limit)} | ${limit === "" ? "" : holds ? "yes" : "**no**"} |`,
  );
  const images = charts.map(({ file, title: name }) => `![${name}](${file}.svg)\n`);
  return `## ${title}

${about}

| | measured | limit | holds |
| --- | --- | --- | --- |
${rows.join("\n")}

${images.join("\n")}`;
}

function cell(text) {
  return text.replaceAll("|", "\\|");
}

/** A heading's fragment, as GitHub makes it. */
function fragment(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
