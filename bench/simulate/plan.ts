/** What a simulated scenario is: who comes when to which rooms over how many isolates, and what goes wrong. Types only. */
import type { RoomSettings } from "../../src/core/settings-types";

export interface RoomPlan {
  readonly room: string;
  readonly people: number;
  /** People who came in the same moment to the same isolate, and ask together. */
  readonly partySize: number;
  readonly settings: Partial<RoomSettings>;
  /** They come at random within this time, ms. */
  readonly arriveFromMs: number;
  readonly arriveOverMs: number;
  /** Shares of the people: close the tab once they have a place; look at nothing any more once called; look on for ever and never go in. */
  readonly gone: number;
  readonly vanishing: number;
  readonly silent: number;
  /** How long somebody stays inside, s; half leave with the button, the others fall silent. */
  readonly visitS: number;
  readonly changes?: readonly { readonly atMs: number; readonly settings: Partial<RoomSettings> }[];
  /** The Room loses its memory and everything on its way, and is not there for a while. */
  readonly restarts?: readonly { readonly atMs: number; readonly downMs: number }[];
  /** This share of the colos cannot reach the Room. */
  readonly cuts?: readonly { readonly fromMs: number; readonly toMs: number; readonly share: number }[];
  /** People collect in a lobby until then; their order is drawn. */
  readonly drawAtMs?: number;
  readonly bots?: BotPlan;
}

export interface BotPlan {
  readonly bots: number;
  /** So many network prefixes, each with its share of the bots. */
  readonly networks: number;
  /** Requests without cookies a second, all isolates together. */
  readonly cookielessPerSecond: number;
}

export interface Plan {
  readonly name: string;
  readonly title: string;
  /** In a sentence or two. */
  readonly about: string;
  readonly isolates: number;
  readonly colos: number;
  readonly rooms: readonly RoomPlan[];
  /** Share of the isolates that crash in a minute, with all that they hold. */
  readonly crashesPerMinute: number;
  /** Share of the calls that are lost, on the way there or back. */
  readonly lost: number;
  /** Share of the questions that reach another isolate of the colo than those before. */
  readonly moves: number;
  /** Share of the isolates whose clock is wrong, by up to `clockOffMs`. */
  readonly clocksOff: number;
  readonly clockOffMs: number;
  /** At most so much virtual time, s. */
  readonly seconds: number;
  readonly seed: number;
  /** false = every question is a call of its own: to show that the simulation can fail. */
  readonly batching?: boolean;
}
