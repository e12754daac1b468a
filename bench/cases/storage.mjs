/**
 * What people cost in storage: rows and bytes that a Room writes while they join, go in, renew and leave, by how many of them come in one
 * call. Counted, not timed: every round would be the same.
 */
import { startMeasuredRoom } from "../lib/measured-room.mjs";

const BATCHES = [1, 16, 256];
/** Divided by this the counts are per 1,000. */
const PEOPLE = 2_048;
/** A Room remembers so many joins at least; from then on it forgets as many as it learns of. */
const REMEMBERED = 16_384;
const CLOSED = { host: "*", total_active_users: 1, new_users_per_minute: 0 };
/** One person each millisecond. */
const OPEN = { host: "*", total_active_users: 100_000, new_users_per_minute: 60_000 };

export default {
  name: "storage",
  title: "rows and bytes that a Room writes, per 1,000 people (SQLite's own count)",

  async run({ smoke, progress }) {
    const batches = smoke ? [256] : BATCHES;
    const rooms = batches.flatMap((batch) => [
      [`joins-${batch}`, CLOSED],
      [`visits-${batch}`, OPEN],
    ]);
    const measured = await startMeasuredRoom(Object.fromEntries(rooms));
    try {
      const figures = [];
      for (const batch of batches) {
        progress(`${batch} in a call`);
        figures.push(...(await joins(measured, batch)), ...(await visits(measured, batch)));
      }
      return { figures: [...figures, await emptyCalls(measured, `joins-${batches.at(-1)}`)] };
    } finally {
      await measured.stop();
    }
  },
};

/** With what is deleted in the end: joins are forgotten minutes later. */
async function joins({ call }, batch) {
  const room = `joins-${batch}`;
  await call(room, "diskEvery", { calls: 64 });
  await call(room, "join", { people: REMEMBERED, batch, stepMs: 1, enter: false });
  await call(room, "pass", { ms: 300_000, everyMs: 10_000 });
  await settled(call, room);
  await all(call(room, "join", { people: PEOPLE, batch, stepMs: 1, enter: false }), ({ placed }) => placed);
  return figuresOf("join", "joins", batch, await settled(call, room));
}

async function visits({ call }, batch) {
  const room = `visits-${batch}`;
  await call(room, "diskEvery", { calls: 64 });
  await call(room, "join", { people: 4 * PEOPLE, batch: PEOPLE, stepMs: 1, enter: false });
  await call(room, "pass", { ms: 1_000, everyMs: 100 });
  await settled(call, room);
  // The calls that went before each entry are in it.
  await all(call(room, "claim", { people: PEOPLE, from: 0, batch, stepMs: batch }));
  const entries = await settled(call, room);
  await all(call(room, "renew", { people: PEOPLE, batch, stepMs: 1 }));
  const renewals = await settled(call, room);
  await all(call(room, "leave", { batch, stepMs: 1 }));
  const leaves = await settled(call, room);
  return [
    ...figuresOf("entry", "entries", batch, entries),
    ...figuresOf("renewal", "renewals, in no order", batch, renewals, `among ${PEOPLE} inside`),
    ...figuresOf("leave", "leaves", batch, leaves),
  ];
}

/** What was counted, with the rows that blocks and joins get later, and without the calls that it takes until then. */
async function settled(call, room) {
  const counted = await call(room, "counted");
  const calls = await call(room, "writeOut", {});
  const later = await call(room, "counted");
  return { ...counted, rowsWritten: counted.rowsWritten + later.rowsWritten - calls };
}

/** A call that brings nothing. */
async function emptyCalls({ call }, room) {
  await call(room, "counted");
  await call(room, "pass", { ms: 60_000, everyMs: 1_000 });
  const { rowsWritten } = await call(room, "counted");
  return exact("call-rows", "an empty call: rows written", "rows", rowsWritten / 60, "the line's own row, whatever else is written");
}

function figuresOf(id, what, batch, { rowsWritten, alarmsSet, rowsRead, bytesWritten }, note = "") {
  const per1000 = (count) => (1_000 * count) / PEOPLE;
  const how = `1,000 ${what}, ${batch} in a call`;
  return [
    exact(`${id}-rows-${batch}`, `${how}: rows written`, "rows", per1000(rowsWritten + alarmsSet), note),
    exact(`${id}-read-${batch}`, `${how}: rows read`, "rows", per1000(rowsRead), note),
    exact(`${id}-bytes-${batch}`, `${how}: written`, "KB", per1000(bytesWritten) / 1_000, note),
  ];
}

function exact(id, title, unit, value, note) {
  return { id, title, unit, value, low: value, high: value, bar: null, note };
}

/** @throws unless everybody got what was asked for */
async function all(asked, countOf = (count) => count) {
  const count = countOf(await asked);
  if (count !== PEOPLE) throw new Error(`${count} of ${PEOPLE}`);
}
