/** A strict reader of Prometheus' text format 0.0.4: whatever a scraper could stumble over throws. */

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** By name with labels, as written. */
  readonly samples: ReadonlyMap<string, number>;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(\\{(?:${LABEL}(?:,${LABEL})*)?\\})? ([-+]?(?:\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?|Inf)|NaN)$`);

/** @throws on anything that the format does not allow, or that a scraper would take for two things */
export function readMetrics(text: string): ReadonlyMap<string, Family> {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, { name: string; type: string; help: string; samples: Map<string, number> }>();
  let current: { name: string; type: string; help: string; samples: Map<string, number> } | null = null;
  for (const line of text.split("\n").slice(0, -1)) {
    const help = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\]|\\\\\\\\|\\\\n)+)$`).exec(line);
    const type = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`).exec(line);
    const sample = SAMPLE.exec(line);
    if (help) {
      const [, name = "", words = ""] = help;
      if (families.has(name)) throw new Error(`${name} begins twice`);
      current = { name, type: "", help: words, samples: new Map() };
      families.set(name, current);
    } else if (type) {
      if (current?.name !== type[1] || current?.type !== "" || current.samples.size > 0) throw new Error(`a type out of place: ${line}`);
      current.type = type[2] ?? "";
    } else if (sample) {
      const [, name = "", labels = "", value = ""] = sample;
      const suffix = name.slice(current?.name.length);
      const isOwn =
        current !== null && name.startsWith(current.name) && (suffix === "" ? current.type !== "histogram" : isPart(current.type, suffix));
      if (!isOwn || current === null) throw new Error(`a sample out of place: ${line}`);
      const names = [...labels.matchAll(/([a-zA-Z_]\w*)="/g)].map(([, label]) => label);
      if (new Set(names).size !== names.length) throw new Error(`a label twice: ${line}`);
      const key = name + labels;
      if (current.samples.has(key)) throw new Error(`${key} twice`);
      current.samples.set(key, Number(value.replace("Inf", "Infinity")));
    } else throw new Error(`no line of the format: ${line}`);
  }
  for (const family of families.values()) {
    if (family.type === "" || family.samples.size === 0) throw new Error(`${family.name} is not whole`);
    if (family.type === "counter" && (!family.name.endsWith("_total") || [...family.samples.values()].some((value) => !(value >= 0))))
      throw new Error(`${family.name} is no counter`);
    if (family.type === "histogram") judgeHistogram(family);
  }
  return families;
}

function isPart(type: string, suffix: string): boolean {
  return type === "histogram" && ["_bucket", "_sum", "_count"].includes(suffix);
}

/** Buckets of each set of labels go up, end with +Inf, and that is the count. */
function judgeHistogram({ name, samples }: Family): void {
  const series = new Map<string, [number, number][]>();
  for (const [key, value] of samples) {
    const le = /,?le="([^"]+)"/.exec(key);
    if (!key.startsWith(`${name}_bucket`)) continue;
    if (le === null) throw new Error(`a bucket without le: ${key}`);
    const of = key.replace(le[0], "").replace("_bucket", "");
    series.set(of, [...(series.get(of) ?? []), [Number(le[1]?.replace("+Inf", "Infinity")), value]]);
  }
  for (const [of, buckets] of series) {
    for (const [i, [end, count]] of buckets.entries()) {
      const [before, below] = buckets[i - 1] ?? [Number.NEGATIVE_INFINITY, 0];
      if (!(end > before) || count < below) throw new Error(`buckets of ${of} do not go up`);
    }
    const [last = Number.NaN, all] = buckets.at(-1) ?? [];
    if (last !== Number.POSITIVE_INFINITY || samples.get(of.replace(name, `${name}_count`)) !== all) throw new Error(`${of} is not whole`);
    if (!samples.has(of.replace(name, `${name}_sum`))) throw new Error(`${of} has no sum`);
  }
}
