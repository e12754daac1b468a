/**
 * The same walks with and without a room, compared reply by reply, and what a site receives. Every difference is written to
 * docs/differences.md, which must stay as it is: `npm run test:sites -- -u` writes it anew.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Origin, startOrigin } from "../support/origin";
import type { TestWorker } from "../support/worker";
import { type AppName, appNames, startApp } from "./apps";
import { compare, type Difference } from "./differences";
import { documentOf, type Echo } from "./document";
import { type Mode, modes, ROOM, startFront } from "./front";
import { type Reply, Walk } from "./walk";
import { echoWalk, journeys } from "./walks";

const { dependencies: versions } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as {
  dependencies: Record<AppName, string>;
};
const HOST = "site.test";
const found = new Map<string, Difference[]>();
/** By application: a second try counts them anew. */
const replies = new Map<AppName, number>();
let echoes: Echo[] = [];

/** Walks until a pass is there; the replies so far are not part of the walk. */
async function enter(walk: Walk): Promise<Reply[]> {
  for (let tries = 0; tries < 200 && !walk.cookies.has(`vestibule-pass.${ROOM}`); tries++) {
    await walk.ask("/", { headers: { Accept: "text/html", "Sec-Fetch-Dest": "document" } });
    if (!walk.cookies.has(`vestibule-pass.${ROOM}`)) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return walk.replies.splice(0);
}

async function walkThrough(name: AppName, mode: Mode | null): Promise<readonly Reply[]> {
  const app = await startApp(name);
  const front = mode === null ? null : await startFront(app, mode);
  const walk = new Walk(front?.url ?? app.url, HOST);
  try {
    if (front) await enter(walk);
    await journeys[name].walk(walk);
    return walk.replies;
  } finally {
    walk.end();
    await front?.stop();
    await app.stop();
  }
}

test("[PROXY-3] bodies are compared to their last octet", () => {
  const reply = (end: string): Reply => ({
    label: "GET /",
    status: 200,
    reason: "OK",
    headers: [],
    body: Buffer.from(`${"-".repeat(2_000)}${end}`),
  });
  expect(compare([reply("a")], [reply("a")], [])).toEqual([]);
  expect(compare([reply("a")], [reply("b")], [])).toMatchObject([{ what: "body", without: '2001 bytes, from 2000: "a"' }]);
});

describe.each(appNames)("%s", (name) => {
  test("[PROXY-3][PROXY-4][PROXY-6] status, body and all headers are the site's own but for what docs/differences.md lists", async () => {
    const alone = await walkThrough(name, null);
    expect(alone.length).toBeGreaterThan(15);
    replies.set(name, alone.length);
    for (const mode of modes) found.set(`${name} ${mode}`, compare(alone, await walkThrough(name, mode), journeys[name].volatile));
    const all = modes.flatMap((mode) => found.get(`${name} ${mode}`) ?? []);
    expect(all.filter(({ what }) => what === "status" || what === "body")).toEqual([]);
  });
});

describe("what a site receives", () => {
  let site: Origin;
  const fronts = new Map<Mode, TestWorker>();
  beforeAll(async () => {
    site = await startOrigin();
    for (const mode of modes) fronts.set(mode, await startFront(site, mode));
  });
  afterAll(async () => {
    await Promise.all([...fronts.values()].map((front) => front.stop()));
    await site.stop();
  });

  test("[PROXY-1][PROXY-2][PROXY-7] is what was sent but for what docs/differences.md lists", async () => {
    const receivedOf = async (mode: Mode | null) => {
      const walk = new Walk(fronts.get(mode as Mode)?.url ?? site.url, HOST);
      const entering = mode === null ? [] : await enter(walk);
      site.received.length = 0;
      await echoWalk(walk);
      walk.end();
      const bodies = await Promise.all(site.received.map(async (each) => (await each.body()).toString()));
      return { entering, received: site.received.splice(0).map((each, i) => ({ ...each, text: bodies[i] ?? "" })) };
    };
    const alone = await receivedOf(null);
    echoes = [];
    for (const mode of modes) {
      const { entering, received } = await receivedOf(mode);
      // An apostrophe in the query: listed below.
      const asked = ({ method, url, text }: (typeof received)[number]) => `${method} ${url.replaceAll("'", "%27")} ${text}`;
      expect(received.map(asked)).toEqual(alone.received.map(asked));
      echoes.push({ mode, without: alone.received, with: received, entering });
    }
  });
});

test("[DOCS-8] docs/differences.md lists every difference there is", async () => {
  expect(found.size).toBe(appNames.length * modes.length);
  expect(echoes).toHaveLength(modes.length);
  await expect(
    documentOf({ versions, found, replies: [...replies.values()].reduce((sum, each) => sum + each, 0), echoes }),
  ).toMatchFileSnapshot("../../docs/differences.md");
});
