/** The Room's question to drand, in real workerd against real HTTP servers: the round, or in one word why not. */
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BeaconAnswer } from "../../durable/beacon";
import { roundUrl } from "../../src/core/drand";
import { root } from "../support/bundle";
import { type DrandServer, RECORDED_ROUNDS, recordedRound, startDrand } from "../support/drand";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "../support/miniflare";

let drand: DrandServer;
let other: DrandServer;
let miniflare: Miniflare;
let gone: string;

beforeAll(async () => {
  const [built, ...servers] = await Promise.all([
    build({ entryPoints: [`${root}test/support/beacon-worker.ts`], bundle: true, format: "esm", write: false, external: ["node:crypto"] }),
    startDrand(),
    startDrand(),
    startDrand(),
  ]);
  [drand, other] = servers;
  gone = servers[2].url;
  await servers[2].stop();
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.ERROR),
      modules: [{ type: "ESModule", path: "beacon.js", contents: built.outputFiles[0]?.text ?? "" }],
      compatibilityDate: "2026-11-01",
    } as never),
  );
  await miniflare.ready;
});

afterAll(async () => {
  await miniflare?.dispose();
  await Promise.all([drand, other].map((server) => server?.stop()));
});

beforeEach(() => {
  for (const server of [drand, other]) {
    server.answer = null;
    server.asked.length = 0;
  }
});

const PATIENT_MS = 30_000;

async function ask(round: number, apis: readonly string[] = [drand.url], withinMs = PATIENT_MS): Promise<BeaconAnswer> {
  const query = new URLSearchParams({ round: `${round}`, apis: apis.join(","), within: `${withinMs}` });
  const response = await miniflare.dispatchFetch(`http://beacon.test/?${query}`);
  const said = await response.text();
  expect(response.status, said).toBe(200);
  return JSON.parse(said) as BeaconAnswer;
}

const notFound = (...why: string[]) => ({ found: false, tried: why.map((each) => expect.objectContaining({ why: each })) });

describe("fetchRound", () => {
  test.each(RECORDED_ROUNDS)("[DRAW-8] gives the recorded round $round", async (recorded) => {
    expect(await ask(recorded.round)).toEqual({ found: true, round: recorded });
    expect(drand.asked).toEqual([new URL(roundUrl(drand.url, recorded.round)).pathname]);
  });

  test.each([404, 425])("[DRAW-8] a round that is not there yet (%i) is early", async (status) => {
    drand.answer = status;
    expect(await ask(1000)).toEqual(notFound("early"));
  });

  test.each([204, 400, 429, 500, 503])("[DRAW-8] status %i is no round", async (status) => {
    drand.answer = status;
    expect(await ask(1000)).toEqual(notFound("status"));
  });

  test("[DRAW-8] another round, another number under its signature, or something else is refused by name", async () => {
    const bodies: [string, string][] = [
      ["other-round", recordedRound(999)],
      ["wrong-randomness", recordedRound(1000).replace("fe290b", "fe290c")],
      ["wrong-randomness", recordedRound(1000).replace("5e39", "5e38")],
      ["malformed", recordedRound(1000).replace("fe290b", "FE290B")],
      ["malformed", recordedRound(1000).slice(0, -1)],
      ["malformed", "[]"],
      ["malformed", "null"],
      ["malformed", ""],
      ["malformed", "<html>maintenance</html>"],
    ];
    for (const [why, body] of bodies) {
      drand.answer = (response) => response.writeHead(200).end(body);
      expect(await ask(1000), body).toEqual(notFound(why));
    }
  });

  test("[DRAW-8] a body without end is cut off", async () => {
    let sent = 0;
    drand.answer = (response) => {
      const more = () => {
        while (response.write("x".repeat(1000))) sent += 1000;
      };
      response
        .writeHead(200)
        .on("drain", more)
        .on("error", () => {});
      more();
    };
    expect(await ask(1000)).toEqual(notFound("too-large"));
    expect(sent).toBeGreaterThan(2000);
  });

  test("[DRAW-8] an API that hangs before or within its answer, refuses or breaks off ends by itself", async () => {
    drand.answer = () => {};
    expect(await ask(1000, [drand.url], 300)).toEqual(notFound("silent"));
    drand.answer = (response) => void response.writeHead(200).write('{"round":1000,');
    expect(await ask(1000, [drand.url], 300)).toEqual(notFound("silent"));
    drand.answer = (response) => response.destroy();
    expect(await ask(1000)).toEqual(notFound("unreachable"));
    expect(await ask(1000, [gone])).toEqual(notFound("unreachable"));
  });

  test("[DRAW-8] a redirect is not followed", async () => {
    drand.answer = (response, round) => response.writeHead(302, { Location: roundUrl(other.url, round) }).end();
    expect(await ask(1000)).toEqual(notFound("status"));
    expect(other.asked).toEqual([]);
  });

  test("[DRAW-8] asks the next API after each failure, and no further than the first that has the round", async () => {
    drand.answer = (response) => response.writeHead(200).end(recordedRound(999));
    expect(await ask(1000, [gone, drand.url, other.url, other.url])).toMatchObject({ found: true, round: { round: 1000 } });
    expect([drand.asked.length, other.asked.length]).toEqual([1, 1]);
    other.answer = 404;
    expect(await ask(1000, [gone, drand.url, other.url])).toEqual({
      found: false,
      tried: [
        { api: gone, why: "unreachable" },
        { api: drand.url, why: "other-round" },
        { api: other.url, why: "early" },
      ],
    });
  });
});
