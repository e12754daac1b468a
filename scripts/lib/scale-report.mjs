/**
 * docs/scale.md from bench/results/simulate.json. Pure: the results in, Markdown out. The same results give the same text.
 */

/** @param report what `npm run simulate -- --json` wrote */
export function scaleReport({ seed, scenarios }) {
  const checks = scenarios.flatMap(({ rooms }) => rooms.flatMap((room) => room.checks)).filter(({ limit }) => limit !== "");
  const broken = checks.filter(({ holds }) => !holds).length;
  const rows = scenarios.flatMap((scenario) => scenario.rooms.map((room) => rowOf(scenario, room)));
  const isProjected = scenarios.some(({ rooms }) => rooms.some(({ figures }) => figures.isProjected));
  return `# At scale, by simulation

<!-- Made by \`npm run simulate -- --json\`. Do not edit. -->

What nobody rents for a test: crowds at the doors and in a lottery over isolates in many colos, with bots, crashes and partitions. The Room's
line (\`durable/line\`), the isolates' client of it with its gathering, pacing, caches and breaker (\`src/room-client.ts\`, \`src/room/\`), and the
gaps at which pages ask (\`src/core\`, \`static/wait\`) are the code that is deployed. Time is virtual and everything random comes from one seed
(${seed}): the same code gives the same numbers on any computer. ${broken === 0 ? `Every promise holds${scenarios.some(({ scale }) => scale < 1) ? " at the sizes of this table" : ""}.` : `**${broken} of ${checks.length} limits do not hold.**`}

| scenario | people | isolates, colos | calls of the Room a second, most (< 300) | place after, half / 99 % | turn to inside, half / 99 % | places too many | entries, of the rate | all in after; ideal | requests a visitor | list price | for a million such visitors |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

${isProjected ? "~ The first minutes of a longer sale were looked at: what it comes to at the pace seen.\n" : ""}
${smaller(scenarios)}*Place after*: from the first request until the browser holds a place. *Turn to inside*: from the Room's call until the browser is inside, the
page's five seconds of notice included. *List price*: requests and computing time of waiting people, calls, duration, rows and storage of the
Room by Cloudflare's list prices, without what a plan includes and without the site's own traffic. P3 promises 95 % of the rate on days without
bots and failures; with them the limits below are this simulation's own.

## What is modelled

- **People** are numbers in arrays. Those who came in the same moment to the same isolate ask together, up to 180 of them; from half a minute
  before their turn on everybody asks alone. A call that has no room for all of them goes without, where it would take some of real people:
  so at the doors places come later here than they would. Each has a place, and a fate: goes in, closes the tab, falls silent when called. Pages
  ask, look, give five seconds of notice and go in as the real ones do; inside, a page wants the pass renewed every half minute; half leave
  with the button.
- **Streams**: a page that waits keeps its question open ([decision 0038](decisions/0038-a-status-that-goes-on.md)), 2,000 in an isolate at most; when
  each looks, tells and ends is decided by the code that is deployed. Beyond that number pages ask again and again. What the Worker computes is priced as in
  [cost](cost.md).
- **Isolates** hold the real client each. They are in colos of uneven size, 3 to 143 ms from the Room, with up to 10 ms of jitter and now and
  then 400 ms more. A tenth of their clocks are wrong, by up to two seconds. One call in a thousand is lost, there or back; isolates crash;
  one question in a hundred reaches another isolate of the colo than those before.
- **Colos** have a cache each, 2 to 8 ms away, in which isolates share the manifest for 30 s and take turns.
- **The Room** lets calls gather as the deployed one does ([decision 0055](decisions/0055-a-moment-is-one-step.md)) and answers one after the
  other: 1.5 ms for each, 0.01 ms for each join, claim or renewal in it, 0.001 ms for each place reported as seen. That is twice what calls of
  up to 1,000 joins take in workerd on one core of a small cloud computer, storage included.

## What is not

- Cloudflare's network: where it sends whom, how long its caches really keep things, how it moves Durable Objects, what it does under load of its own.
- The Worker's own time: isolates answer at once. \`npm run bench\` measures that.
- The site behind, its traffic, and requests of people inside but for the renewals of their passes.
- The redirect that proves the cookie, which is one more request of each newcomer and never reaches the Room.
- People who come back another day, tabs that sleep (\`npm run proof\` has those), a revoked key at such a size.

${scenarios.map(section).join("\n")}`;
}

/** Which of them were run smaller than they can be. */
function smaller(scenarios) {
  const some = scenarios.filter(({ scale }) => scale < 1);
  if (some.length === 0) return "";
  const shares = some.map(({ name, scale }) => `\`${name}\` at ${Math.round(scale * 1_000) / 10} %`).join(", ");
  const names = some.map(({ name }) => name).join(",");
  return `Run smaller than meant: ${shares}. At full size: \`npm run simulate -- --only ${names} --json\`; the ten million at the doors take
half an hour or more and about 10 GB of memory.

`;
}

function rowOf({ title, isolates, colos, rooms }, { room, people, figures }) {
  const name = rooms.length > 1 ? `${title}: ${room}` : title;
  const mark = figures.isProjected ? "~" : "";
  const cells = [
    `[${name}](#${fragment(title)})`,
    number(people),
    `${number(isolates)}, ${number(colos)}`,
    number(figures.callsPerSecondMost),
    `${figures.joinP50S} / ${figures.joinP99S} s`,
    `${figures.turnP50S} / ${figures.turnP99S} s`,
    number(figures.overshoot),
    `${figures.rateShare} %`,
    `${mark}${minutes(figures.drainS)}; ${minutes(figures.idealS)}`,
    number(figures.requestsPerVisitor),
    `$${figures.dollars.toFixed(2)}`,
    `$${((figures.dollars * 1e6) / people).toFixed(2)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function section({ title, about, virtualS, rooms, took }) {
  const parts = rooms.map(({ room, people, checks, charts }) => {
    const rows = checks.map(
      ({ what, measured, limit, holds }) => `| ${what} | ${measured} | ${limit} | ${limit === "" ? "" : holds ? "yes" : "**no**"} |`,
    );
    const images = charts.map(({ file, title: name }) => `![${name}](scale/${file}.svg)\n`);
    const heading = rooms.length > 1 ? `### ${room}, ${number(people)} people\n\n` : "";
    return `${heading}| | measured | limit | holds |
| --- | --- | --- | --- |
${rows.join("\n")}

${images.join("\n")}`;
  });
  return `## ${title}

${about} ${minutes(virtualS)} of virtual time${computed(took)}.

${parts.join("\n")}`;
}

/** Every scenario may be of another day and computer; only how long it takes depends on those. */
function computed({ processorS, machine: { cpu, node } }) {
  return `, ${minutes(processorS)} of a processor's (${cpu}, Node ${node})`;
}

function minutes(seconds) {
  if (seconds < 120) return `${Math.round(seconds * 10) / 10} s`;
  return `${number(Math.round(seconds / 6) / 10)} min`;
}

function number(value) {
  return value.toLocaleString("en-US");
}

/** A heading's fragment, as GitHub makes it. */
function fragment(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
