/**
 * Pages that hold their question open (src/routes/follow.ts), party by party: when each looks, what it tells and when it ends are those of
 * src/core/following.ts. An isolate holds so many of them; who comes beyond that asks as before. Virtual time.
 */
import { canFollow, type Following, followed, followStep, lookAfterMs, patienceMs, startFollowing } from "../../src/core/following";
import { MANIFEST_STALE_MS } from "../../src/core/manifest";
import type { Status } from "../../src/core/status";
import type { Told } from "../../src/core/status-parts";
import { STREAMS_MAX } from "../../src/room/open-streams";
import type { VirtualTime } from "../../test/support/virtual-time";
import type { Books } from "./books";
import { type Edge, LIFE } from "./edges";

/** Who follows, as visitors.ts knows them. */
export interface Followers {
  /** How many people of the party wait. */
  waiting(party: number): number;
  /** What they are told; it counts as seen what the Worker does. */
  status(party: number, told: Told): Status;
  /** The stream stands for them. */
  sight(party: number, edge: Edge): void;
  /** They have heard something, and their streams go on. */
  told(party: number, edge: Edge): void;
  /** From here on each of them waits alone: their parties of one, or null while they still wait together. */
  apart(party: number, status: Status): readonly number[] | null;
  /** It has ended: they ask again when told, or the connection was cut. */
  ended(party: number, status: Status): void;
  /** The turn has come: the Worker asks about it in their place. */
  called(party: number): void;
  cut(party: number): void;
}

interface Stream {
  readonly edge: Edge;
  readonly people: number;
  readonly following: Following;
  readonly status: Status;
}

export class Streams {
  readonly #room: string;
  readonly #time: VirtualTime;
  readonly #random: () => number;
  readonly #followers: Followers;
  readonly #books: () => Books;

  constructor(of: { room: string; time: VirtualTime; random: () => number; followers: Followers; books: () => Books }) {
    this.#room = of.room;
    this.#time = of.time;
    this.#random = of.random;
    this.#followers = of.followers;
    this.#books = of.books;
  }

  /** The answer that these people have just got goes on. false = it does not. */
  begin(party: number, edge: Edge, status: Status, { manifest }: Told): boolean {
    const people = this.#followers.waiting(party);
    const { absentAfterMs } = edge.client.settings;
    if (manifest === null || edge.streams + people > STREAMS_MAX || !canFollow(status, manifest, absentAfterMs)) return false;
    const nowMs = this.#time.now;
    const following = startFollowing(status, manifest, { nowMs, generation: manifest.generation, random: this.#random });
    edge.streams += people;
    this.#books().streams += people;
    this.#next(party, { edge, people, following, status });
    return true;
  }

  #next(party: number, stream: Stream): void {
    this.#time.at(this.#time.now + lookAfterMs(stream.status, this.#random()), () => void this.#look(party, stream));
  }

  async #look(party: number, { edge, people, following, status: before }: Stream): Promise<void> {
    const { client } = edge;
    const patience = patienceMs(before, MANIFEST_STALE_MS);
    const isStale = (client.known()?.ageMs ?? 0) > patience;
    if (isStale && !edge.isDead) await client.manifest(LIFE, patience);
    const close = () => {
      edge.streams -= people;
    };
    if (edge.isDead) return this.#followers.cut(party);
    if (this.#followers.waiting(party) === 0) return close();
    const manifest = client.known()?.manifest ?? null;
    const { absentAfterMs, pollFarMs } = client.settings;
    const nowMs = this.#time.now;
    const status = this.#followers.status(party, { room: this.#room, manifest, settings: client.settings, now: nowMs });
    const look = { nowMs, status, manifest, absentAfterMs, pollFarMs, isOpen: false, isReplaced: false };
    const step = followStep(following, look, this.#random());
    const books = this.#books();
    books.looks += people;
    if (step.as === "end" || step.tell) books.tells += people;
    if (step.as === "end") {
      close();
      return step.called ? this.#followers.called(party) : this.#followers.ended(party, step.status);
    }
    if (step.seen) this.#followers.sight(party, edge);
    if (step.tell) this.#followers.told(party, edge);
    const stream = { edge, people, following: followed(following, look, step, isStale), status };
    const apart = this.#followers.apart(party, status);
    if (apart === null) return this.#next(party, stream);
    close();
    edge.streams += apart.length;
    for (const one of apart) this.#next(one, { ...stream, people: 1 });
  }
}
