/**
 * Guests: whose place is which, and how many places an invitation has made, in rooms that ask for either. Pure.
 * Grows with the people who were let join, so it lives in storage: before a step the shell loads the rows that the step's joins name,
 * afterwards it stores what changed, in the same transaction. Nothing stays in memory between steps.
 */
import type { DrawnPlaces } from "../../src/core/draw";
import type { JoinRequest, JoinVerdict } from "../../src/core/exchange";

/** What the place was given with; every device of the same guest hears the same. */
export type GivenPlace = Extract<JoinVerdict, { as: "placed" | "entry" }>;

export interface GuestPlace {
  readonly given: GivenPlace;
  /** An entry of a window of `queueing_method = "random"`: the records of those are not kept for ever. */
  readonly isWindow: boolean;
}

export interface GuestRows {
  readonly places: Iterable<readonly [key: string, place: GuestPlace]>;
  readonly uses: Iterable<readonly [invitation: string, places: number]>;
  /** The draws that these places name, as far as they took place. */
  readonly drawn: Iterable<DrawnPlaces>;
}

export interface GuestChanges {
  readonly places: ReadonlyMap<string, GuestPlace>;
  readonly uses: ReadonlyMap<string, number>;
}

export class Guests {
  #places = new Map<string, GuestPlace>();
  #uses = new Map<string, number>();
  #drawn = new Map<number, DrawnPlaces>();
  #newPlaces = new Map<string, GuestPlace>();
  #newUses = new Map<string, number>();

  load({ places, uses, drawn }: GuestRows): void {
    for (const [key, place] of places) this.#places.set(key, place);
    for (const [invitation, count] of uses) this.#uses.set(invitation, count);
    for (const draw of drawn) this.#drawn.set(draw.id, draw);
  }

  /** The place that this guest got last in this generation. */
  find(key: string): GuestPlace | null {
    return this.#newPlaces.get(key) ?? this.#places.get(key) ?? null;
  }

  drawn(id: number): DrawnPlaces | null {
    return this.#drawn.get(id) ?? null;
  }

  /** Places that an invitation has made in this generation. */
  usesOf(invitation: string): number {
    return this.#newUses.get(invitation) ?? this.#uses.get(invitation) ?? 0;
  }

  /** `counted`: the place uses up one of this invitation's; null = it uses up nothing. */
  give(key: string, place: GuestPlace, counted: string | null): void {
    this.#newPlaces.set(key, place);
    if (counted !== null) this.#newUses.set(counted, this.usesOf(counted) + 1);
  }

  /** The entries of this step are in the chain now. @param chain of their draw, 43 characters of base64url */
  sealEntries(chain: string): void {
    for (const [key, { given, isWindow }] of this.#newPlaces) {
      if (given.as === "entry" && given.chain === "") this.#newPlaces.set(key, { given: { ...given, chain }, isWindow });
    }
  }

  /** What changed since the last call; forgets everything. */
  takeChanges(): GuestChanges {
    const changes = { places: this.#newPlaces, uses: this.#newUses };
    this.#places = new Map();
    this.#uses = new Map();
    this.#drawn = new Map();
    this.#newPlaces = new Map();
    this.#newUses = new Map();
    return changes;
  }
}

/** What a step with these joins has to know. */
export function guestsIn(joins: readonly JoinRequest[]): { readonly keys: ReadonlySet<string>; readonly invitations: ReadonlySet<string> } {
  const guests = joins.filter((join) => join.guest !== undefined);
  return {
    keys: new Set(guests.map((join) => join.key)),
    invitations: new Set(guests.flatMap((join) => join.guest?.invitation?.id ?? [])),
  };
}
