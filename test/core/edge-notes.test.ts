/** What edges note for the operator: bounded whatever comes, and what comes often stays. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recentCallbacks, takeNotes } from "../../durable/line/notes";
import { newLine } from "../../durable/line/state";
import { CALLBACKS_MAX, countedPath, NO_SHADOW, NoteBook, readNotes } from "../../src/core/edge-notes";

const HOUR = 3_600_000;

describe("paths that look like webhooks", () => {
  test("[NOTES-1] numbers of things are one path, nothing is longer than 64 characters", () => {
    const paths: [string, string][] = [
      ["/webhooks/pay", "/webhooks/pay"],
      ["/orders/1042/paid", "/orders/*/paid"],
      ["/hooks/evt_1Nv0F2eZvKYlo2C", "/hooks/*"],
      ["/hooks/3f2504e0-4f89-11d3-9a0c-0305e82c3301/x", "/hooks/*/x"],
      ["/v2/notifications", "/v2/notifications"],
      [`/${"a".repeat(10_000)}`, `/${"a".repeat(63)}`],
    ];
    for (const [path, counted] of paths) expect(countedPath(path)).toBe(counted);
  });

  test("[NOTES-1] P12 at most 20 are told apart; what comes often stays among a flood of others, and no count is too low", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 100, maxLength: 400, size: "max" }), (flood) => {
        const book = new NoteBook();
        const real = new Map<string, number>();
        const note = (path: string) => {
          book.callback("POST", path);
          real.set(path, (real.get(path) ?? 0) + 1);
        };
        for (const each of flood) {
          note(`/x${String.fromCharCode(97 + (each % 26))}${String.fromCharCode(97 + (Math.floor(each / 26) % 26))}`);
          note("/hooks/pay");
        }
        for (let i = 0; i < 30; i++) note(`/z${String.fromCharCode(97 + (i % 26))}${i < 26 ? "" : "z"}`);
        const callbacks = book.take()?.callbacks ?? [];
        expect(callbacks.length).toBeLessThanOrEqual(CALLBACKS_MAX);
        for (const { path, count } of callbacks) expect(count).toBeGreaterThanOrEqual(real.get(path) ?? 0);
        if (flood.length > 0) expect(callbacks.map(({ path }) => path)).toContain("/hooks/pay");
        expect(book.take()).toBeNull();
      }),
    );
  });

  test("[NOTES-1] what a failed exchange carried is said again", () => {
    const book = new NoteBook();
    book.callback("POST", "/a");
    book.shadow("waited");
    const taken = book.take();
    book.callback("POST", "/a");
    book.callback("PUT", "/a");
    book.shadow("waited");
    book.giveBack(taken);
    expect(book.take()).toEqual({
      shadow: { entered: 0, waited: 2, refused: 0 },
      callbacks: [
        { method: "POST", path: "/a", count: 2 },
        { method: "PUT", path: "/a", count: 1 },
      ],
    });
  });

  test("[NOTES-1] the Room keeps the last day's, the most frequent first, and what an older edge leaves out is nothing", () => {
    const line = newLine(0, "r");
    const say = (now: number, ...paths: string[]) => {
      line.counters.now = now;
      takeNotes(line, { shadow: { ...NO_SHADOW, waited: 1 }, callbacks: paths.map((path) => ({ method: "POST", path, count: 3 })) }, now);
    };
    say(HOUR, "/a", "/b");
    say(2 * HOUR, "/b");
    takeNotes(line, undefined, 2 * HOUR);
    takeNotes(line, null, 2 * HOUR);
    expect(recentCallbacks(line)).toEqual([
      { method: "POST", path: "/b", count: 6, first_at: "1970-01-01T01:00:00.000Z", last_at: "1970-01-01T02:00:00.000Z" },
      { method: "POST", path: "/a", count: 3, first_at: "1970-01-01T01:00:00.000Z", last_at: "1970-01-01T01:00:00.000Z" },
    ]);
    expect(line.counters.shadow).toEqual({ entered: 0, waited: 2, refused: 0 });
    line.counters.now = 25 * HOUR;
    expect(recentCallbacks(line).map(({ path }) => path)).toEqual(["/b"]);
    say(26 * HOUR, "/c");
    expect(line.counters.callbacks.map(({ path }) => path)).toEqual(["/c"]);
    const many = Array.from({ length: 500 }, (_, i) => ({ method: "POST", path: `/${i}`, count: 1 }));
    expect(readNotes({ shadow: NO_SHADOW, callbacks: many })?.callbacks).toHaveLength(CALLBACKS_MAX);
    takeNotes(line, { shadow: NO_SHADOW, callbacks: many }, 26 * HOUR);
    expect(line.counters.callbacks).toHaveLength(CALLBACKS_MAX);
  });
});
