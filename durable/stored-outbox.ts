/**
 * The outbox in the Room's database: messages of webhooks that have not arrived yet, and what is known of each webhook. Touches nothing but the
 * SQL handle it is given; synchronous, inside a transaction. Bounded: a receiver that is dead costs a hundred rows.
 */
import { type Delivery, type Letter, lastOf, NO_DELIVERIES, retryAfterMs, type WebhookReport, type WebhookState } from "../src/core/news";
import type { Webhook } from "../src/core/settings-types";
import type { Sql } from "./schema";

/** Messages of one webhook that wait. */
export const WAITING_MAX = 100;
/** While a try is under way nobody else makes it; lost with its instance it is made again after this, ms. */
const LEASE_MS = 30_000;
/** After a try that failed, the receiver is left alone for so long, whatever else waits, ms. */
const BREATH_MS = 5_000;

type Row = { id: number; webhook: string; type: string; made: number; tries: number; body: string };

/** A try and what it is of. */
export interface Try extends Letter {
  readonly row: number;
  readonly type: string;
  readonly tries: number;
}

export class StoredOutbox {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** When the next try is due, Room time, ms; null = nothing waits. */
  nextDue(): number | null {
    return this.#sql.exec<{ due: number | null }>("SELECT MIN(due) AS due FROM outbox").one().due;
  }

  /** One more message; the oldest of this webhook goes where there are too many. */
  add(webhook: string, type: string, body: string, now: number): void {
    const sql = this.#sql;
    const waiting = this.#waiting(webhook);
    if (waiting >= WAITING_MAX) {
      sql.exec("DELETE FROM outbox WHERE id = (SELECT MIN(id) FROM outbox WHERE webhook = ?)", webhook);
      this.#count(webhook, "dropped", 1);
    }
    sql.exec("INSERT INTO outbox (webhook, type, made, due, tries, body) VALUES (?, ?, ?, ?, 0, ?)", webhook, type, now, now, body);
  }

  /** The tries that are due, one for each webhook; they are the caller's for a while. Messages of webhooks that are gone go too. */
  take(room: string, webhooks: readonly Webhook[], urls: ReadonlyMap<string, string>, now: number): Try[] {
    const rows = this.#sql.exec<Row>("SELECT * FROM outbox WHERE due <= ? GROUP BY webhook HAVING id = MIN(id)", now).toArray();
    return rows.flatMap(({ id, webhook, type, made, tries, body }) => {
      const known = webhooks.find(({ name }) => name === webhook);
      if (known === undefined) {
        this.#count(webhook, "dropped", this.#waiting(webhook));
        this.#sql.exec("DELETE FROM outbox WHERE webhook = ?", webhook);
        return [];
      }
      this.#sql.exec("UPDATE outbox SET due = ? WHERE id = ?", now + LEASE_MS, id);
      const { secretVersion } = known;
      // The number of a row comes again once it is gone, and Room time may stand still; but nothing is told twice within a minute.
      const name = `msg_${room}_${made}_${id}_${type.replaceAll(".", "_")}`;
      return [{ row: id, id: name, room, webhook, secretVersion, type, tries, url: addressOf(known, urls), body }];
    });
  }

  /** What became of a try. Once one has arrived, those that wait for their next try are due at once. */
  settle({ row, webhook, type, tries }: Try, result: Delivery, now: number): void {
    const sql = this.#sql;
    const state = { ...this.#state(webhook), last: lastOf(type, result, now) };
    if (result.as === "delivered") {
      sql.exec("DELETE FROM outbox WHERE id = ?", row);
      sql.exec("UPDATE outbox SET due = ? WHERE webhook = ?", now, webhook);
      this.#save(webhook, { ...state, delivered: state.delivered + 1 });
      return;
    }
    const againMs = retryAfterMs(tries + 1);
    sql.exec("UPDATE outbox SET due = MAX(due, ?) WHERE webhook = ?", now + BREATH_MS, webhook);
    if (againMs === null) sql.exec("DELETE FROM outbox WHERE id = ?", row);
    else sql.exec("UPDATE outbox SET tries = ?, due = ? WHERE id = ?", tries + 1, now + againMs, row);
    this.#save(webhook, againMs === null ? { ...state, given_up: state.given_up + 1 } : state);
  }

  /** A try that was made by hand. */
  note(webhook: string, type: string, result: Delivery, now: number): void {
    this.#save(webhook, { ...this.#state(webhook), last: lastOf(type, result, now) });
  }

  report(webhooks: readonly Webhook[]): WebhookReport[] {
    return webhooks.map(({ name, tell }) => ({ name, tell, waiting: this.#waiting(name), ...this.#state(name) }));
  }

  #waiting(webhook: string): number {
    return this.#sql.exec<{ count: number }>("SELECT COUNT(*) AS count FROM outbox WHERE webhook = ?", webhook).one().count;
  }

  #state(webhook: string): WebhookState {
    const row = this.#sql.exec<{ state: string }>("SELECT state FROM webhooks WHERE name = ?", webhook).toArray()[0];
    return row === undefined ? NO_DELIVERIES : { ...NO_DELIVERIES, ...(JSON.parse(row.state) as WebhookState) };
  }

  #count(webhook: string, what: "dropped", count: number): void {
    const state = this.#state(webhook);
    this.#save(webhook, { ...state, [what]: state[what] + count });
  }

  #save(webhook: string, state: WebhookState): void {
    this.#sql.exec("INSERT OR REPLACE INTO webhooks (name, state) VALUES (?, ?)", webhook, JSON.stringify(state));
  }
}

/** "" = nowhere. */
export function addressOf({ name, url }: Webhook, urls: ReadonlyMap<string, string>): string {
  return url === "" ? (urls.get(name) ?? "") : url;
}
