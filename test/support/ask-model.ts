/**
 * Who is asked for proof, written a second time in the plainest way: Maps and lists, no storage. What the line decides is compared with it
 * (test/line/ask-histories.test.ts).
 */
import type { JoinRequest } from "../../src/core/exchange";
import type { RoomSettings } from "../../src/core/settings-types";

const MINUTE = 60_000;

interface Window {
  start: number;
  count: number;
  slack: number;
  others: number;
  former: number;
  formerOthers: number;
}

export type Expected = "place" | "refused" | number;

/** One room, one lobby. */
export class AskModel {
  readonly #windows = new Map<string, Window>();
  readonly #entries = new Map<string, number>();
  readonly #attempts: number[] = [];
  readonly #used = new Set<string>();
  by: "operator" | "threshold" | null = null;
  busyAt = 0;
  calmUntil = 0;

  /** Time passes. */
  at(now: number, { underAttackJoinsPerMinute: threshold }: RoomSettings): void {
    if (this.by === "threshold" && (threshold === 0 || now - this.busyAt >= 5 * MINUTE)) this.by = null;
  }

  get step(): number {
    return this.by === null ? 0 : 1;
  }

  /** What a newcomer must be answered: a place, a refusal, or the cost asked for. */
  expected(request: JoinRequest, settings: RoomSettings, now: number, inLobby: boolean): Expected {
    if (request.exempt) return "place";
    const limits = [settings.joinLimitPerMinute, settings.joinLimitAddressPerMinute, settings.joinLimitWidePerMinute];
    const isOver = prefixesOf(request).some((prefix) => this.#standing(prefix, limits[Number(prefix[0])] as number, now) === "over");
    if (isOver && settings.overLimit === "refuse") return "refused";
    const shown = request.proof ?? 0;
    const isUsed = this.#used.has(`${request.key} ${shown}`);
    const proof = isUsed ? 0 : shown;
    const everyone = settings.challengeEveryone ? 1 : 0;
    const ladder = inLobby && settings.freeEntries > 0 ? this.#ladder(request, settings.freeEntries) : 0;
    const cost = settings.challenge === "off" ? 0 : Math.min(8, this.step + Math.max(everyone, isOver ? 1 : 0, ladder));
    if (proof >= cost) return "place";
    return isUsed ? Math.max(cost, shown + 1) : cost;
  }

  #standing(prefix: string, limit: number, now: number): "within" | "share" | "slack" | "over" {
    const window = this.#windows.get(prefix);
    if (limit === 0 || window === undefined || now - window.start >= MINUTE) return "within";
    if (window.count - window.slack < limit) return "within";
    const share = shareOf(window);
    if (window.count - window.slack < share) return "share";
    return window.count < 1.25 * share ? "slack" : "over";
  }

  #ladder({ network, wide = 0 }: JoinRequest, free: number): number {
    const step = (name: string, most: number) => Math.ceil(Math.max(0, Math.log2(((this.#entries.get(name) ?? 0) + 1) / most)));
    return Math.min(8, Math.max(network === 0 ? 0 : step(`n${network}`, free), wide === 0 ? 0 : step(`w${wide}`, 16 * free)));
  }

  /** It was answered with a place. */
  placed(request: JoinRequest, settings: RoomSettings, now: number, inLobby: boolean): void {
    const { network, wide = 0, proof = 0, exempt } = request;
    if (inLobby) for (const name of [`n${network}`, `w${wide}`]) this.#entries.set(name, (this.#entries.get(name) ?? 0) + 1);
    const isProven = proof > 0 && !exempt && !this.#used.has(`${request.key} ${proof}`);
    if (isProven) this.#used.add(`${request.key} ${proof}`);
    if (exempt || (isProven && settings.overLimit !== "refuse")) return;
    const own = prefixesOf(request);
    const limits = [settings.joinLimitPerMinute, settings.joinLimitAddressPerMinute, settings.joinLimitWidePerMinute];
    const standings = own.map((prefix) => this.#standing(prefix, limits[Number(prefix[0])] as number, now));
    for (const [i, prefix] of own.entries()) {
      const isSlack = standings[i] === "slack";
      const known = this.#windows.get(prefix);
      if (known !== undefined && now - known.start < MINUTE) {
        known.count += 1;
        known.slack += isSlack ? 1 : 0;
        continue;
      }
      const last = known !== undefined && now - known.start < 2 * MINUTE ? known : null;
      const former =
        last === null ? 0 : last.slack === 0 ? last.count : Math.min(last.count, Math.max(last.count - last.slack, shareOf(last)));
      this.#windows.set(prefix, { start: now, count: 1, slack: 0, others: 0, former, formerOthers: last?.others ?? 0 });
    }
    if (standings.some((standing) => standing !== "within")) return;
    for (const [prefix, window] of this.#windows) if (!own.includes(prefix)) window.others += 1;
  }

  /** After a batch with so many attempts without proof. */
  attempted(count: number, settings: RoomSettings, now: number): void {
    for (let i = 0; i < count; i++) this.#attempts.push(Math.floor(now / 10_000) * 10_000);
    const { underAttackJoinsPerMinute: threshold, challenge } = settings;
    const attempts = this.#attempts.filter((at) => at >= now - MINUTE).length;
    if (threshold === 0 || challenge === "off" || 2 * attempts < threshold) return;
    this.busyAt = now;
    if (attempts > threshold && this.by === null && now >= this.calmUntil) this.by = "threshold";
  }
}

function shareOf({ former, formerOthers, others }: Window): number {
  return former > 0 && formerOthers > 0 ? Math.min(4 * former, Math.floor((former * others) / formerOthers)) : 0;
}

/** Its name begins with the index of its limit. */
function prefixesOf({ network, address = 0, wide = 0 }: JoinRequest): string[] {
  return [network, address, wide].flatMap((prefix, i) => (prefix === 0 ? [] : [`${i}:${prefix}`]));
}
