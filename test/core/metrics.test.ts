/** Metrics for Prometheus: a strict reader takes them, whatever the numbers; and what a Room that is away looks like. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { statsOf } from "../../durable/line/view";
import { metricsText, type RoomReading } from "../../src/core/metrics";
import { addOutcomes, NO_OUTCOMES } from "../../src/core/origin-outcomes";
import { World } from "../support/line-world";
import { outcomeOf } from "../support/outcomes";
import { readMetrics } from "../support/prometheus";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A room with people in it and replies of its site. */
function reading(room: string, times: readonly number[] = [], isUp = true, ageMs = 0): RoomReading {
  const world = new World();
  for (const visitor of [world.visitor(), world.visitor(), world.visitor()]) world.join(visitor, false);
  world.now += 2_000;
  world.exchange({ origin: times.reduce((sum, ms) => addOutcomes(sum, outcomeOf(ms > 5_000 ? "failed" : "ok", ms)), NO_OUTCOMES) });
  return { room, stats: statsOf(world.line, world.settings, room, 1), ageMs, isUp };
}

describe("the log", () => {
  test("[METRIC-4] every line that Worker or Room writes is JSON that begins with its event, and of the visitor's request nothing goes into it", () => {
    const files = ["src", "durable"].flatMap((dir) =>
      readdirSync(join(root, dir), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(root, dir, name)),
    );
    const lines = files.flatMap(
      (file) =>
        readFileSync(file, "utf8")
          .replace(/\s+/g, " ")
          .match(/console\.\w+\(.{0,400}?\);?/g) ?? [],
    );
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.filter((line) => !/^console\.(?:log|warn|error)\( ?JSON\.stringify\(\{ event(?::|,) /.test(line))).toEqual([]);
    expect(lines.filter((line) => /\b(?:headers|cookie|token|ip|address|userAgent|body)\b/i.test(line))).toEqual([]);
  });
});

describe("metrics", () => {
  test("[METRIC-1] are what a strict reader of the format takes, with a sample of every room, and the site's times add up", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 30 }), fc.string(), (times, odd) => {
        const families = readMetrics(metricsText([reading("shop", times), reading(`odd ${odd}\\"\n`)]));
        const histogram = families.get("vestibule_origin_first_byte_seconds");
        expect(histogram?.samples.get('vestibule_origin_first_byte_seconds_count{room="shop"}')).toBe(times.length);
        const sum = histogram?.samples.get('vestibule_origin_first_byte_seconds_sum{room="shop"}') ?? 0;
        expect(sum).toBeCloseTo(times.reduce((total, ms) => total + ms, 0) / 1_000, 6);
        for (const { name, samples } of families.values()) {
          if (name !== "vestibule_room_up")
            expect([name, [...samples.keys()].filter((key) => key.includes('room="shop"')).length > 0]).toEqual([name, true]);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("[METRIC-1] say where everybody is, the rate set and in force, and what blocks the line", () => {
    const families = readMetrics(metricsText([reading("shop")]));
    const value = (family: string, labels: string) => families.get(`vestibule_${family}`)?.samples.get(`vestibule_${family}{${labels}}`);
    expect(value("slots", 'room="shop",state="called"')).toBe(3);
    expect(value("rate_per_minute", 'room="shop",is="set"')).toBe(60);
    expect(value("blocked_by", 'room="shop",code="nothing"')).toBe(1);
    expect(value("joined_total", 'room="shop"')).toBe(3);
  });

  test("[METRIC-2] of a Room that is away are the last known, marked by room_up and their age; of one never heard of that alone", () => {
    const families = readMetrics(metricsText([reading("shop", [], false, 90_000), { room: "new", stats: null, ageMs: 0, isUp: false }]));
    const up = families.get("vestibule_room_up")?.samples;
    expect([...(up ?? [])]).toEqual([
      ['vestibule_room_up{room="shop"}', 0],
      ['vestibule_room_up{room="new"}', 0],
    ]);
    expect([...(families.get("vestibule_room_numbers_age_seconds")?.samples ?? [])]).toEqual([
      ['vestibule_room_numbers_age_seconds{room="shop"}', 90],
    ]);
    expect(families.get("vestibule_capacity")?.samples.size).toBe(1);
  });

  test("[METRIC-3] do not grow with the people in a room", () => {
    const lines = (room: RoomReading) => metricsText([room]).split("\n").length;
    const { stats } = reading("shop");
    if (stats === null) throw new Error("no numbers");
    expect(lines({ room: "shop", stats: { ...stats, waiting: 5_000_000, isolates: 4_000 }, ageMs: 0, isUp: true })).toBe(
      lines(reading("shop")),
    );
    expect(lines(reading("shop"))).toBeLessThan(150);
  });

  test.each([
    ["a b 1", "no name"],
    ['# HELP a x\n# TYPE a gauge\na{l="\\q"} 1\n', "a wrong escape"],
    ["# HELP a x\n# TYPE a gauge\na 1\na 2\n", "a sample twice"],
    ["# HELP a x\n# TYPE a gauge\nb 1\n", "another's sample"],
    ["# HELP a x\n# TYPE a counter\na 1\n", "a counter without _total"],
    ['# HELP a x\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n', "buckets that go down"],
    ["# HELP a x\n# TYPE a gauge\na 1", "no end"],
  ])("[METRIC-1] the reader refuses %j: %s", (text) => expect(() => readMetrics(text)).toThrow());
});
