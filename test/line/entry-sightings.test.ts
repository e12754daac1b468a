/** Entries that nobody has asked about since they were made. */
import { describe, expect, it } from "vitest";
import { EntrySightings } from "../../durable/line/entry-sightings";

const T = 1_800_000_000_000;
const FAR_MS = 60_000;
const draw = (count: number, openedAtMs = T) => ({ id: 7, count, openedAtMs });

describe("[LOBBY-11] entries seen since they were made", () => {
  it("are counted once each, whatever order they come in, and only if there are such entries", () => {
    const seen = new EntrySightings(T - 1);
    for (const entry of [3, 0, 3, 2_000_000, -1, 0.5, Number.NaN, 999_999]) seen.see(7, entry, 1_000_000);
    expect(seen.unseen(draw(1_000_000), T, FAR_MS)).toBe(1_000_000 - 3);
    for (let entry = 0; entry < 1_000_000; entry++) seen.see(7, entry, 1_000_000);
    expect(seen.unseen(draw(1_000_000), T, FAR_MS)).toBe(0);
    expect(seen.unseen(draw(1_000_010), T, FAR_MS)).toBe(10);
  });

  it("are those of the draw that is asked about", () => {
    const seen = new EntrySightings(T - 1);
    seen.see(6, 1, 5);
    expect(seen.unseen(draw(5), T, FAR_MS)).toBe(5);
    seen.see(7, 1, 5);
    expect(seen.unseen(draw(5), T, FAR_MS)).toBe(4);
  });

  it("are not known after a restart, until everybody who is there could ask again", () => {
    const seen = new EntrySightings(T + 10_000);
    seen.see(7, 1, 5);
    expect(seen.unseen(draw(5), T + 10_000, FAR_MS)).toBeNull();
    expect(seen.unseen(draw(5), T + 114_999, FAR_MS)).toBeNull();
    expect(seen.unseen(draw(5), T + 115_000, FAR_MS)).toBe(4);
    // Whoever follows is not asked for more often than once a minute, however short the gap.
    expect(seen.unseen(draw(5), T + 114_999, 5_000)).toBeNull();
    expect(seen.unseen(draw(5), T + 115_000, 5_000)).toBe(4);
  });
});
