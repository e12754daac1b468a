/**
 * Dollars for a million visitors who wait an hour, item by item: requests counted by waiting.ts, processor time and rows measured by
 * `npm run bench`, prices of prices.mjs. And the tables of docs/cost.md, so that the page says what the model says. Pure.
 */
import { GATHER_MS } from "../../durable/gathering";
import { TARGET_CALLS_PER_SECOND } from "../../durable/line/pacing";
import { dollars, FREE_DAY, INCLUDED, PRICES, type Use } from "./prices.mjs";
import { type Asked, waysToWait } from "./waiting";

export const VISITORS = 1_000_000;
const WAIT = { waitS: 3_600, perMinute: VISITORS / 60 };
/** The page: a redirect that sets the cookie, the round trip that proves it, the page itself. Its module is a static file. */
const ARRIVAL_REQUESTS = 3;
/** The page load that goes in. What it costs to be inside is another matter. */
const ENTRY_REQUESTS = 1;
/**
 * Processor time, ms: `npm run bench -- --only follow,poll` for streams and questions, on a computer with nothing else to do; coming and
 * going in by the same harness beside much other work, so rather too much.
 */
export const CPU_MS = { redirect: 0.21, check: 0.26, page: 0.84, question: 0.107, stream: 0.463, look: 0.0381, tell: 0.194, entry: 0.6 };
/** No more steps of the Room a second than this, each a row, unless a crowd asks more than a step takes. */
const STEPS_PER_S = 1_000 / GATHER_MS;
/**
 * `npm run bench -- --only storage`: a step writes a row, entries in calls of their own 46 more for a thousand. In each second the log gets one, of
 * which an old one is deleted later, and every other second the alarm is set.
 */
const ROWS = { step: 1, entry: 0.046, second: 2.5 };
const ROOM_GB = 0.128;

export const NOW = "a status that goes on (what is built)";
export const BEFORE = "an eighth of the wait left, 3 to 60 s (as until now)";

const isStream = ({ looks }: Asked) => looks > 0;

/** What waiting alone takes, per visitor. */
export function waitingUse(asked: Asked): Use {
  const streams = isStream(asked) ? asked.requests : 0;
  // A stream asks the Room about the turn, as a question would.
  const questions = isStream(asked) ? 1 : asked.requests;
  const cpuMs = streams * CPU_MS.stream + questions * CPU_MS.question + asked.looks * CPU_MS.look + asked.tells * CPU_MS.tell;
  return { requests: asked.requests, cpuMs };
}

const arrivalUse: Use = { requests: ARRIVAL_REQUESTS, cpuMs: CPU_MS.redirect + CPU_MS.check + CPU_MS.page };
const entryUse: Use = { requests: ENTRY_REQUESTS, cpuMs: CPU_MS.entry };

/** At the Room's pace, however many isolates and people there are. */
const roomCalls = TARGET_CALLS_PER_SECOND * WAIT.waitS;
const roomRows = WAIT.waitS * (STEPS_PER_S * ROWS.step + ROWS.second) + VISITORS * ROWS.entry;
/** The Room's for all of them, in the hour in which they go in; that they came is next to nothing, if they came together. */
const roomUse: Use = { roomCalls, roomGbSeconds: WAIT.waitS * ROOM_GB, rowsWritten: roomRows, rowsRead: roomRows };

const times = (use: Use, n: number): Use => Object.fromEntries(Object.entries(use).map(([item, amount]) => [item, amount * n]));
const money = (amount: number) => `$${amount.toFixed(2)}`;
const millions = (amount = 0) => `${(amount / 1e6).toFixed(2)} M`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map((_, i) => (i === 0 ? "---" : "--:")), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Waiting, by mechanism. */
function mechanisms(ways: Readonly<Record<string, Asked>>): string {
  const rows = Object.entries(ways).map(([name, asked]) => {
    const use = times(waitingUse(asked), VISITORS);
    return [
      name,
      asked.requests.toFixed(1),
      money(dollars({ requests: use.requests ?? 0 })),
      money(dollars({ cpuMs: use.cpuMs ?? 0 })),
      `**${money(dollars(use))}**`,
      `${Math.round(asked.noticeS)} s`,
    ];
  });
  return table(["the page asks", "requests", "requests", "processor", "waiting, in all", "a raised rate is noticed within"], rows);
}

const partsOf = (asked: Asked) => ({ "coming: redirect, cookie, page": arrivalUse, waiting: waitingUse(asked), "going in": entryUse });

/** For all visitors, from the first page to the one that goes in. */
export function allDollars(asked: Asked): number {
  return Object.values(partsOf(asked)).reduce((sum, each) => sum + dollars(times(each, VISITORS)), dollars(roomUse));
}

/** All of it, with what is built. */
function everything(asked: Asked): string {
  const parts = partsOf(asked);
  const rows = Object.entries(parts).map(([name, each]) => {
    const use = times(each, VISITORS);
    return [
      name,
      millions(use.requests),
      money(dollars({ requests: use.requests ?? 0 })),
      millions(use.cpuMs),
      money(dollars({ cpuMs: use.cpuMs ?? 0 })),
    ];
  });
  const edge = allDollars(asked) - dollars(roomUse);
  return `${table(["at the edge", "requests", "dollars", "processor, ms", "dollars"], rows)}

${table(
  ["in the Room", "amount", "dollars"],
  [
    ["calls, at its pace all the hour", millions(roomCalls), money(dollars({ roomCalls }))],
    ["rows written", millions(roomRows), money(dollars({ rowsWritten: roomRows }))],
    [
      "duration, rows read",
      `${Math.round(WAIT.waitS * ROOM_GB)} GB-s`,
      money(dollars({ roomGbSeconds: WAIT.waitS * ROOM_GB, rowsRead: roomRows })),
    ],
  ],
)}

At the edge ${money(edge)}, in the Room ${money(dollars(roomUse))}, in all **${money(allDollars(asked))}**.`;
}

function plans(before: Asked, now: Asked): string {
  const own = ARRIVAL_REQUESTS + ENTRY_REQUESTS;
  const count = (amount: number) => (Math.floor(amount / 100) * 100).toLocaleString("en-US");
  const row = (name: string, asked: Asked) => {
    const requests = own + asked.requests;
    return [name, requests.toFixed(1), count(FREE_DAY.requests / requests), count(INCLUDED.requests / requests)];
  };
  return table(
    ["", "requests a visitor", "visitors a day, Workers Free", "visitors a month included in Workers Paid"],
    [row("before", before), row("now", now)],
  );
}

function prices(): string {
  const names: Readonly<Record<string, string>> = {
    requests: "requests to the Worker",
    cpuMs: "processor time, ms",
    roomCalls: "calls to the Room",
    roomGbSeconds: "the Room's duration, GB-s",
    rowsRead: "rows read",
    rowsWritten: "rows written",
    storedBytes: "stored, GB and month",
    logEvents: "log events",
  };
  const rows = Object.entries(PRICES).map(([item, price]) => {
    const included = INCLUDED[item as keyof Use];
    return [
      names[item] ?? item,
      `$${price}${item === "storedBytes" ? "" : " a million"}`,
      item === "storedBytes" ? "5" : `${included / 1e6} M`,
    ];
  });
  return table(["", "price", "included each month"], rows);
}

/** The tables by their names. */
function costTables(): Readonly<Record<string, string>> {
  const ways = waysToWait(WAIT);
  const [before, now] = [ways[BEFORE], ways[NOW]];
  if (before === undefined || now === undefined) throw new Error("the ways have other names");
  return { mechanisms: mechanisms(ways), everything: everything(now), plans: plans(before, now), prices: prices() };
}

/** The document with its tables as the model has them. */
export function withCostTables(document: string): string {
  const tables = costTables();
  return document.replace(/(<!-- table: (\w+) -->\n)[\s\S]*?(\n<!-- end -->)/g, (_, head: string, name: string, tail: string) => {
    const text = tables[name];
    if (text === undefined) throw new Error(`no table ${name}`);
    return `${head}${text}${tail}`;
  });
}
