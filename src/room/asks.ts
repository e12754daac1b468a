/** What requests ask of the Room and how it may end: types, and the order in which they go. No state. */
import type {
  ClaimRequest,
  ClaimVerdict,
  JoinRequest,
  JoinVerdict,
  LeaveRequest,
  LeaveVerdict,
  ReissueRequest,
  ReissueVerdict,
  RenewRequest,
  RenewVerdict,
} from "../core/exchange";

/** What one request wants. `look`: any reply will do, it brings the manifest. Ages are added when the batch is sent. */
export type Ask =
  | { readonly kind: "join"; readonly request: JoinRequest; readonly navigation: boolean }
  | { readonly kind: "claim"; readonly request: Omit<ClaimRequest, "ageMs">; readonly generation: number }
  | { readonly kind: "renew"; readonly request: Omit<RenewRequest, "ageMs">; readonly generation: number }
  | { readonly kind: "leave"; readonly request: LeaveRequest; readonly generation: number }
  | { readonly kind: "reissue"; readonly request: ReissueRequest; readonly generation: number }
  | Look;

export interface Look {
  readonly kind: "look";
  /** May wait this long for company, ms. */
  readonly patienceMs: number;
}

export type VerdictOf<A extends Ask> = A["kind"] extends "join"
  ? JoinVerdict
  : A["kind"] extends "claim"
    ? ClaimVerdict
    : A["kind"] extends "renew"
      ? RenewVerdict
      : A["kind"] extends "leave"
        ? LeaveVerdict
        : A["kind"] extends "reissue"
          ? ReissueVerdict
          : null;

/**
 * `generation` is the one that the verdict speaks of.
 * `late`: no answer yet, it may still be on its way. `unreachable`: tried, and the Room did not answer; what it did is not known.
 */
export type Outcome<V> = { readonly as: "answered"; readonly verdict: V; readonly generation: number } | { readonly as: "late" } | NotDone;

/** `full`: nothing more can be stored. */
export interface NotDone {
  readonly as: "unreachable" | "full";
  readonly retryAfterMs: number;
}

export type Verdict = JoinVerdict | ClaimVerdict | RenewVerdict | LeaveVerdict | ReissueVerdict | null;

/** The generation that it speaks of; 0 = none. */
export function generationOf(ask: Ask): number {
  return ask.kind === "join" || ask.kind === "look" ? 0 : ask.generation;
}

/** Does it speak of a generation that is over? Then its places are gone, and there is no need to ask. */
export function isOutdated(ask: Ask, generation: number): boolean {
  return ask.kind !== "join" && ask.kind !== "look" && ask.generation < generation;
}

/** Lower goes first when a batch cannot hold everything. */
export function urgency(ask: Ask): number {
  switch (ask.kind) {
    case "look":
    case "claim":
    case "leave":
      return 0;
    case "join":
      return ask.navigation ? 1 : 2;
    case "reissue":
      return 2;
    case "renew":
      return 3;
  }
}
