/**
 * Two built Workers with their real Room before one site, on a zone route and with ORIGIN, and in each busy room somebody inside and
 * somebody in line; requests octet by octet. For tests of what gets past the gate. Node 22 only.
 */
import { connect } from "node:net";
import type { Manifest } from "../../src/core/manifest";
import { type SendInit, send } from "./http";
import { Visitor } from "./jar";
import type { Origin } from "./origin";
import { type RawReply, rawRequest } from "./raw";
import { startWorker, type TestWorker } from "./worker";

/** One place, so that a second visitor waits; nothing runs out while the tests run. */
const BUSY = { total_active_users: 1, new_users_per_minute: 6_000, pass_refresh_seconds: 180 };
export const busyRooms = {
  part: { host: "part.test", path: "/checkout" },
  whole: { host: "whole.test" },
  till: { host: "two.test", path: "/checkout" },
  tickets: { host: "two.test", path: "/tickets" },
  cafe: { host: "bücher.test", path: "/café" },
  broken: { host: "broken.test" },
} as const;
export type Busy = keyof typeof busyRooms;
export const QUIET_CAPACITY = 100;
const rooms = {
  ...Object.fromEntries(Object.entries(busyRooms).map(([name, place]) => [name, { ...BUSY, ...place }])),
  quiet: { ...BUSY, host: "quiet.test", total_active_users: QUIET_CAPACITY },
};

export interface Front {
  readonly worker: TestWorker;
  /** Somebody inside, and somebody in line, of each busy room. */
  readonly inside: Readonly<Record<Busy, Visitor>>;
  readonly waiting: Readonly<Record<Busy, Visitor>>;
}

/** On a zone route, with two isolates, and with ORIGIN; the order is theirs. */
export async function startFronts(site: Origin): Promise<readonly [zone: Front, configured: Front]> {
  const [onZone, withOrigin] = await Promise.all([
    startWorker({ zone: `127.0.0.1:${site.port}`, isolates: 2, rooms, vars: { PASS_HOSTS: "open.test" } }),
    startWorker({ origin: site.url, rooms }),
  ]);
  return Promise.all([fill(onZone), fill(withOrigin)]);
}

async function fill(worker: TestWorker): Promise<Front> {
  const names = Object.keys(busyRooms) as Busy[];
  const enter = async (room: Busy): Promise<readonly [Visitor, Visitor]> => {
    const [first, second] = [visitorOf(worker, room), visitorOf(worker, room)];
    await until(async () => {
      await enterOnce(first);
      return passOf(first, room) !== undefined;
    });
    await enterOnce(second);
    if (passOf(second, room) !== undefined) throw new Error(`${room} is not busy`);
    return [first, second];
  };
  const pairs = await Promise.all(names.map(async (room) => [room, await enter(room)] as const));
  return {
    worker,
    inside: Object.fromEntries(pairs.map(([room, [first]]) => [room, first])) as Front["inside"],
    waiting: Object.fromEntries(pairs.map(([room, [, second]]) => [room, second])) as Front["waiting"],
  };
}

export function visitorOf(worker: TestWorker, room: Busy | "quiet", options: { readonly keepsCookies?: boolean } = {}): Visitor {
  const transport = (url: URL, init: SendInit) =>
    send(new URL(url.pathname + url.search, worker.url), { ...init, headers: { Host: url.host, ...init.headers } });
  const place: { readonly host: string; readonly path?: string } = room === "quiet" ? { host: "quiet.test" } : busyRooms[room];
  return new Visitor(`http://${place.host}${place.path ?? "/"}`, { transport, ...options });
}
const enterOnce = async (visitor: Visitor) => (await visitor.navigate(visitor.base)).arrayBuffer();
export const placeOf = (visitor: Visitor, room: Busy) => visitor.cookies.get(`vestibule.${room}`)?.value;
export const passOf = (visitor: Visitor, room: Busy) => visitor.cookies.get(`vestibule-pass.${room}`)?.value;

export interface Attack {
  readonly target?: string;
  readonly method?: string;
  readonly host?: string;
  /** Header lines; one of them may be another Host. */
  readonly lines?: readonly string[];
  readonly body?: string;
  readonly isolate?: number;
}

/** Octets as given: text is Latin-1. */
export function attack(
  worker: TestWorker,
  { target = "/checkout", method = "GET", host = "part.test", lines = [], body, isolate = 0 }: Attack,
): Promise<RawReply> {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body, "latin1")}`];
  const closing = lines.some((line) => /^connection:/i.test(line)) ? [] : ["Connection: close"];
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...lines, ...length, ...closing];
  return rawRequest(worker.urls[isolate] ?? worker.url, Buffer.from(`${head.join("\r\n")}\r\n\r\n${body ?? ""}`, "latin1"));
}

/** At most 16 at a time. */
export async function all<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return results;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isSo()); ) {
    if (Date.now() > deadline) throw new Error("it never became so");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Buckets of a new room start empty. */
export async function warm(front: Front, host: string): Promise<void> {
  const room = host.split(".", 1)[0];
  const url = new URL(`/__vestibule/rooms/${room}/manifest`, front.worker.url);
  await until(async () => ((await (await send(url, { headers: { Host: host } })).json()) as Manifest).quiet);
}

/** Sends the head of a request for `/checkout` and nothing more, and hangs up once the head of the reply is there. */
export function openSocket(front: Front, lines: readonly string[], method = "GET"): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = "";
    const socket = connect(Number(front.worker.url.port), "127.0.0.1");
    socket.write([`${method} /checkout HTTP/1.1`, "Host: part.test", ...lines, "", ""].join("\r\n"));
    socket.on("error", reject);
    socket.on("close", () => resolve(head));
    socket.on("data", (chunk) => {
      head += chunk.toString("latin1");
      if (head.includes("\r\n\r\n")) socket.destroy();
    });
  });
}
