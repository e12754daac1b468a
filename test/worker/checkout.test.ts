/**
 * examples/checkout: its seats on a real PostgreSQL, then the shop behind the built Worker with a crowd of 250 and with people who try to
 * walk past the room, then the one command that starts it all.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, cp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openPool, type Pool, startPostgres } from "../../examples/checkout/postgres.mjs";
import { ROOM, SETTINGS } from "../../examples/checkout/room.mjs";
import { createSeats, HOLD_JITTER_SECONDS, HOLD_SECONDS, Seats } from "../../examples/checkout/seats.mjs";
import { type Counts, startShop } from "../../examples/checkout/start-shop.mjs";
import { fullestWindow } from "../../scripts/lib/crowd-judge.mjs";
import { askRoom, runCrowd } from "../../scripts/lib/crowd-run.mjs";
import { root } from "../support/bundle";
import { Box } from "../support/checkout-crowd";
import { send } from "../support/http";
import { Visitor } from "../support/jar";
import { PATIENCE } from "../support/patience";
import { copyProject, freePort, processesNaming, processesWith } from "../support/project-copy";
import { printedKeys } from "../support/samples";
import { startWorker, TEST_KEYS, type TestWorker } from "../support/worker";

const VISITORS = 250;
const SEATS = 200;
const RATE = 1_800;
const SEED = 20_261_130;
/** So many are in line when the doors open. */
const IN_LINE = 75;

let postgres: Awaited<ReturnType<typeof startPostgres>>;
const pools: Pool[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await postgres.stop();
  expect(existsSync(postgres.directory)).toBe(false);
});

async function connect(database: string): Promise<Pool> {
  const pool = await openPool({ ...postgres.connection, database }, 20);
  pools.push(pool);
  return pool;
}

/** A database of its own. */
async function newDatabase(): Promise<Pool> {
  const name = `t${randomUUID().replaceAll("-", "")}`;
  await (await connect("postgres")).query(`CREATE DATABASE ${name}`);
  return connect(name);
}

describe("the seats", () => {
  let pool: Pool;
  let seats: Seats;
  /** Holds of this one are over as soon as they are made. */
  let brief: Seats;

  beforeAll(async () => {
    pool = await newDatabase();
    await createSeats(pool, { seats: 30 });
    seats = new Seats(pool);
    brief = new Seats(pool, { holdSeconds: 0.001, jitterSeconds: 0 });
  });

  /** Everything free again. */
  const clear = () =>
    pool.query(
      "DELETE FROM events; DELETE FROM sales; DELETE FROM orders; UPDATE seats SET sold = false, hold = NULL, visit = NULL, held_until = NULL",
    );

  test("[CHECKOUT-1] people who reach for the last seats at once get different ones, and together no more than there are", async () => {
    await clear();
    const done = await Promise.all(Array.from({ length: 40 }, (_, i) => seats.hold(`many ${i}`, 1)));
    const taken = done.flatMap((each) => (each.as === "held" ? each.seats : []));
    expect(new Set(taken).size).toBe(taken.length);
    // Whoever was told "too few" met seats in other hands at that instant: asked again, they get what is left.
    for (let i = 0; taken.length < 30 && i < 40; i++) {
      const again = await seats.hold(`again ${i}`, 1);
      if (again.as === "held") taken.push(...again.seats);
    }
    expect(new Set(taken).size).toBe(30);
    expect(await seats.hold("late", 1)).toEqual({ as: "too-few", free: 0 });
    expect(await seats.count()).toEqual({ seats: 30, free: 0, held: 30, sold: 0 });
  });

  test("[CHECKOUT-1] ten clicks of one visit hold once; the hold lasts 540 to 630 s by the database's clock", async () => {
    await clear();
    const done = await Promise.all(Array.from({ length: 10 }, () => seats.hold("clicks", 3)));
    expect(new Set(done.map((each) => each.as === "held" && each.hold)).size).toBe(1);
    expect((await seats.count()).held).toBe(3);
    for (let i = 0; i < 20; i++) await seats.hold(`jitter ${i}`, 1);
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM events.held_until - events.at)::float AS seconds FROM events WHERE visit LIKE 'jitter %'`,
    );
    const lengths = rows.map(({ seconds }) => seconds as number);
    expect(lengths).toHaveLength(20);
    // The event is noted a little after the hold began.
    expect(Math.max(...lengths)).toBeLessThanOrEqual(HOLD_SECONDS + HOLD_JITTER_SECONDS);
    expect(Math.min(...lengths)).toBeGreaterThan(HOLD_SECONDS - 30);
    expect(new Set(lengths.map(Math.round)).size).toBeGreaterThan(5);
  });

  test("[CHECKOUT-2] a hold that ran out is anybody's, and paying for it is refused and costs nothing", async () => {
    await clear();
    const lost = await brief.hold("dawdler", 4);
    if (lost.as !== "held") throw new Error(lost.as);
    await expect.poll(() => seats.held("dawdler")).toBeNull();
    expect((await seats.count()).free).toBe(30);
    // Nobody took them yet: it is refused all the same.
    expect(await seats.pay("dawdler", lost.hold, "D")).toEqual({ as: "lapsed" });
    const again = await brief.hold("dawdler", 4);
    if (again.as !== "held") throw new Error(again.as);
    await expect.poll(() => seats.held("dawdler")).toBeNull();
    const next = await seats.hold("next", 4);
    expect(next).toMatchObject({ as: "held", seats: again.seats });
    expect(await seats.pay("dawdler", again.hold, "D")).toEqual({ as: "lapsed" });
    expect(await seats.held("next")).toMatchObject({ seats: again.seats });
    expect(await seats.orders("dawdler")).toEqual([]);
    expect((await pool.query("SELECT 1 FROM sales")).rows).toEqual([]);
  });

  test("[CHECKOUT-2] a hold that runs out while paying waits for a seat's lock is refused: the clock is read under lock", async () => {
    await clear();
    const lost = await new Seats(pool, { holdSeconds: 1, jitterSeconds: 0 }).hold("waits", 2);
    if (lost.as !== "held") throw new Error(lost.as);
    const seat = `seat = '${lost.seats[1]}'`;
    const inHand = pool.query(
      `DO $$ BEGIN PERFORM 1 FROM seats WHERE ${seat} FOR UPDATE; PERFORM pg_sleep_until((SELECT held_until FROM seats WHERE ${seat})); END $$`,
    );
    const free = async () => (await pool.query(`SELECT 1 FROM seats WHERE ${seat} FOR UPDATE SKIP LOCKED`)).rows.length;
    await expect.poll(free, { interval: 5 }).toBe(0);
    expect(await seats.pay("waits", lost.hold, "W")).toEqual({ as: "lapsed" });
    await inHand;
    expect(await seats.orders("waits")).toEqual([]);
    expect((await pool.query("SELECT 1 FROM sales")).rows).toEqual([]);
  });

  test("[CHECKOUT-2] paying twice at once is one order; for somebody else's hold it is none", async () => {
    await clear();
    const held = await seats.hold("buyer", 2);
    if (held.as !== "held") throw new Error(held.as);
    expect(await seats.pay("thief", held.hold, "T")).toEqual({ as: "lapsed" });
    const paid = await Promise.all(Array.from({ length: 5 }, () => seats.pay("buyer", held.hold, "B")));
    const order = { hold: held.hold, name: "B", cents: 9_000, seats: held.seats };
    expect(paid).toEqual(paid.map(() => ({ as: "sold", order })));
    expect(await seats.orders("buyer")).toEqual([order]);
    expect((await seats.count()).sold).toBe(2);
    expect(await seats.release("buyer")).toEqual([]);
    expect((await seats.count()).sold).toBe(2);
  });

  test("[CHECKOUT-1] leaving gives back what is held; sold out is when every seat is sold", async () => {
    await clear();
    const held = await seats.hold("leaver", 4);
    expect(await seats.release("leaver")).toEqual(held.as === "held" ? held.seats : []);
    expect((await seats.count()).free).toBe(30);
    for (let i = 0; i < 8; i++) {
      const mine = await seats.hold(`all ${i}`, i < 7 ? 4 : 2);
      if (mine.as === "held") await seats.pay(`all ${i}`, mine.hold, "A");
    }
    expect(await seats.count()).toEqual({ seats: 30, free: 0, held: 0, sold: 30 });
    expect(await seats.hold("late", 1)).toEqual({ as: "sold-out" });
  });

  test("[CHECKOUT-3] the database itself refuses to sell a seat twice", async () => {
    await clear();
    const held = await seats.hold("first", 1);
    if (held.as !== "held") throw new Error(held.as);
    await seats.pay("first", held.hold, "F");
    const again = pool.query("INSERT INTO sales (seat, hold) VALUES ($1, $2)", [held.seats[0], held.hold]);
    await expect(again).rejects.toThrow("duplicate key");
  });
});

describe.concurrent(`${VISITORS} visitors, ${SEATS} seats, ${RATE} entries a minute`, () => {
  let pool: Pool;
  let worker: TestWorker;
  let shop: Awaited<ReturnType<typeof startShop>>;
  let met: Awaited<ReturnType<typeof runCrowd>>;
  let box: Box;
  let counts: Counts;
  const past = { sent: 0, statuses: new Set<number>() };

  beforeAll(async () => {
    pool = await newDatabase();
    const { rows } = await pool.query("SELECT current_database() AS database");
    const port = await freePort();
    const settings = {
      ...SETTINGS,
      total_active_users: 150,
      new_users_per_minute: RATE,
      revoke_bound_seconds: 3,
    };
    worker = await startWorker({ rooms: { [ROOM]: settings }, origin: `http://127.0.0.1:${port}` });
    const keys = printedKeys(TEST_KEYS);
    shop = await startShop({
      DATABASE: JSON.stringify({ ...postgres.connection, database: rows[0]?.["database"] }),
      PORT: String(port),
      PUBLIC_HOSTS: worker.url.host,
      ROOM,
      SEATS: String(SEATS),
      VESTIBULE_REQUEST_KEYS: keys.requests,
      VESTIBULE_PASS_KEYS: keys.passes,
    });
    box = new Box(ROOM, {
      async askDirectly(pass) {
        const reply = await send(new URL("/api/hold", shop.url), { headers: { Authorization: `Bearer ${pass}` } });
        const told = reply.status === 200 ? ((await reply.json()) as { seats: string[] } | null) : null;
        return { status: reply.status, seats: told?.seats ?? null };
      },
      walkPast: (pass) => attempt("GET", "/", { Authorization: `Bearer ${pass}` }),
      // Ten minutes are not waited for: they are over, for the seats and for the log.
      async letLapse(hold) {
        const over = "WITH lapsed AS (UPDATE seats SET held_until = clock_timestamp() WHERE hold = $1 RETURNING seat, visit, held_until)";
        const ended =
          "UPDATE events SET held_until = lapsed.held_until FROM lapsed WHERE events.seat = lapsed.seat AND events.visit = lapsed.visit";
        await pool.query(`${over} ${ended}`, [hold]);
      },
    });
    await operate("pause");
    const opening = openDoors();
    const walking = walkPast();
    met = await runCrowd({
      target: worker.url,
      room: ROOM,
      adminToken: worker.adminToken,
      visitors: VISITORS,
      seconds: 240,
      seed: SEED,
      pages: ["/"],
      say: () => undefined,
      visit: box.visit,
    });
    await Promise.all([opening, walking]);
    counts = await shop.stop();
  });

  afterAll(() => worker.stop());

  const admin = { "Content-Type": "application/json" };

  async function operate(action: string): Promise<void> {
    const url = new URL(`/__vestibule/admin/api/rooms/${ROOM}/${action}`, worker.url);
    const reply = await send(url, { method: "POST", headers: { ...admin, Authorization: `Bearer ${worker.adminToken}` } });
    expect(reply.status).toBe(200);
  }

  /** Once many wait. */
  async function openDoors(): Promise<void> {
    const stats = { target: worker.url, adminToken: worker.adminToken };
    const waiting = async () => ((await askRoom(stats, `admin/api/rooms/${ROOM}/stats`)) as { waiting: number }).waiting;
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(IN_LINE), { ...PATIENCE, interval: 100 });
    await operate("resume");
  }

  /** Requests straight to the shop while the crowd is there. */
  async function walkPast(): Promise<void> {
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const forged = { "Vestibule-Status": "admitted", "Vestibule-Session": "0.1", "Vestibule-Room": ROOM };
    const stranger = "eyJhbGciOiJIUzI1NiIsImtpZCI6InQxIiwidHlwIjoidnN0K3Bhc3MifQ.e30.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    const tries: readonly [string, string, Record<string, string>][] = [
      ["GET", "/", {}],
      ["GET", "/", forged],
      ["POST", "/hold", { ...forged, ...form }],
      ["POST", "/pay", { ...forged, ...form, "Vestibule-Signature": `t=${Math.floor(Date.now() / 1_000)}, kid=t1, mac=${"A".repeat(43)}` }],
      ["GET", "/api/hold", {}],
      ["GET", "/api/hold", { Authorization: `Bearer ${stranger}` }],
      ["GET", "/api/hold", { ...forged, Authorization: "Bearer " }],
    ];
    for (let i = 0; i < 10; i++) for (const [method, path, headers] of tries) await attempt(method, path, headers);
  }

  async function attempt(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const body = method === "POST" ? { body: "count=4" } : {};
    const reply = await send(new URL(path, shop.url), { method, headers: { Host: worker.url.host, ...headers }, ...body });
    await reply.text();
    past.sent += 1;
    past.statuses.add(reply.status);
  }

  const rowsOf = async <T>(query: string) => (await pool.query(query)).rows as T[];

  test("[CHECKOUT-4] everybody's visit came to an end of its own, and nobody met an error", () => {
    const outcomes = new Map<string, number>();
    for (const { outcome } of met.diaries) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    expect([...outcomes.keys()].toSorted()).toEqual(["bought", "found it sold out", "gave the seats back"]);
    expect(box.faults).toEqual([]);
    expect(met.diaries.reduce((sum, { failures }) => sum + failures, 0)).toBe(0);
  });

  test("[CHECKOUT-3] every seat was sold, each once: by the sales, by the log, and by what buyers were told", async () => {
    const sales = await rowsOf<{ seat: string; hold: string }>("SELECT seat, hold FROM sales");
    const log = await rowsOf<{ seat: string }>("SELECT seat FROM events WHERE what = 'sold'");
    const told = box.receipts.flatMap(({ hold, seats }) => seats.map((seat) => ({ seat, hold })));
    expect(sales).toHaveLength(SEATS);
    expect(new Set(log.map(({ seat }) => seat)).size).toBe(log.length);
    expect(log).toHaveLength(SEATS);
    const bySeat = (list: readonly { seat: string; hold: string }[]) => list.map(({ seat, hold }) => `${seat} ${hold}`).toSorted();
    expect(bySeat(told)).toEqual(bySeat(sales));
    expect(box.receipts.length).toBeLessThan(VISITORS);
  });

  test("[CHECKOUT-1] no seat was in two hands at once; what lapsed went to others, without a charge", async () => {
    type Event = { what: string; seat: string; visit: string; at: Date; held_until: Date | null };
    const events = await rowsOf<Event>("SELECT what, seat, visit, at, held_until FROM events ORDER BY id");
    const holders = new Map<string, Event>();
    const stolen: string[] = [];
    let passedOn = 0;
    for (const event of events) {
      const before = holders.get(event.seat);
      if (event.what === "held" && before) {
        if (event.at < (before.held_until as Date)) stolen.push(`${event.seat}: ${before.visit}, then ${event.visit}`);
        passedOn += 1;
      }
      if (event.what === "sold" && before?.visit !== event.visit)
        stolen.push(`${event.seat}: held by ${before?.visit}, sold to ${event.visit}`);
      if (event.what === "held") holders.set(event.seat, event);
      else holders.delete(event.seat);
    }
    expect(stolen).toEqual([]);
    expect(box.lapsed.size).toBeGreaterThan(0);
    expect(passedOn).toBeGreaterThan(0);
    const orders = await rowsOf<{ hold: string }>("SELECT hold FROM orders");
    expect(orders.filter(({ hold }) => box.lapsed.has(hold))).toEqual([]);
  });

  test("[CHECKOUT-4] G6 C57 nothing reached the shop past the room", async () => {
    expect(past.statuses).toEqual(new Set([403]));
    expect(counts.refused).toBe(past.sent);
    const entered = new Set(met.diaries.flatMap(({ entries }) => entries.map(({ generation, slot }) => `${generation}.${slot}`)));
    const visits = await rowsOf<{ visit: string }>("SELECT DISTINCT visit FROM events");
    expect(visits.length).toBeGreaterThan(SEATS / 3);
    expect(visits.map(({ visit }) => visit).filter((visit) => !entered.has(visit))).toEqual([]);
    expect(counts.through).toBeGreaterThan(2 * VISITORS);
  });

  test("[CHECKOUT-4] an app with its pass is told of its own hold, past the room", () => {
    expect(counts.byPass).toBe(box.asked.length);
    expect(box.asked.length).toBeGreaterThan(0);
    expect(box.asked.map(({ status }) => status)).toEqual(box.asked.map(() => 200));
    expect(box.asked.map(({ seats }) => seats)).toEqual(box.asked.map(({ held }) => held));
  });

  test("[CHECKOUT-4] [P1] [P2] [P4] [P5] [P6] the sale went at the room's rate, and every promise was kept", () => {
    expect(met.checks.filter(({ kept }) => !kept)).toEqual([]);
    const entries = met.diaries.flatMap(({ entries: all }) => all).filter(({ again }) => !again);
    expect(entries).toHaveLength(VISITORS);
    const { entries: found, allowed } = fullestWindow(entries, RATE);
    expect(found).toBeLessThanOrEqual(allowed);
  });
});

test.concurrent("[CHECKOUT-5] the database of a command that was killed ends by itself", async () => {
  const module = JSON.stringify(new URL("../../examples/checkout/postgres.mjs", import.meta.url).href);
  const script = `const { directory } = await (await import(${module})).startPostgres(); console.log(directory);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const directory = line.toString().trim();
  try {
    expect(processesNaming(directory).length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await vi.waitFor(() => expect(processesNaming(directory)).toEqual([]), PATIENCE);
  } finally {
    child.kill("SIGKILL");
    await rm(directory, { recursive: true, force: true });
  }
});

test.concurrent("[CHECKOUT-5] where there is no PostgreSQL, it says which and what helps", async () => {
  await expect(startPostgres({ POSTGRES_BIN: "/nowhere" })).rejects.toThrow("POSTGRES_BIN: there is no initdb in /nowhere");
});

test.concurrent("[CHECKOUT-4] the shop checks requests and passes as docs/integrate.md says", () => {
  const sample = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/integrate.md"), "utf8"))?.[1] ?? "none";
  expect(readFileSync(join(root, "examples/checkout/from-the-room.mjs"), "utf8").endsWith(`*/\n${sample}`)).toBe(true);
});

test.concurrent("[CHECKOUT-5] one command starts it, a visitor buys, and at the end nothing is left", async () => {
  const project = await copyProject();
  // Where the user that PostgreSQL runs as may go.
  await chmod(project.dir, 0o755);
  const mark = randomUUID();
  const port = await freePort();
  try {
    const example = join(project.dir, "examples/checkout");
    await cp(join(root, "examples/checkout"), example, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
    await symlink(join(root, "examples/checkout/node_modules"), join(example, "node_modules"));
    // Its temporary files, and nobody else's.
    const environment = { VESTIBULE_TEST_MARK: mark, TMPDIR: project.dir };
    const running = project.run("../examples/checkout/start.mjs", ["--port", String(port)], environment);
    let ended: Awaited<typeof running.finished>;
    try {
      await running.says("Ctrl-C stops everything");
      expect(processesNaming(project.dir).length).toBeGreaterThan(1);
      const base = `http://127.0.0.1:${port}`;
      const visitor = new Visitor(base);
      expect(await (await visitor.navigate("/")).text()).toContain("120 of 120 seats are free");
      const form = { "Content-Type": "application/x-www-form-urlencoded", Origin: base, "Sec-Fetch-Site": "same-origin" };
      const page = await (await visitor.navigate("/hold", { method: "POST", body: "count=2", headers: form })).text();
      const hold = /name="hold" value="([^"]+)"/.exec(page)?.[1] ?? "none";
      const paid = await visitor.navigate("/pay", {
        method: "POST",
        // PostgreSQL takes no NUL in a text.
        body: `hold=${hold}&name=${encodeURIComponent("Ann\0 <b>")}`,
        headers: form,
      });
      expect(await paid.text()).toContain('data-seats="A01 A02">A01, A02 for Ann &lt;b&gt;, 90.00 €');
      const elsewhere = { ...form, Origin: "http://evil.example", "Sec-Fetch-Site": "cross-site" };
      expect((await visitor.navigate("/hold", { method: "POST", body: "count=1", headers: elsewhere })).status).toBe(403);
    } finally {
      ended = await running.end("SIGTERM");
    }
    expect(ended.code).toBe(0);
    expect(ended.output).toContain("and refused 0 that had not come through the room");
    expect(processesWith("VESTIBULE_TEST_MARK", mark)).toEqual([]);
    expect(processesNaming(project.dir)).toEqual([]);
    expect(readdirSync(project.dir).filter((name) => name.startsWith("vestibule-checkout"))).toEqual([]);
  } finally {
    await project.remove();
  }
});
