/** The public list of a large draw: read to its end by page and by curl, kept where it was asked for, at a bounded cost to the Room. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { DrawRecord, ListedBatch } from "../../src/core/draw";
import type { RoomRpc } from "../../src/core/room-rpc";
import { type ColoStore, noColoStore } from "../../src/room/colo-store";
import { DrawBook } from "../../src/room/draw-book";
import { readList } from "../../static/verify/list";

const NOW = 1_790_000_000_000;
const PAGE = 100;
const all: ListedBatch[] = Array.from({ length: 4_000 }, (_, i) => ({ first: 2 * i, digest: String(i).padStart(64, "0") }));
const record = { id: 7, count: 8_000, entriesHash: "ab".repeat(32) } as DrawRecord;
const pageFrom = (from: number) => all.filter(({ first }) => first >= from).slice(0, PAGE);
const textOf = (batches: readonly ListedBatch[]) => batches.map(({ first, digest }) => `${first} ${digest}\n`).join("");

/** Isolates of one colo in front of one Room, on a clock of their own. */
class World {
  now = NOW;
  calls = 0;
  readonly kept = new Map<string, string>();
  readonly work: Promise<unknown>[] = [];
  readonly life = { waitUntil: (work: Promise<unknown>) => void this.work.push(work) };
  readonly room = {
    draw: async () => this.#count(record),
    drawBatches: async (_: number, from: number) => this.#count(pageFrom(from)),
  } as unknown as RoomRpc;

  isolate(store: (page: string) => ColoStore = (page) => this.#store(page)): DrawBook {
    return new DrawBook((run) => run(this.room), store);
  }

  /** As the verify page reads: waits as told, and by nothing else. */
  async read(book: DrawBook, told: number[] = []): Promise<ListedBatch[]> {
    return readList({
      ask: async (from) => {
        const page = await book.list(record, from, this.now, this.life);
        return page === null ? new Response("", { status: 503, headers: { "Retry-After": "3" } }) : new Response(page);
      },
      pause: async (ms) => {
        this.now += ms;
      },
      progress: (entries) => void told.push(entries),
    });
  }

  #store(page: string): ColoStore {
    return { get: async () => this.kept.get(page) ?? null, put: async (text) => void this.kept.set(page, text) };
  }

  #count<T>(answer: T): T {
    this.calls += 1;
    return answer;
  }
}

describe("the list of a large draw", () => {
  test("[GATE-50] [PAGE-18] is read to its end, as slowly as the room asks for, and said how far", async () => {
    const world = new World();
    const told: number[] = [];
    expect(await world.read(world.isolate(), told)).toEqual(all);
    expect(world.calls).toBeGreaterThan(30);
    expect(world.now).toBeGreaterThan(NOW);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(7_999);
  });

  test("[GATE-50] is asked of the Room once for all isolates of a colo", async () => {
    const world = new World();
    await world.read(world.isolate());
    await Promise.all(world.work);
    const { calls, now } = world;
    for (let i = 0; i < 3; i++) expect(await world.read(world.isolate())).toEqual(all);
    expect([world.calls, world.now]).toEqual([calls, now]);
  });

  test.each<[string, ColoStore]>([
    ["is not there", noColoStore],
    ["throws", { get: () => Promise.reject(new Error("told to throw")), put: () => Promise.reject(new Error("told to throw")) }],
  ])("[GATE-50] needs no cache: one that %s", async (_, store) => {
    const world = new World();
    const book = world.isolate(() => store);
    expect(await world.read(book)).toEqual(all);
    await Promise.all(world.work);
    const { calls } = world;
    expect(await book.list(record, 7_799, world.now, world.life), "this isolate remembers the last pages").not.toBeNull();
    expect(world.calls).toBe(calls);
  });

  test("[GATE-50] [P12] costs the Room no more than its budget, whatever is asked, and leaves records theirs", async () => {
    const world = new World();
    const book = world.isolate();
    const asked = await Promise.all(Array.from({ length: 1_000 }, (_, i) => book.list(record, 3 * i, NOW, world.life)));
    expect(world.calls).toBe(5);
    expect(asked.filter((page) => page !== null).length).toBe(5);
    expect(await book.find(7, NOW, "public")).toBe(record);
    expect(await book.list(record, 8_000, NOW, world.life), "what cannot be there is not asked for").toBe("");
    expect(await book.list(record, 9_999_999, NOW, world.life)).toBe("");
  });

  test("[GATE-50] another draw of the same number is not answered from the cache", async () => {
    const world = new World();
    await world.read(world.isolate());
    await Promise.all(world.work);
    const { calls } = world;
    await world.isolate().list({ ...record, entriesHash: "cd".repeat(32) }, 0, world.now, world.life);
    expect(world.calls).toBe(calls + 1);
  });

  test("[PAGE-18] a list that is refused for minutes, or for good, cannot be had", async () => {
    const pauses: number[] = [];
    const reading = (status: number) =>
      readList({
        ask: async () => new Response("", { status }),
        pause: async (ms) => void pauses.push(ms),
        progress: () => undefined,
      });
    await expect(reading(503)).rejects.toThrow("503");
    expect(pauses.length).toBeGreaterThan(5);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_000);
    pauses.length = 0;
    await expect(reading(404)).rejects.toThrow("404");
    expect(pauses).toEqual([]);
  });

  test("[GATE-50] the commands of docs/fairness.md fetch all of it, though they are refused on the way", async () => {
    const doc = readFileSync(new URL("../../docs/fairness.md", import.meta.url), "utf8");
    const commands = /^```sh\n(DRAW=[\s\S]*?)^```$/m.exec(doc)?.[1] ?? "";
    let asked = 0;
    const server = createServer((request, response) => {
      const from = new URL(request.url ?? "", "http://draw.test").searchParams.get("from");
      asked += 1;
      if (asked === 3) response.writeHead(503, { "Retry-After": "1" }).end('{"code":"room-unreachable"}\n');
      else response.end(from === null ? JSON.stringify(record) : textOf(pageFrom(Number(from))));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const directory = mkdtempSync(join(tmpdir(), "draw-list-"));
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/draws/7`;
      await promisify(execFile)("sh", ["-ec", commands.replace(/^DRAW=.*$/m, `DRAW=${address}`)], { cwd: directory });
      expect(readFileSync(join(directory, "entries.txt"), "utf8")).toBe(textOf(all));
      expect(JSON.parse(readFileSync(join(directory, "record.json"), "utf8"))).toEqual(record);
    } finally {
      rmSync(directory, { recursive: true });
      server.close();
    }
  });
});
