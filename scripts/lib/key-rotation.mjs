/**
 * What comes next in a change of signing keys. Pure: ring, record and time in, a step or a new ring out; no I/O, no randomness.
 *
 * The ring is VESTIBULE_KEYS, `kid:key`, `kid:key:next` or `kid:key:revoked` with commas between: the first signs, all but the revoked ones
 * verify, `next` has never signed or no longer does, and the last one without that mark is the oldest, from which guests' keys follow.
 * The record holds times by kid and no key: `{ keys: { k1: { publishedAt, signedUntil? } }, highest, handedOver }`, ms since the Unix epoch.
 * A lost record makes everything wait as if it had happened now, and nothing worse.
 */

/** A token of ours lives no longer than this: `TOKEN_MAX_LIFE_S` of src/core/token.ts, hours. */
export const LONGEST_LIFE_HOURS = 31 * 24;
/** A secret that was handed over reaches every Worker within seconds, as a rule; this much is waited for, ms. */
export const SPREAD_MS = 5 * 60_000;

export function parseRing(text) {
  return text.split(",").map((entry) => {
    const [kid, key, mark] = entry.trim().split(":");
    return mark === undefined ? { kid, key } : { kid, key, mark };
  });
}

export function formatRing(ring) {
  return ring.map(({ kid, key, mark }) => (mark === undefined ? `${kid}:${key}` : `${kid}:${key}:${mark}`)).join(",");
}

/** The kid from which guests' keys follow. */
export function oldestOf(ring) {
  return ring.findLast(({ mark }) => mark !== "next").kid;
}

/** The record with an entry for every key of the ring, and none for others. What is not known is taken to have happened now. */
export function completed(record, ring, now) {
  const keys = ring.map(({ kid, mark }, i) => {
    const ended = i === 0 || mark === "next" ? {} : { signedUntil: now };
    return [kid, { publishedAt: now, ...ended, ...record?.keys?.[kid] }];
  });
  // A kid is never used twice: a Room remembers the revoked ones.
  const numbers = ring.map(({ kid }) => Number(/^k(\d{1,9})$/.exec(kid)?.[1] ?? 0));
  return { keys: Object.fromEntries(keys), highest: Math.max(record?.highest ?? 0, ...numbers), handedOver: record?.handedOver ?? true };
}

/** A key that is to sign next: published, and in no token yet. */
function freshIn(ring, record) {
  return ring.find(({ kid, mark }) => mark === "next" && record.keys[kid].signedUntil === undefined);
}

/**
 * The next step: `hand-over` (again: the last one was not confirmed), `publish`, `sign`, `retire`, or `wait` until a time, before which step.
 * @param record as `completed` gives it
 * @param lifeMs longest life of a token
 */
export function nextStep(ring, record, { now, lifeMs, spreadMs = SPREAD_MS }) {
  if (!record.handedOver) return { do: "hand-over" };
  const fresh = freshIn(ring, record);
  if (fresh !== undefined) {
    const until = record.keys[fresh.kid].publishedAt + spreadMs;
    return now < until ? { do: "wait", until, before: "sign", kid: fresh.kid } : { do: "sign", kid: fresh.kid };
  }
  if (ring.length === 1) return { do: "publish" };
  const old = ring[ring.length - 1];
  // Workers that have not heard of its successor yet went on signing with it.
  const until = record.keys[old.kid].signedUntil + spreadMs + lifeMs;
  return now < until ? { do: "wait", until, before: "retire", kid: old.kid } : { do: "retire", kid: old.kid };
}

/** With a new key behind: Workers learn of it before anything is signed with it. */
export function published(ring, record, key, now) {
  const highest = record.highest + 1;
  const kid = `k${highest}`;
  const keys = { ...record.keys, [kid]: { publishedAt: now } };
  return { ring: [...ring, { kid, key, mark: "next" }], record: { keys, highest, handedOver: false } };
}

/** `kid` in front. The one that signed until now goes on verifying. */
export function signingWith(ring, record, kid, now) {
  const [signer] = ring;
  const { key } = ring.find((entry) => entry.kid === kid);
  const { publishedAt } = record.keys[kid];
  const keys = { ...record.keys, [signer.kid]: { ...record.keys[signer.kid], signedUntil: now }, [kid]: { publishedAt } };
  return { ring: [{ kid, key }, ...ring.filter((entry) => entry.kid !== kid)], record: { ...record, keys, handedOver: false } };
}

/** Without `kid`, which is not the one that signs. */
export function retired(ring, record, kid) {
  const { [kid]: _, ...keys } = record.keys;
  return { ring: ring.filter((entry) => entry.kid !== kid), record: { ...record, keys, handedOver: false } };
}

/**
 * `kids` revoked. They stay in the ring, so that Workers can tell tickets made with them from forgeries of anybody; one that has never signed
 * goes at once. The oldest key stays the last, revoked or not: guests' keys follow from it (`needsNewSigner` sees to it).
 */
export function revoked(ring, record, kids, now) {
  const never = freshIn(ring, record)?.kid;
  const left = ring.filter(({ kid }) => !(kid === never && kids.includes(kid)));
  const marked = left.map((entry) => (kids.includes(entry.kid) ? { ...entry, mark: "revoked", wasNext: entry.mark === "next" } : entry));
  const [signer, ...behind] = marked;
  const ordered = [signer, ...behind.filter(({ wasNext }) => wasNext), ...behind.filter(({ wasNext }) => !wasNext)];
  const keys = Object.fromEntries(
    left.map(({ kid }) => [kid, kids.includes(kid) ? { signedUntil: now, ...record.keys[kid] } : record.keys[kid]]),
  );
  return { ring: ordered.map(({ wasNext: _, ...entry }) => entry), record: { ...record, keys, handedOver: false } };
}

/** Has another key to be put in front before these are revoked? */
export function needsNewSigner(ring, record, kids) {
  const isPutBack = ({ kid, mark }) => kids.includes(kid) && mark === "next" && record.keys[kid].signedUntil !== undefined;
  return (
    kids.includes(ring[0].kid) || ring[0].mark === "revoked" || (ring.some(isPutBack) && ring.slice(1).every(({ mark }) => mark === "next"))
  );
}

/** The key that can be put in front of those: one that is to sign next. Not an older one: it might be the oldest, which stays the last. */
export function nextSigner(ring, kids) {
  return ring.find(({ kid, mark }) => mark === "next" && !kids.includes(kid)) ?? null;
}

/**
 * Back: a key that has never signed is taken out again; else the one that signed before is put in front again, which every Worker knows, and
 * the new one verifies until its tokens have run out. The oldest key stays the oldest. null = there is nothing to go back from.
 */
export function aborted(ring, record, now) {
  const fresh = freshIn(ring, record);
  if (fresh !== undefined) return { ...retired(ring, record, fresh.kid), did: "removed", kid: fresh.kid };
  // Past a revoked key there is no way back: it would become the oldest.
  const before = ring.some(({ mark }) => mark === "revoked") ? undefined : ring.slice(1).find(({ mark }) => mark === undefined);
  if (before === undefined) return null;
  const back = signingWith(ring, record, before.kid, now);
  const [signer] = ring;
  const others = back.ring.filter(({ kid }) => kid !== signer.kid);
  return { ring: [...others, { ...signer, mark: "next" }], record: back.record, did: "put-back", kid: before.kid };
}
