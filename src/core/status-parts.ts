/** What every status is made from. Pure; no clock, no I/O. The states are in status-of.ts, those of events and draws in status-of-event.ts. */
import type { Manifest } from "./manifest";
import type { RoomSettings } from "./settings-types";
import type { Status, VisitorState } from "./status";

export type PollSettings = Pick<RoomSettings, "pollNearMs" | "pollFarMs">;

export interface Told {
  readonly room: string;
  /** null = the Room was never reached by this isolate. */
  readonly manifest: Manifest | null;
  readonly settings: PollSettings;
  readonly now: number;
  /** The draw that this visitor's slot comes from. */
  readonly draw?: Status["draw"];
  /** Came for the event that would be on but was called off. */
  readonly isCalledOff?: boolean;
  /** The operator's message in the visitor's language, in place of the manifest's. */
  readonly message?: string;
  /** How the room's page looks now. */
  readonly look?: string;
}

const UNREACHABLE_POLL_MS = 10_000;

/** A status with everything that `parts` does not say. */
export function statusWith(told: Told, parts: Partial<Status> & { readonly state: VisitorState; readonly pollAfterMs: number }): Status {
  const { room, manifest, now } = told;
  const said = told.message ?? manifest?.message;
  return {
    room,
    slot: null,
    ahead: null,
    waiting: null,
    eta: null,
    phase: manifest?.phase ?? "open",
    // That something was called off comes first, whatever else the operator has to say.
    message: manifest?.cancelled ? [manifest.cancelled.message, said].filter(Boolean).join("\n") : (said ?? ""),
    now,
    reason: null,
    ...(said && manifest?.messageAt !== undefined && { messageAt: manifest.messageAt }),
    ...(told.draw && { draw: told.draw }),
    ...(told.look !== undefined && { look: told.look }),
    ...parts,
  };
}

/** People waiting in all; never less than this visitor and those in front. */
export function waitingTotal(manifest: Manifest, ahead: number): number | null {
  return manifest.tail === null ? null : Math.max(ahead + 1, manifest.tail - manifest.admittedEpoch);
}

/** How often a page asks while the Room does not answer, ms. */
export function slowPoll(settings: PollSettings): number {
  return Math.min(settings.pollFarMs, Math.max(settings.pollNearMs, UNREACHABLE_POLL_MS));
}
