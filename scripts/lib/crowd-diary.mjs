/**
 * What one visitor of the crowd met, written down as it happens: places, entries, what was told. Pure: replies in, facts out.
 *
 * The times of a reply enclose what the Room did: a place was given, an entry granted, somewhere between `from` and `to`.
 * All times are ms since the Unix epoch.
 */

/** The Room's record of a session outlives its last pass by this long (P1), ms: until then it is one visit. */
export const RECORD_MS = 10_000;

/** An empty diary of visitor number `id`. */
export function newDiary(id) {
  return { id, outcome: "not yet there", places: [], entries: [], faults: [], failures: 0, pages: 0, naps: 0, unproven: 0 };
}

/**
 * Writes a visitor's diary. Tokens are read, not verified: their claims are `g` generation, `s` slot, `n` serial of a pass,
 * `iat` and `exp` in seconds.
 */
export class Diarist {
  #diary;
  #cookie;
  #status;
  /** Since when the Room may have given a place or an entry that no reply has told of yet. */
  #since = null;
  #aheadMs;

  /** `aheadMs`: by how much the room's clock may be ahead of ours, at most. */
  constructor(diary, { room, statusPath, aheadMs }) {
    this.#diary = diary;
    this.#cookie = { place: `vestibule.${room}`, pass: `vestibule-pass.${room}` };
    this.#status = statusPath;
    this.#aheadMs = aheadMs;
  }

  /** The request got no reply: it may have had its effect all the same, unless it only asked. */
  failed({ path, from }) {
    this.#diary.failures += 1;
    if (path !== this.#status) this.#since ??= from;
  }

  /** A reply; `sent` = the cookies that went with its request. */
  read(reply, sent) {
    const { path, status, from, to } = reply;
    // A join that is not answered in time goes on: a later request with the same token is told of its place.
    const joins = [...sent.keys()].some((name) => bare(name) === this.#cookie.place) && this.#diary.places.length === 0;
    if (joins || (status >= 500 && path !== this.#status)) this.#since ??= from;
    const time = { from: this.#since ?? from, to };
    let isTold = false;
    for (const line of reply.headers["set-cookie"] ?? []) {
      const [, full, value] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [];
      const claims = claimsOf(value);
      if (claims?.s === undefined) continue;
      const name = bare(full);
      if (name === this.#cookie.place) isTold = this.#place(claims, time) || isTold;
      if (name === this.#cookie.pass) isTold = this.#pass(claims, time) || isTold;
    }
    if (isTold) this.#since = null;
  }

  /** What the visitor was told by a reply. */
  told(status, { from }) {
    const place = this.#diary.places.at(-1);
    if (place === undefined) return;
    if (status.slot !== null && status.slot !== place.slot) this.#diary.faults.push(`told place ${status.slot} instead of ${place.slot}`);
    if (status.reason === "cookies-needed") this.#diary.faults.push(`place ${place.slot} was not recognised`);
    // "Nobody ahead" is also said to somebody whose claim was not answered in time.
    if (status.state === "waiting" && status.ahead > 0 && status.reason !== "room-unreachable") place.toldToWaitAt = from;
  }

  #place({ g: generation, s: slot }, time) {
    const last = this.#diary.places.at(-1);
    if (last?.generation === generation && last.slot === slot) return false;
    const hadEntered = this.#diary.entries.at(-1)?.slot === last?.slot;
    if (last?.generation === generation && !hadEntered) this.#diary.faults.push(`place ${last.slot} became ${slot}`);
    this.#diary.places.push({ generation, slot, ...time, toldToWaitAt: null });
    return true;
  }

  #pass({ g: generation, s: slot, iat, exp }, time) {
    const last = this.#diary.entries.at(-1);
    const isSame = last?.generation === generation && last.slot === slot;
    const pass = { passMade: iat * 1_000 - this.#aheadMs, passEnds: exp * 1_000 - this.#aheadMs };
    if (isSame && time.from < last.passEnds + RECORD_MS) {
      last.passMade = Math.max(last.passMade, pass.passMade);
      last.passEnds = Math.max(last.passEnds, pass.passEnds);
      return false;
    }
    this.#diary.entries.push({ generation, slot, ...time, ...pass, left: null, again: isSame });
    return true;
  }
}

/** A cookie's name without what https puts in front of it. */
function bare(name) {
  return name.replace(/^__(?:Host|Secure)-/, "");
}

/** Claims of a token, or null. */
function claimsOf(token) {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  } catch {
    return null;
  }
}
