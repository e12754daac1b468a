/**
 * The numbers of all rooms as Prometheus reads them (text format 0.0.4). Pure. A handful of samples per room, whatever the room holds; they name
 * no visitor. https://prometheus.io/docs/instrumenting/exposition_formats/
 */

import { TIME_ENDS_MS } from "./origin-outcomes";
import type { Stats } from "./stats";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export interface RoomReading {
  readonly room: string;
  /** The last known; null = none. */
  readonly stats: Stats | null;
  /** How old they are, ms; 0 = they were read just now. */
  readonly ageMs: number;
  /** The Room answered. */
  readonly isUp: boolean;
}

/** A Room of another version may not say everything yet: what is missing has no sample. */
type Labels = Readonly<Record<string, string>>;
type Samples = readonly (readonly [labels: Labels, value: number])[];

interface Metric {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  readonly of: (stats: Stats) => Samples | number;
}

const STATES = ["waiting", "called", "inside", "lapsed", "passed_over", "missed", "returning", "leaving", "ended"] as const;
const TOTALS = {
  joined: "Places given out",
  entered: "Entries",
  refused: "Joins that were refused",
  takeovers: "Visits taken over from another window",
  moved: "Changes of network that were taken as they came",
  moved_often: "Visits that changed networks too often",
  void: "Passes that were refused as copies",
  challenged: "Joins that were asked for proof",
  proven: "Places given for a proof",
} as const;

const gauge = (name: string, help: string, of: Metric["of"]): Metric => ({ name, type: "gauge", help, of });

const METRICS: readonly Metric[] = [
  gauge("slots", "Slots by what has become of their holders", (stats) => STATES.map((state) => [{ state }, stats[state]])),
  gauge("places", "Places that are not occupied", ({ places_held, places_leased, places_free }) => [
    [{ state: "held" }, places_held],
    [{ state: "leased" }, places_leased],
    [{ state: "free" }, places_free],
  ]),
  gauge("capacity", "total_active_users", (stats) => stats.total_active_users),
  gauge("rate_per_minute", "Entries per minute: what the operator has set, and what is in force", (stats) => [
    [{ is: "set" }, stats.new_users_per_minute],
    [{ is: "in_force" }, stats.rate_per_minute],
  ]),
  gauge("entered_last_minute", "Entries of the last minute", (stats) => stats.entered_last_minute),
  gauge("attempts_last_minute", "Attempts to join without proof of the last minute", (stats) => stats.attempts_last_minute),
  gauge("generation", "How often the room was reset, and one", (stats) => stats.generation),
  gauge("revision", "Revision of the settings in force", (stats) => stats.revision),
  gauge("isolates", "Workers heard of lately", (stats) => stats.isolates),
  gauge("under_attack", "1 = every newcomer is asked for proof", (stats) => (stats.under_attack === null ? 0 : 1)),
  gauge("slowed_down", "1 = slow_down has lowered the rate", (stats) => (stats.slowed_down === null ? 0 : 1)),
  gauge("phase", "The phase that the room is in", ({ phase }) => [[{ phase: phase ?? "" }, 1]]),
  gauge("blocked_by", "What keeps the next person out", ({ blocked_by }) => [[{ code: blocked_by?.code ?? "" }, 1]]),
  ...Object.entries(TOTALS).map(([name, help]): Metric => {
    return {
      name: `${name}_total`,
      type: "counter",
      help: `${help}, since the last reset`,
      of: (stats) => stats[`${name}_total` as "joined_total"],
    };
  }),
  {
    name: "origin_replies_total",
    type: "counter",
    help: "What Workers saw of the site, since the Room was loaded",
    of: ({ origin }) => [
      [{ outcome: "ok" }, origin?.ok],
      [{ outcome: "failed" }, origin?.failed],
    ],
  },
  {
    name: "failed_open_people_total",
    type: "counter",
    help: "People let in by Workers that could not reach the Room, since it was loaded",
    of: ({ failed_open }) => failed_open?.people ?? 0,
  },
];

export function metricsText(readings: readonly RoomReading[]): string {
  const known = readings.flatMap(({ room, stats }) => (stats === null ? [] : [{ room, stats }]));
  const of = readings.map(({ room, isUp }) => [{ room }, isUp ? 1 : 0] as const);
  const ages = readings.flatMap(({ room, stats, ageMs }) => (stats === null ? [] : [[{ room }, ageMs / 1_000] as const]));
  return [
    ...family("room_up", "gauge", "1 = the Room answered; 0 = it did not, and its numbers are the last that this Worker knows", of),
    ...family("room_numbers_age_seconds", "gauge", "How old the numbers of the room are", ages),
    ...METRICS.flatMap(({ name, type, help, of: read }) => {
      const samples = known.flatMap(({ room, stats }) => {
        const value = read(stats);
        const list: Samples = typeof value === "number" ? [[{}, value]] : (value ?? []);
        return list.filter(([, each]) => Number.isFinite(each)).map(([labels, each]) => [{ room, ...labels }, each] as const);
      });
      return family(name, type, help, samples);
    }),
    ...firstBytes(known),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function family(name: string, type: string, help: string, samples: Samples): string[] {
  if (samples.length === 0) return [];
  return [...headOf(name, type, help), ...samples.map(([labels, value]) => sample(name, labels, value))];
}

function headOf(name: string, type: string, help: string): string[] {
  return [`# HELP vestibule_${name} ${help}.`, `# TYPE vestibule_${name} ${type}`];
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `vestibule_${name}{${pairs.join(",")}} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** As a histogram; its classes are those that edges count by. */
function firstBytes(known: readonly { readonly room: string; readonly stats: Stats }[]): string[] {
  if (known.length === 0) return [];
  const name = "origin_first_byte_seconds";
  const lines = known.flatMap(({ room, stats: { origin_times: times = { counts: [], sum_ms: 0 } } }) => {
    let below = 0;
    const buckets = TIME_ENDS_MS.map((end, i) => {
      below += times.counts[i] ?? 0;
      return sample(`${name}_bucket`, { room, le: String(end / 1_000) }, below);
    });
    const all = times.counts.reduce((sum, count) => sum + count, 0);
    return [
      ...buckets,
      sample(`${name}_bucket`, { room, le: "+Inf" }, all),
      sample(`${name}_sum`, { room }, times.sum_ms / 1_000),
      sample(`${name}_count`, { room }, all),
    ];
  });
  return [...headOf(name, "histogram", "Time to the first byte of the site's replies, since the Room was loaded"), ...lines];
}
