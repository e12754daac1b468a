/** What a Room tells and when it tries again, on virtual time: the receiver is a function, the storage and the alarm are real. */
import { describe, expect, it, vi } from "vitest";
import { GAP_MS } from "../../durable/line/watch";
import type { Room } from "../../durable/room";
import { WAITING_MAX } from "../../durable/stored-outbox";
import { type Delivery, type Letter, RETRIES_MS, type WebhookReport } from "../../src/core/news";
import { NO_OUTCOMES } from "../../src/core/origin-outcomes";
import { batchOf, callerOf, joinOf, OPERATOR, okOf, RoomUnderTest } from "../support/room";

const OPS = { webhooks: [{ name: "ops", url: "https://ops.example.com/" }] };

/** A Room with a receiver that answers as told. */
class Told extends RoomUnderTest {
  answer: Delivery = { as: "delivered", status: 200 };
  readonly got: { readonly at: number; readonly letter: Letter }[] = [];

  constructor(file: Record<string, unknown> = {}) {
    super({ ...OPS, total_active_users: 1, new_users_per_minute: 60, ...file });
    this.post = async (letter) => {
      this.got.push({ at: this.wall, letter });
      return this.answer;
    };
  }

  /** Let time pass, with its alarms, as the platform would bring them; and everything that is sent arrive. */
  async pass(ms: number): Promise<void> {
    for (const until = this.wall + ms; ; ) {
      await this.settled();
      const at = await this.alarmAt();
      if (at === null || at > until) {
        this.wall = until;
        return;
      }
      // An object that nobody calls leaves memory; without that so long a silence would not be believed.
      if (at - this.wall > 100_000) await this.evict();
      this.wall = Math.max(this.wall, at);
      await this.fireAlarm();
    }
  }

  types(): string[] {
    return this.got.map(({ letter }) => (JSON.parse(letter.body) as { type: string }).type);
  }

  async report(): Promise<WebhookReport> {
    const [first] = okOf(await this.run((room) => room.webhooks()));
    if (first === undefined) throw new Error("no webhook");
    return first;
  }
}

/** One place, taken, and somebody waits for it. */
async function queueing(file: Record<string, unknown> = {}): Promise<Told> {
  const room = new Told(file);
  await room.join("first");
  room.wall += 2_000;
  await room.exchange();
  await room.claim(0);
  await room.join("second");
  return room;
}

describe("a room", () => {
  it("[TELL-5] tells that a line has formed and that it has gone, each once, with numbers and a sentence", async () => {
    const room = await queueing();
    await room.pass(70_000);
    expect(room.types()).toEqual(["queueing.started"]);
    const body = JSON.parse(room.got[0]?.letter.body ?? "{}") as object;
    expect(body).toMatchObject({
      type: "queueing.started",
      data: { room: room.name, waiting: 1 },
      text: expect.stringContaining("1 people wait"),
    });
    await room.exchange({ leaves: [{ slot: 1, serial: 0 }] });
    await room.pass(59_000);
    expect(room.types()).toEqual(["queueing.started"]);
    await room.pass(2_000);
    expect(room.types()).toEqual(["queueing.started", "queueing.ended"]);
  });

  it("[TELL-6] tells nobody of the same thing twice a minute, however it flickers", async () => {
    const room = new Told({ slow_down: { max_error_percent: 5 } });
    await room.exchange();
    for (let i = 0; i < 60; i++) {
      room.wall += 2_000;
      await room.exchange({ origin: i % 2 === 0 ? { ok: 0, failed: 400, slow: 0 } : { ok: 9_000, failed: 0, slow: 0 } });
      await room.run((inside) => inside.turn("full-rate", callerOf("op", ""), null));
    }
    await room.settled();
    for (const type of ["errors.over", "errors.below", "brake.on", "brake.off", "settings.changed"]) {
      const times = room.got.filter((_, i) => room.types()[i] === type).map(({ at }) => at);
      for (const [i, at] of times.entries()) if (i > 0) expect([type, at - (times[i - 1] ?? 0) >= GAP_MS]).toEqual([type, true]);
    }
    expect(room.types()).toContain("brake.on");
  });

  it("[TELL-3] gives no two messages one id, also while its time stands still because the host's clock was set back", async () => {
    const room = new Told();
    await room.exchange();
    okOf(await room.change({ message: "Soon" }));
    await room.settled();
    room.wall -= 2_000;
    await room.exchange({ origin: { ...NO_OUTCOMES, failed: 25 } });
    await room.settled();
    expect(room.types()).toEqual(["settings.changed", "errors.over"]);
    expect(new Set(room.got.map(({ letter }) => letter.id)).size).toBe(2);
  });

  it("[FAIL-6][ADMIN-13][TELL-7] whose storage takes no new row tells once there is room, and nobody is kept from a switch or a renewal by it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const room = new Told();
    const full = <R>(work: (inside: Room) => Promise<R>) =>
      room.shadowed(({ storage }) => {
        const exec = storage.sql.exec.bind(storage.sql) as (query: string, ...values: unknown[]) => unknown;
        return {
          exec: (query, ...values) => {
            if (/^INSERT INTO/.test(query)) throw new Error("database or disk is full: SQLITE_FULL");
            return exec(query, ...values);
          },
        };
      }, work);
    await room.exchange();
    room.wall += 2_000;
    const { joins } = await room.exchange({ joins: [joinOf("inside", true)] });
    if (joins[0]?.as !== "entered") throw new Error("not inside");
    const { slot, serial } = joins[0].pass;
    await room.exchange({ joins: [joinOf("waits", false)] });
    room.wall += 60_000;
    const renewals = [{ slot, serial, tag: 1, ageMs: 0 }];
    expect(await full((inside) => inside.turn("stop-joins", OPERATOR, null))).toMatchObject({ as: "ok", value: { changed: true } });
    expect(await full((inside) => inside.exchange(batchOf({ renewals })))).toMatchObject({ renewals: [{ as: "renewed" }] });
    await room.settled();
    expect(room.types()).not.toContain("settings.changed");
    // Nor does it wake for it again and again meanwhile.
    expect(await room.alarmAt()).toBeGreaterThan(room.wall);
    room.wall += 5_000;
    await room.exchange();
    await room.settled();
    expect(room.types()).toContain("settings.changed");
  });

  it("[TELL-6] is not told anew after a reset", async () => {
    const room = new Told({ webhooks: [{ ...OPS.webhooks[0], tell: ["errors"] }] });
    await room.exchange({ origin: { ...NO_OUTCOMES, failed: 25 } });
    await room.turn("reset", room.name);
    room.wall += 2_000;
    await room.exchange();
    await room.settled();
    expect(room.types()).toEqual(["errors.over"]);
  });

  it("[TELL-5] tells of errors, of a wait, of slow entries with what blocks them, and of the brake", async () => {
    const room = await queueing({ tell_wait_over_minutes: 0.5, slow_down: {} });
    await room.exchange({ origin: { ...NO_OUTCOMES, failed: 25 } });
    await room.settled();
    expect(room.types()).toEqual(expect.arrayContaining(["errors.over", "brake.on"]));
    for (let i = 0; i < 65; i++) {
      room.wall += 2_000;
      await room.exchange();
    }
    await room.settled();
    expect(room.types()).toEqual(expect.arrayContaining(["queueing.started", "entries.slow", "wait.over"]));
    const slow = room.got[room.types().indexOf("entries.slow")]?.letter.body ?? "{}";
    expect(JSON.parse(slow)).toMatchObject({ data: { blocked_by: expect.any(String), waiting: 1 } });
  });

  it("[TELL-5] tells who changed what: the first change at once, those of the same minute together after it", async () => {
    const room = new Told();
    await room.change({ total_active_users: 7 });
    await room.settled();
    for (let i = 0; i < 3; i++) {
      room.wall += 1_000;
      await room.change({ new_users_per_minute: 60 + i + 1 });
    }
    await room.turn("stop-joins");
    await room.pass(GAP_MS);
    const told = room.got.map(({ letter }) => (JSON.parse(letter.body) as { data: { changes: object[] } }).data.changes);
    expect(told).toMatchObject([
      [{ what: "settings changed (total_active_users)", by: "operator", reason: "test" }],
      [{ what: "settings changed (new_users_per_minute)" }, {}, {}, { what: "switch stop-joins" }],
    ]);
  });

  it("[TELL-5] tells only what a webhook wants to hear, and nothing without webhooks", async () => {
    const room = await queueing({ webhooks: [{ ...OPS.webhooks[0], tell: ["settings"] }] });
    await room.pass(10_000);
    expect(room.types()).toEqual([]);
    await room.change({ webhooks: [] });
    await room.change({ title: "x" });
    await room.pass(2 * GAP_MS);
    expect(room.types()).toEqual([]);
  });
});

describe("a receiver that fails", () => {
  it("[TELL-3] is tried again as stated, by alarm alone, with the same id, through a restart; then it is given up and shown", async () => {
    const room = new Told();
    room.answer = { as: "refused", status: 500 };
    await room.change({ title: "x" });
    await room.settled();
    const first = room.wall;
    await room.pass(40_000);
    await room.evict();
    await room.pass(4 * 3_600_000);
    let [sum, times] = [0, [0]];
    for (const ms of RETRIES_MS) {
      sum += ms;
      times = [...times, sum];
    }
    expect(room.got.map(({ at }) => at - first)).toEqual(times);
    expect(new Set(room.got.map(({ letter }) => letter.id)).size).toBe(1);
    expect(await room.report()).toMatchObject({
      waiting: 0,
      delivered: 0,
      given_up: 1,
      last: { type: "settings.changed", result: "refused", status: 500 },
    });
  });

  it("[TELL-3] gets everything that waits as soon as one message arrives", async () => {
    const room = new Told();
    room.answer = { as: "silent" };
    await room.change({ title: "x" });
    await room.pass(GAP_MS);
    await room.change({ title: "y" });
    await room.pass(1_000);
    expect(await room.report()).toMatchObject({ waiting: 2, delivered: 0 });
    room.answer = { as: "delivered", status: 204 };
    await room.pass(35_000);
    expect(await room.report()).toMatchObject({ waiting: 0, delivered: 2, last: { result: "delivered", status: 204 } });
  });

  it("[TELL-7] costs at most a hundred messages: the oldest go, and are counted", async () => {
    const room = new Told();
    room.answer = { as: "unreachable" };
    await room.change({ title: "first" });
    await room.settled();
    await room.run((_, { storage }) => {
      const copy =
        "INSERT INTO outbox (webhook, type, made, due, tries, body) SELECT webhook, type, made, due, tries, body FROM outbox WHERE id = 1";
      for (let i = 1; i < WAITING_MAX; i++) storage.sql.exec(copy);
    });
    for (const title of ["one more", "and another"]) {
      room.wall += GAP_MS;
      await room.change({ title });
      await room.settled();
    }
    expect(await room.report()).toMatchObject({ waiting: WAITING_MAX, dropped: 2 });
    const [oldest] = await room.run((_, { storage }) => storage.sql.exec("SELECT MIN(id) AS id FROM outbox").toArray());
    expect(oldest).toEqual({ id: 3 });
  });

  it("[TELL-7] that hangs holds up no call of the line: joins and claims are answered while the try is under way", async () => {
    const room = new Told({ webhooks: [{ ...OPS.webhooks[0], tell: ["settings"] }] });
    let release: (answer: Delivery) => void = () => undefined;
    let asked = 0;
    room.post = () => {
      asked += 1;
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    await room.change({ title: "x" });
    expect(asked).toBe(1);
    const { joins } = await room.join("a", "b");
    expect(joins).toMatchObject([{ slot: 0 }, { slot: 1 }]);
    room.wall += 10_000;
    expect((await room.claim(0)).claims).toMatchObject([{ as: "entered" }]);
    room.wall += GAP_MS;
    await room.change({ title: "y" });
    expect(asked).toBe(1);
    room.post = async () => ({ as: "delivered", status: 200 });
    await room.run(() => release({ as: "delivered", status: 200 }));
    await room.settled();
    expect(await room.report()).toMatchObject({ delivered: 2, waiting: 0 });
  });

  it("[TELL-7] whose sending throws, or whose storage fails, is a line in the log", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const room = new Told();
    room.post = () => Promise.reject(new Error("injected"));
    await room.change({ title: "x" });
    await room.settled();
    expect(log.mock.calls.flat().join()).toContain("webhooks-not-sent");
    log.mockRestore();
    room.post = async (letter) => {
      room.got.push({ at: room.wall, letter });
      return { as: "delivered", status: 200 };
    };
    await room.pass(60_000);
    expect(room.types()).toEqual(["settings.changed"]);
  });
});

describe("the test by hand", () => {
  it("[TELL-8] sends one message at once, shows what became of it, and is not tried again", async () => {
    const room = new Told();
    room.answer = { as: "refused", status: 410 };
    expect(okOf(await room.run((inside) => inside.testWebhook("ops")))).toMatchObject({
      webhook: "ops",
      type: "test",
      result: "refused",
      status: 410,
    });
    await room.pass(3_600_000);
    expect(room.types()).toEqual(["test"]);
    expect(await room.report()).toMatchObject({ last: { type: "test", status: 410 }, waiting: 0 });
    expect(await room.run((inside) => inside.testWebhook("nobody"))).toEqual({ as: "unknown-webhook" });
  });

  it("[TELL-8] [ADMIN-12] asked for again under its key it is sent once, while it is under way and after a restart; another under it is refused", async () => {
    const room = new Told();
    const asked = (key: string, print = "p") =>
      room.run((inside) => inside.testWebhook("ops", callerOf("ana", "", { once: { key, print } })));
    const both = await room.run((inside) => {
      const test = () => inside.testWebhook("ops", callerOf("ana", "", { once: { key: "k", print: "p" } }));
      return Promise.all([test(), test()]);
    });
    expect(both).toEqual([both[0], { ...both[0], replayed: true }]);
    room.answer = { as: "refused", status: 410 };
    await room.evict();
    expect(await asked("k")).toEqual({ ...both[0], replayed: true });
    expect(await asked("k", "q")).toEqual({ as: "key-reused" });
    expect(room.types()).toEqual(["test"]);
    expect(await asked("another")).toMatchObject({ as: "ok", value: { status: 410 } });
    expect(room.types()).toEqual(["test", "test"]);
  });

  it("[TELL-8] [ADMIN-12] asked for otherwise under the key of one that is under way it is refused, and not sent", async () => {
    const room = new Told();
    const both = await room.run((inside) =>
      Promise.all(["p", "q"].map((print) => inside.testWebhook("ops", callerOf("ana", "", { once: { key: "k", print } })))),
    );
    expect(both).toMatchObject([{ as: "ok" }, { as: "key-reused" }]);
    expect(room.types()).toEqual(["test"]);
  });

  it("[TELL-8] [ADMIN-12] [FAIL-6] what became of it is told although storage takes no row for the answer", async () => {
    const room = new Told();
    await room.exchange();
    const test = (inside: Room) => inside.testWebhook("ops", callerOf("ana", "", { once: { key: "k", print: "p" } }));
    const told = await room.shadowed(({ storage }) => {
      const exec = storage.sql.exec.bind(storage.sql);
      return {
        exec: (query, ...values) => {
          if (/INTO once/.test(query)) throw new Error("database or disk is full: SQLITE_FULL");
          return exec(query, ...values);
        },
      };
    }, test);
    expect(told).toMatchObject({ as: "ok", value: { status: 200 } });
    expect(room.types()).toEqual(["test"]);
  });
});
