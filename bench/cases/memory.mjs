/**
 * What a Room takes of its isolate's memory, with people waiting and people inside who came to it as edges bring them: V8's own count, by its
 * inspector, when the garbage is gone. Whoever joined in the last minutes is remembered by key and by network, up to a bound; so both are
 * said: the whole, while ten million have just come, and what each of them who waits adds to it.
 */
import { startMeasuredRoom } from "../lib/measured-room.mjs";

const ROOM = { host: "*", new_users_per_minute: 1_000_000, session_duration: 600, session_max_minutes: 600 };
/** While people wait. */
const RATE = 1_000;
/** 50,000 people a second: ten million within 200 seconds, by the Room's clock. */
const CROWD = { batch: 1_000, stepMs: 20, enter: false };
/** Between two lines of progress. */
const PART = 1_000_000;
const MB = 1_000_000;

export default {
  name: "memory",
  title: "a Room's memory by people waiting and people inside (V8's own count)",

  async run({ smoke, progress }) {
    const sizes = smoke
      ? [{ inside: 1_000, waiting: [0, 20_000] }]
      : [
          { inside: 10_000, waiting: [0, 100_000, 1_000_000, 10_000_000] },
          { inside: 100_000, waiting: [0, 1_000_000] },
        ];
    const figures = [];
    for (const { inside, waiting } of sizes) {
      const measured = await startMeasuredRoom({ shop: { ...ROOM, total_active_users: inside } });
      try {
        figures.push(...figuresOf(inside, await measure(measured, inside, waiting, progress)));
      } finally {
        await measured.stop();
      }
    }
    return { figures };
  },
};

/** @returns [{ waiting, heap, resident, database }], bytes, for each of `sizes`, ascending; the first is the empty Worker's, with `waiting` null */
async function measure({ call, heapBytes, residentBytes }, inside, sizes, progress) {
  const look = async (waiting) => ({
    waiting,
    heap: await heapBytes(),
    resident: residentBytes(),
    database: (await call("shop", "counted")).databaseBytes,
  });
  await call("shop", "pass", { ms: 1_000, everyMs: 1_000 });
  const looks = [await look(null)];
  await call("shop", "join", { people: inside, batch: 1_000, stepMs: 100, enter: false });
  await call("shop", "claim", { people: inside, from: 0, batch: 1_000, stepMs: 100 });
  await call("shop", "forgetPeople");
  await call("shop", "retune", { new_users_per_minute: RATE });
  let came = 0;
  for (const waiting of sizes) {
    while (came < waiting) {
      const people = Math.min(PART, waiting - came);
      const { placed } = await call("shop", "join", { people, ...CROWD });
      if (placed !== people) throw new Error(`${placed} of ${people} got a place`);
      came += people;
    }
    looks.push(await look(waiting));
    progress(`${inside} inside, ${waiting} waiting: ${(looks.at(-1).heap / MB).toFixed(1)} MB`);
  }
  return looks;
}

function figuresOf(inside, looks) {
  const whole = looks.slice(1).flatMap(({ waiting, heap, resident, database }) => {
    const where = `${short(waiting)} waiting, ${short(inside)} inside`;
    const id = `${short(waiting)}-${short(inside)}`;
    const isBound = waiting === 10_000_000 && inside === 10_000;
    return [
      exact(
        `room-${id}`,
        `${where}: the Room's isolate`,
        "MB",
        heap / MB,
        isBound ? { atMost: 32 } : null,
        "the Worker's own code and data included",
      ),
      exact(
        `process-${id}`,
        `${where}: the whole process`,
        "MB",
        resident / MB,
        null,
        "with the database's own cache; unused memory of V8 included",
      ),
      exact(`database-${id}`, `${where}: the database`, "MB", database / MB, null, ""),
    ];
  });
  const [empty, few] = looks;
  const first = looks.at(-2);
  const last = looks.at(-1);
  const most = short(last.waiting);
  const perPerson = (last.heap - first.heap) / (last.waiting - first.waiting);
  return [
    ...whole,
    exact(
      `inside-${short(inside)}`,
      `each of ${short(inside)} inside`,
      "bytes",
      (few.heap - empty.heap) / inside,
      null,
      "those who joined last remembered by key and network",
    ),
    ...(last.waiting < 10_000_000
      ? []
      : [
          exact("waiting-each", `each further of ${most} waiting`, "bytes", perPerson, { atMost: 8 }, `from ${short(first.waiting)} on`),
          exact(
            "waiting-share",
            `… and with all that their coming left behind`,
            "bytes",
            (last.heap - few.heap) / last.waiting,
            { atMost: 8 },
            "",
          ),
        ]),
  ];
}

function exact(id, title, unit, value, bar, note) {
  return { id, title, unit, value, low: value, high: value, bar, note };
}

/** 10M, 100k, 0. */
function short(count) {
  if (count >= 1_000_000) return `${count / 1_000_000}M`;
  return count >= 1_000 ? `${count / 1_000}k` : String(count);
}
