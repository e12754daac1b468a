/**
 * A drand API on this computer. Answers every round, under the number asked for, with the recorded round `recorded`, so that a Room of today can
 * draw: whoever checks the BLS signature finds out. With `answer` it plays the ways in which an API fails. Node only.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { QUICKNET } from "../../src/core/drand";
import vectors from "../vectors/drand-rounds.json" with { type: "json" };

export const RECORDED_ROUNDS: readonly { readonly round: number; readonly randomness: string; readonly signature: string }[] =
  vectors.rounds;

export interface DrandServer {
  readonly url: string;
  /** Paths asked for, oldest first. */
  readonly asked: string[];
  /** null = the recorded round; a number = that status; else what it does with the reply. */
  answer: null | number | ((response: ServerResponse, round: number) => void);
  stop(): Promise<void>;
}

export function recordedRound(round: number): string {
  const recorded = RECORDED_ROUNDS.find((each) => each.round === round) ?? RECORDED_ROUNDS[0];
  return JSON.stringify({ ...recorded, round });
}

export async function startDrand(): Promise<DrandServer> {
  const path = new RegExp(`^/${QUICKNET.chain}/public/([1-9]\\d*)$`);
  const server = createServer((request, response) => {
    drand.asked.push(request.url ?? "");
    const round = Number(path.exec(request.url ?? "")?.[1] ?? 0);
    if (round === 0) response.writeHead(400).end();
    else if (drand.answer === null) response.writeHead(200, { "Content-Type": "application/json" }).end(recordedRound(round));
    else if (typeof drand.answer === "number") response.writeHead(drand.answer).end("no");
    else drand.answer(response, round);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const drand: DrandServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: null,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return drand;
}
