/** People inside: they load a page now and then, whereupon the pass is renewed, and go; half of them say so. Who went in together stays together. */
import type { RenewVerdict } from "../../src/core/exchange";
import { CLAIM_WAIT_MS } from "../../src/gate/enter";
import type { Outcome } from "../../src/room-client";
import type { VirtualTime } from "../../test/support/virtual-time";
import { type Edges, LIFE } from "./edges";
import { At, type People } from "./people";
import type { RoomPlan } from "./plan";
import type { RoomHost, Together } from "./room-host";

/** Somebody loads a page at least this long after the pass wants to be renewed, ms. */
const NEXT_PAGE_MS = 2_000;
const LEAVERS_SHARE = 0.5;

interface Visit {
  readonly party: number;
  readonly people: number[];
  readonly endsAt: number;
}

interface VisitsOptions {
  readonly room: RoomPlan;
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly people: People;
  readonly host: () => RoomHost;
  readonly edges: () => Edges;
}

export class Visits {
  readonly #of: VisitsOptions;
  readonly #visits: Visit[] = [];

  constructor(of: VisitsOptions) {
    this.#of = of;
  }

  inside(visit: number): readonly number[] {
    return (this.#visits[visit] as Visit).people;
  }

  /** @param party where they ask from */
  begin(party: number, people: number[]): void {
    const { time, room, random } = this.#of;
    const visit = this.#visits.push({ party, people, endsAt: time.now + room.visitS * 1_000 * (0.5 + random()) }) - 1;
    this.#nextPage(visit);
  }

  /** The next page that wants a pass: at most one call in `pass_refresh_seconds`. */
  #nextPage(visit: number): void {
    const { time, host, random } = this.#of;
    const { endsAt } = this.#visits[visit] as Visit;
    const dueAt = time.now + host().settings().passRefreshMs + random() * NEXT_PAGE_MS;
    time.at(Math.min(dueAt, endsAt), () => void this.#page(visit));
  }

  async #page(visit: number): Promise<void> {
    const { time, people, edges, random } = this.#of;
    const { party, people: all, endsAt } = this.#visits[visit] as Visit;
    const edge = edges().at(people.isolate[party] as number);
    if (time.now >= endsAt) {
      const leaves = all.filter(() => random() < LEAVERS_SHARE);
      for (const person of all) people.at[person] = At.OUT;
      all.splice(0, all.length, ...leaves);
      if (leaves.length > 0) await edge.client.leave({ slot: visit, serial: 0 }, 1, LIFE, CLAIM_WAIT_MS);
      return;
    }
    const request = { slot: visit, serial: 0, tag: visit & 0xffff };
    const outcome = (await edge.client.renew(request, 1, LIFE, CLAIM_WAIT_MS)) as Outcome<Together<RenewVerdict>>;
    if (outcome.as === "answered" && !edge.isDead)
      for (const [i, person] of all.entries()) {
        const verdict = outcome.verdict.each?.[i];
        if (verdict?.as === "renewed") people.serial[person] = verdict.pass.serial;
      }
    this.#nextPage(visit);
  }
}
