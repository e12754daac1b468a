/**
 * The shop as a process: settings from the environment, one line on stdout when it listens (JSON, `{ url }`), one when it has ended
 * (`{ through, byPass, refused }`, requests). Listens on 127.0.0.1 only. Ends on SIGTERM, or when its input ends.
 *
 * DATABASE: JSON of what `new pg.Pool()` takes, an empty database. PORT, PUBLIC_HOSTS, with commas; ROOM; SEATS, HOLD_SECONDS, HOLD_JITTER_SECONDS.
 * VESTIBULE_REQUEST_KEYS, VESTIBULE_PASS_KEYS: what `npm run origin-key` prints, with and without `-- --requests`.
 */
import { serve } from "@hono/node-server";
import { openPool } from "./postgres.mjs";
import { createSeats, HOLD_JITTER_SECONDS, HOLD_SECONDS, Seats } from "./seats.mjs";
import { createShop } from "./shop.mjs";

const { DATABASE, PUBLIC_HOSTS, ROOM } = process.env;
for (const name of ["DATABASE", "PUBLIC_HOSTS", "ROOM", "VESTIBULE_REQUEST_KEYS", "VESTIBULE_PASS_KEYS"])
  if (!process.env[name]) throw new Error(`${name} is not set`);

const pool = await openPool(JSON.parse(DATABASE), 20);
await createSeats(pool, { seats: number("SEATS", 120) });
const seats = new Seats(pool, {
  holdSeconds: number("HOLD_SECONDS", HOLD_SECONDS),
  jitterSeconds: number("HOLD_JITTER_SECONDS", HOLD_JITTER_SECONDS),
});
const counts = { through: 0, byPass: 0, refused: 0 };
const shop = createShop({ seats, publicHosts: PUBLIC_HOSTS.split(","), room: ROOM, counts });
const server = serve(
  {
    fetch: shop.fetch,
    hostname: "127.0.0.1",
    port: number("PORT", 0),
    // Longer than whoever is in front keeps an idle connection. Node's 5 s are less: a form sent just as it closes one is lost, and answered 502.
    serverOptions: { keepAliveTimeout: 75_000 },
  },
  ({ port }) => console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` })),
);

let ending = false;
process.on("SIGTERM", end);
process.stdin.resume().on("end", end);

async function end() {
  if (ending) return;
  ending = true;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  await pool.end();
  console.log(JSON.stringify(counts));
  process.exit(0);
}

function number(name, fallback) {
  const value = Number(process.env[name] ?? fallback);
  if (!(value >= 0)) throw new Error(`${name} is not a number: "${process.env[name]}"`);
  return value;
}
