/**
 * Staff links: signed links that let people of the house in outside the count, up to `staff_places` (SPEC section STAFF). Pure: what they
 * are to the operator, what the Room answers, and whether a staff pass still counts at the edge.
 */
import type { Actor } from "./admin";
import type { Manifest } from "./manifest";
import type { RoomSettings } from "./settings-types";
import type { StaffClaims } from "./token-types";

/** Links that are neither over nor long revoked, of one room. */
export const STAFF_LINKS_MAX = 64;
export const STAFF_PLACES_MAX = 100;
/** Longest life of a link and its passes, hours. */
export const STAFF_HOURS_MAX = 24;

export interface StaffOrder {
  readonly label: string;
  /** Passes that the link gives. */
  readonly uses: number;
  /** How long it and its passes live, ms. */
  readonly lifeMs: number;
}

/** A link as the operator sees it, its history included. */
export interface StaffLink {
  readonly id: number;
  readonly label: string;
  readonly state: "live" | "revoked" | "expired";
  readonly uses: number;
  readonly used: number;
  readonly used_at: readonly string[];
  readonly made_at: string;
  readonly made_by: Actor;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly revoked_by: Actor | null;
}

export interface StaffLinks {
  readonly staff_places: number;
  /** Places of `staff_places` that passes of links hold. */
  readonly staff_places_taken: number;
  /** Newest first. */
  readonly links: readonly StaffLink[];
}

/** `places`: all of `staff_places` are taken; `used`: the link has given all its passes; `over`: revoked, expired or not known. */
export type StaffVerdict = { readonly as: "entered" } | { readonly as: "refused"; readonly why: "places" | "used" | "over" };

/**
 * Does a staff pass, correct by itself, still let its holder in? Not once its link was revoked, not in a room without staff places, and only while the Room was heard of
 * lately: a pass that lives for a day must not outlive its revocation by more than a visit may last in silence.
 * @param ageMs of the manifest
 */
export function staffPassCounts(
  { link, key }: StaffClaims,
  manifest: Pick<Manifest, "staffRevoked"> | null,
  ageMs: number,
  { staffPlaces, sessionDurationMs }: Pick<RoomSettings, "staffPlaces" | "sessionDurationMs">,
): boolean {
  // Without a key it is the link itself, which anybody may hold who reads a mail.
  if (key === null || manifest === null || ageMs > sessionDurationMs || staffPlaces === 0) return false;
  return !(manifest.staffRevoked ?? []).includes(link);
}
