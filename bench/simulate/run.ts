/** Runs a plan: one clock, the isolates, and for each room its Room, its clients and its visitors. One seed, one run. */
import { START, seeded, settingsOf } from "../../test/support/line-world";
import { VirtualTime } from "../../test/support/virtual-time";
import type { Books } from "./books";
import { Edges, Map300 } from "./edges";
import { People } from "./people";
import type { Plan, RoomPlan } from "./plan";
import { RoomHost } from "./room-host";
import { Visitors } from "./visitors";

const GRAIN_MS = 1;
/** After the last one is in: sessions go on, nothing is measured any more. */
const AFTERWARDS_MS = 2_000;

export interface RoomOutcome {
  readonly room: RoomPlan;
  readonly books: Books;
  readonly people: People;
  readonly host: RoomHost;
  /** Virtual time, ms since the start. */
  readonly endedAtMs: number;
}

/** @param progress told every minute of virtual time */
export async function runPlan(plan: Plan, progress: (line: string) => void = () => undefined): Promise<RoomOutcome[]> {
  const random = seeded(plan.seed);
  const time = new VirtualTime(START, GRAIN_MS);
  const map = new Map300(plan, random);
  const rooms = plan.rooms.map((room) => open(plan, room, map, time, random));
  let busy = rooms.length;
  for (const { visitors } of rooms)
    visitors.onAllDone = () => {
      busy -= 1;
      if (busy === 0) time.at(time.now + AFTERWARDS_MS, () => time.stop());
    };
  const until = START + plan.seconds * 1_000;
  await time.run(until, () => {
    for (const { visitors } of rooms) visitors.begin();
    if (plan.crashesPerMinute > 0) crashes(plan, time, random, rooms);
    const tell = () => {
      const minute = Math.round((time.now - START) / 60_000);
      progress(`${plan.name}: minute ${minute}, ${rooms.map(({ visitors, room }) => `${room.room}: ${visitors.open} to go`).join(", ")}`);
      time.at(time.now + 60_000, tell);
    };
    time.at(time.now + 60_000, tell);
  });
  return rooms.map(({ room, host, people }) => ({ room, books: host.books, people, host, endedAtMs: time.now - START }));
}

function open(plan: Plan, room: RoomPlan, map: Map300, time: VirtualTime, random: () => number) {
  const settings = settingsOf(room.settings);
  const people = new People(room.people, room.partySize);
  const visitors = new Visitors({ plan, room, time, startMs: START, random, people });
  const host = new RoomHost({ plan, room, settings, time, startMs: START, random, people, carried: visitors });
  visitors.host = host;
  visitors.edges = new Edges({
    room: room.room,
    settings,
    sizeOf: (ask) => (ask.kind === "join" || ask.kind === "look" ? room.partySize : 1),
    map,
    time,
    random,
    roomFor: (colo) => host.stub(colo),
  });
  return { room, people, visitors, host };
}

function crashes(plan: Plan, time: VirtualTime, random: () => number, rooms: readonly { readonly visitors: Visitors }[]): void {
  const gapMs = 60_000 / (plan.crashesPerMinute * plan.isolates);
  const next = () => {
    const isolate = Math.floor(random() * plan.isolates);
    for (const { visitors } of rooms) visitors.edges.crash(isolate);
    time.at(time.now - gapMs * Math.log(1 - random()), next);
  };
  time.at(time.now + gapMs, next);
}
