/**
 * The seats: held for some minutes, then paid for or anybody's again. Each step is one transaction; the database decides, by its own clock.
 * Knows nothing of HTTP. A visit is whatever text names it.
 *
 * Nobody waits for anybody else's seat: SKIP LOCKED takes the next that no other transaction has its hands on. Nothing sweeps up holds that
 * have run out: they count as free wherever seats are counted or taken.
 */
import { randomUUID } from "node:crypto";

/** Seats of one visit. */
export const MOST_SEATS = 4;
/** How long a hold lasts, seconds. The jitter spreads the end of holds that began together: else all come back in one instant. */
export const HOLD_SECONDS = 540;
export const HOLD_JITTER_SECONDS = 90;

const SCHEMA = `
CREATE TABLE seats (
  seat text PRIMARY KEY,
  cents integer NOT NULL CHECK (cents > 0),
  hold uuid,
  visit text,
  held_until timestamptz,
  sold boolean NOT NULL DEFAULT false
);
CREATE INDEX seats_of_visit ON seats (visit) WHERE NOT sold;
CREATE TABLE orders (
  hold uuid PRIMARY KEY,
  visit text NOT NULL,
  name text NOT NULL,
  cents integer NOT NULL,
  paid_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- The primary key is the last word: no seat is sold twice, whatever the code above it does.
CREATE TABLE sales (
  seat text PRIMARY KEY REFERENCES seats,
  hold uuid NOT NULL REFERENCES orders
);
-- What happened, in order; nothing reads it but people who want to know.
CREATE TABLE events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  what text NOT NULL CHECK (what IN ('held', 'sold', 'released', 'lapsed')),
  seat text NOT NULL,
  visit text NOT NULL,
  held_until timestamptz
);`;

const IS_FREE = "NOT sold AND (held_until IS NULL OR held_until <= clock_timestamp())";
const LET_GO = "hold = NULL, visit = NULL, held_until = NULL";

/** Makes the tables, with rows A, B, … of at most 20 seats. For an empty database. */
export async function createSeats(pool, { seats, cents = 4_500 }) {
  await pool.query(SCHEMA);
  const names = Array.from({ length: seats }, (_, i) => `${rowName(Math.floor(i / 20))}${String((i % 20) + 1).padStart(2, "0")}`);
  await pool.query("INSERT INTO seats (seat, cents) SELECT unnest($1::text[]), $2", [names, cents]);
}

/** A … Z, AA, AB, … */
function rowName(row) {
  return (row < 26 ? "" : rowName(Math.floor(row / 26) - 1)) + String.fromCharCode(65 + (row % 26));
}

export class Seats {
  #pool;
  #holdSeconds;
  #jitterSeconds;

  constructor(pool, { holdSeconds = HOLD_SECONDS, jitterSeconds = HOLD_JITTER_SECONDS } = {}) {
    this.#pool = pool;
    this.#holdSeconds = holdSeconds;
    this.#jitterSeconds = jitterSeconds;
  }

  /**
   * Holds `count` seats for a visit, all or none: `{ as: "held", hold, seats, cents, until }`. A visit that holds some already keeps those.
   * Else `{ as: "sold-out" }`, or `{ as: "too-few", free }`: others have them in hand, and some will come back.
   */
  hold(visit, count) {
    return this.#transaction(visit, async (query) => {
      const held = await heldBy(query, visit);
      if (held) return { as: "held", ...held };
      const free = await query(`SELECT seat FROM seats WHERE ${IS_FREE} ORDER BY seat LIMIT $1 FOR UPDATE SKIP LOCKED`, [count]);
      if (free.length < count) {
        const [{ unsold }] = await query("SELECT count(*)::int AS unsold FROM seats WHERE NOT sold", []);
        return unsold === 0 ? { as: "sold-out" } : { as: "too-few", free: free.length };
      }
      const seconds = this.#holdSeconds + Math.random() * this.#jitterSeconds;
      // One time for all seats of the hold, so that they end together.
      const rows = await query(
        `UPDATE seats SET hold = $1, visit = $2, held_until = statement_timestamp() + make_interval(secs => $3) WHERE seat = ANY ($4)
         RETURNING seat, cents, hold, held_until`,
        [randomUUID(), visit, seconds, free.map(({ seat }) => seat)],
      );
      const hold = holdOf(rows);
      await note(query, "held", hold.seats, visit, hold.until);
      return { as: "held", ...hold };
    });
  }

  /** What a visit holds now, or null. */
  async held(visit) {
    return heldBy(async (text, values) => (await this.#pool.query(text, values)).rows, visit);
  }

  /**
   * Pays for a hold: `{ as: "sold", order }`, the same again when repeated; or `{ as: "lapsed" }`: its time was over, nothing was paid, and
   * the seats are anybody's. The hold is looked at once more under lock, in the transaction that sells.
   */
  pay(visit, hold, name) {
    return this.#transaction(visit, async (query) => {
      const before = await ordersOf(query, visit, hold);
      if (before.length > 0) return { as: "sold", order: before[0] };
      const seats = await query("SELECT seat, cents FROM seats WHERE hold = $1 AND visit = $2 AND NOT sold ORDER BY seat FOR UPDATE", [
        hold,
        visit,
      ]);
      const names = seats.map(({ seat }) => seat);
      // A query of its own: that one would have read the clock of a row before it waited for its lock.
      const over = await query("SELECT FROM seats WHERE seat = ANY ($1) AND held_until <= clock_timestamp()", [names]);
      if (seats.length === 0 || over.length > 0) {
        await query(`UPDATE seats SET ${LET_GO} WHERE seat = ANY ($1)`, [names]);
        await note(query, "lapsed", names, visit);
        return { as: "lapsed" };
      }
      const cents = seats.reduce((sum, seat) => sum + seat.cents, 0);
      await query("INSERT INTO orders (hold, visit, name, cents) VALUES ($1, $2, $3, $4)", [hold, visit, name, cents]);
      await query("INSERT INTO sales (seat, hold) SELECT unnest($1::text[]), $2", [names, hold]);
      await query("UPDATE seats SET sold = true, held_until = NULL WHERE seat = ANY ($1)", [names]);
      await note(query, "sold", names, visit);
      return { as: "sold", order: (await ordersOf(query, visit, hold))[0] };
    });
  }

  /** Gives back what a visit holds; what it has paid for stays. Returns the seats. */
  release(visit) {
    return this.#transaction(visit, async (query) => {
      const rows = await query("SELECT seat FROM seats WHERE visit = $1 AND NOT sold ORDER BY seat FOR UPDATE", [visit]);
      const seats = rows.map(({ seat }) => seat);
      await query(`UPDATE seats SET ${LET_GO} WHERE seat = ANY ($1)`, [seats]);
      await note(query, "released", seats, visit);
      return seats;
    });
  }

  /** Orders of a visit, oldest first: `[{ hold, name, cents, seats }]`. */
  async orders(visit) {
    return ordersOf(async (text, values) => (await this.#pool.query(text, values)).rows, visit, null);
  }

  /** `{ seats, free, held, sold }` */
  async count() {
    const { rows } = await this.#pool.query(
      `SELECT count(*)::int AS seats, count(*) FILTER (WHERE ${IS_FREE})::int AS free, count(*) FILTER (WHERE sold)::int AS sold FROM seats`,
    );
    const [{ seats, free, sold }] = rows;
    return { seats, free, held: seats - free - sold, sold };
  }

  /** One transaction, and of one visit only one at a time: a double click must not hold twice. */
  async #transaction(visit, act) {
    const client = await this.#pool.connect();
    const query = async (text, values) => (await client.query(text, values)).rows;
    try {
      await client.query("BEGIN");
      await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [visit]);
      const result = await act(query);
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      // A connection that cannot even roll back is thrown away, and its transaction with it.
      await client.query("ROLLBACK").then(
        () => client.release(),
        (broken) => client.release(broken),
      );
      throw error;
    }
  }
}

async function heldBy(query, visit) {
  const rows = await query(
    "SELECT seat, cents, hold, held_until FROM seats WHERE visit = $1 AND NOT sold AND held_until > clock_timestamp() ORDER BY seat",
    [visit],
  );
  return rows.length === 0 ? null : holdOf(rows);
}

function holdOf(rows) {
  const [{ hold, held_until: until }] = rows;
  return { hold, seats: rows.map(({ seat }) => seat).sort(), cents: rows.reduce((sum, { cents }) => sum + cents, 0), until };
}

function ordersOf(query, visit, hold) {
  return query(
    `SELECT hold, name, cents, (SELECT array_agg(seat ORDER BY seat) FROM sales WHERE sales.hold = orders.hold) AS seats
     FROM orders WHERE visit = $1 AND ($2::uuid IS NULL OR hold = $2) ORDER BY paid_at`,
    [visit, hold],
  );
}

function note(query, what, seats, visit, until = null) {
  return query("INSERT INTO events (what, seat, visit, held_until) SELECT $1, unnest($2::text[]), $3, $4", [what, seats, visit, until]);
}
