/**
 * The closed loop of P3: how many people to call so that entries keep up with the rate although some never answer. Pure.
 *
 * Call while the answers on their way are fewer than the entry tokens that there will be when they come. On their way are
 * calls still unanswered, each by its chance to be answered yet, and those told "one moment". Measured for it are the share
 * of people who answer and how long they take. Entries themselves are limited by the entry bucket, so calling too many can
 * never exceed P2; it only makes a few people wait a moment.
 */

/** Chance gaps between answers must not spill tokens: they grow as the root of how many are on their way. At most this much, s. */
const SPARE_S = 2;
/** Neighbours in line share an isolate, and come in clumps: at many a second that tells more than chance. */
const LEAST_SPARE_S = 1;
/** Look ahead no less than this: a poll near the front comes every 3 s. */
const LEAST_LOOKAHEAD_S = 3;
/** A call that has been silent this long counts as not answered. */
const MATURE_S = 20;
const RING_S = 32;
/** What is measured is an average over about this many calls, or this many seconds' worth where that is more. */
const AVERAGE_CALLS = 24;
const AVERAGE_S = 20;
/** Never believe that fewer show up: calls stay within 4 × the rate. Nor that everybody does: some calls are never answered. */
const LEAST_SHARE = 0.25;
const MOST_SHARE = 0.98;
const MOST_CALLS_PER_ENTRY = 4;

/** What is known of how people answer: decayed counts. */
export interface Answers {
  /** Calls that matured, and those of them that were answered by then. */
  made: number;
  shown: number;
  /** Answers by the age of the call, whole seconds up to `MATURE_S`. */
  readonly byAge: number[];
}

/** Before anything is known: everybody answers, with the next poll. */
export function newAnswers(): Answers {
  const byAge = Array.from({ length: MATURE_S + 1 }, (_, age) => (age < 4 ? AVERAGE_CALLS / 8 : 0));
  return { made: AVERAGE_CALLS / 2, shown: AVERAGE_CALLS / 2, byAge };
}

export interface CallLoop {
  readonly answers: Answers;
  /** Line-clock second up to which calls have matured. */
  matured: number;
  /** Unanswered and made calls by the line-clock second of the call, ring of 32. Memory only; open calls come back from their rows. */
  readonly openBySecond: Int32Array;
  readonly madeBySecond: Int32Array;
}

/** @param answers what is known; the loop learns on in it. */
export function newCallLoop(second: number, answers: Answers): CallLoop {
  return { answers, matured: second, openBySecond: new Int32Array(RING_S), madeBySecond: new Int32Array(RING_S) };
}

/** Measured share of called people who answer within 20 s, clamped to 0.25…0.98. */
export function showUpShare({ answers }: CallLoop): number {
  return Math.min(MOST_SHARE, Math.max(LEAST_SHARE, answers.shown / Math.max(1e-6, answers.made)));
}

/** How far to look ahead, s: as long as an answer takes on average. */
export function lookaheadS({ answers: { byAge } }: CallLoop): number {
  const seconds = byAge.reduce((sum, count, age) => sum + age * count, 0);
  return Math.max(LEAST_LOOKAHEAD_S, seconds / sumOf(byAge));
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Let calls mature up to `second` (line clock). */
export function tickCallLoop(loop: CallLoop, second: number, ratePerMinute: number): void {
  const { answers } = loop;
  const average = Math.max(AVERAGE_CALLS, (ratePerMinute / 60) * AVERAGE_S);
  const first = Math.max(loop.matured + 1, second - RING_S + 1);
  for (let now = first; now <= second; now++) {
    const at = (((now - MATURE_S) % RING_S) + RING_S) % RING_S;
    const made = loop.madeBySecond[at] as number;
    if (made > 0) {
      const shown = made - (loop.openBySecond[at] as number);
      const decay = Math.exp(-made / average);
      answers.made = answers.made * decay + made;
      answers.shown = answers.shown * decay + shown;
      // By answers, not by calls: while nobody answers, what is known of how long it takes stays.
      for (const [age, count] of answers.byAge.entries()) answers.byAge[age] = count * Math.exp(-shown / average);
    }
    const fresh = now % RING_S;
    loop.madeBySecond[fresh] = 0;
    loop.openBySecond[fresh] = 0;
  }
  if (second - loop.matured >= RING_S) {
    loop.madeBySecond.fill(0);
    loop.openBySecond.fill(0);
  }
  loop.matured = Math.max(loop.matured, second);
}

export function noteCall(loop: CallLoop, second: number): void {
  const at = second % RING_S;
  loop.madeBySecond[at] = (loop.madeBySecond[at] as number) + 1;
  loop.openBySecond[at] = (loop.openBySecond[at] as number) + 1;
}

/**
 * After a restart: a call that is still open. It counts for the answers on their way, but not for the share of people who answer: how many
 * calls of its second were answered is not known any more.
 */
export function restoreOpenCall(loop: CallLoop, calledAt: number, second: number): void {
  if (second - calledAt < RING_S) loop.openBySecond[calledAt % RING_S] = (loop.openBySecond[calledAt % RING_S] as number) + 1;
}

/** A call made at `calledAt` is answered (or withdrawn) at `second`. */
export function noteAnswer(loop: CallLoop, calledAt: number, second: number): void {
  const age = second - calledAt;
  if (age >= RING_S) return;
  const at = calledAt % RING_S;
  loop.openBySecond[at] = Math.max(0, (loop.openBySecond[at] as number) - 1);
  if (age <= MATURE_S) loop.answers.byAge[age] = (loop.answers.byAge[age] as number) + 1;
}

/** Answers that will come yet to calls still open. */
export function expectedAnswers(loop: CallLoop, second: number): number {
  const { byAge } = loop.answers;
  const share = showUpShare(loop);
  const all = sumOf(byAge);
  let later = all;
  let expected = 0;
  for (let age = 0; age <= MATURE_S && age <= second; age++) {
    const chance = (share * later) / (all - share * (all - later));
    expected += chance * (loop.openBySecond[(second - age) % RING_S] as number);
    later -= byAge[age] as number;
  }
  return expected;
}

/** May one more person be called? `places` = answers there are places for; `moments` = people told "one moment", certain to come. */
export function mayCall(
  loop: CallLoop,
  entryTokens: number,
  places: number,
  ratePerMinute: number,
  moments: number,
  expected: number,
): boolean {
  return expected + moments + showUpShare(loop) <= Math.min(places, tokensInSight(loop, entryTokens, ratePerMinute)) + 1e-9;
}

function tokensInSight(loop: CallLoop, tokens: number, ratePerMinute: number): number {
  const perSecond = ratePerMinute / 60;
  const coming = perSecond * lookaheadS(loop);
  return tokens + coming + Math.max(perSecond * LEAST_SPARE_S, Math.min(Math.sqrt(coming), perSecond * SPARE_S));
}

/** The epoch's own bucket (P2): refills at 4 × the rate. */
export function callRate(ratePerMinute: number): number {
  return ratePerMinute * MOST_CALLS_PER_ENTRY;
}
