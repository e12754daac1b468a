/** Files of the waiting page in an isolate: what they may take of its memory and of the Room's time. */
import { describe, expect, test } from "vitest";
import { namesFile } from "../../src/core/page-files";
import type { RoomSettings } from "../../src/core/settings-types";
import { noColoStore } from "../../src/room/colo-store";
import { FileBook } from "../../src/room/file-book";
import { FileShelf } from "../../src/room/file-shelf";

const NOW = 1_790_000_000_000;
const life = { waitUntil: () => undefined };

function bookOf(files: Readonly<Record<string, string>>, named: readonly string[], shelf?: FileShelf) {
  const asked: string[] = [];
  const ask = async (name: string) => {
    asked.push(name);
    return files[name] ?? null;
  };
  const isNamed = (name: string) => named.includes(name);
  const book = new FileBook({ ask, colo: () => noColoStore, isNamed, ...(shelf && { shelf }) });
  return { asked, read: (name: string, now = NOW) => book.read(name, now, 1_000, life) };
}

describe("files of the page in an isolate", () => {
  test("[LOOK-5] names that anybody can make up cost the Room little, and the page's own files nothing", async () => {
    const { asked, read } = bookOf({ logo: "picture" }, ["logo"]);
    for (let guess = 0; guess < 100; guess++) expect(await read(`guess-${guess}`)).toBeNull();
    expect(asked).toHaveLength(4);
    expect(await read("logo")).toBe("picture");
    for (let guess = 100; guess < 200; guess++) await read(`guess-${guess}`, NOW + 20_000);
    expect(asked).toHaveLength(4 + 1 + 2);
  });

  test("[LOOK-5] a file that was replaced, or is tried in a preview, can still be had", async () => {
    const { read } = bookOf({ before: "old" }, ["logo"]);
    expect(await read("before")).toBe("old");
  });

  test("[LOOK-5] nobody waits for the colo's cache to have kept what is already here", async () => {
    const slow = { get: async () => null, put: () => new Promise<void>(() => undefined) };
    const book = new FileBook({ ask: async () => "picture", colo: () => slow, isNamed: () => true });
    const both = [book.read("logo", NOW, 20_000, life), book.read("logo", NOW, 20_000, life)];
    expect(await Promise.all(both)).toEqual(["picture", "picture"]);
  });

  test("[LOOK-5] all rooms together keep so many characters: those that were used last", async () => {
    const shelf = new FileShelf(25);
    const files = { a: "a".repeat(10), b: "b".repeat(10), c: "c".repeat(10) };
    const names = Object.keys(files);
    const [one, other] = [bookOf(files, names, shelf), bookOf(files, names, shelf)];
    await one.read("a");
    await other.read("b");
    await one.read("a");
    await other.read("c");
    await one.read("a");
    expect(one.asked).toEqual(["a"]);
    await other.read("b");
    expect(other.asked).toEqual(["b", "c", "b"]);
    // One room's file is not another's, whatever they are called.
    await one.read("b");
    expect(one.asked).toEqual(["a", "b"]);
  });

  test("[LOOK-5] the settings name what is shown now and what an event will show", () => {
    const look = { logo: "now.png", template: null };
    const event = { overrides: { look: { logo: null, template: "sale.html" } } };
    const settings = { look, events: [event, { overrides: {} }] } as unknown as RoomSettings;
    expect(["now.png", "sale.html", "then.png"].map((name) => namesFile(settings, name))).toEqual([true, true, false]);
  });
});
