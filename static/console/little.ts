/** The capacity calculator: Little's law, with a tenth of the places on its way to people who were called. Pure. */

const USABLE_SHARE = 0.9;

/** People a minute that keep so many places full. */
export function rateFor(places: number, visitMinutes: number): number {
  return visitMinutes > 0 ? Math.floor((10 * USABLE_SHARE * places) / visitMinutes) / 10 : 0;
}

/** Places that a rate needs. */
export function placesFor(ratePerMinute: number, visitMinutes: number): number {
  return Math.ceil((ratePerMinute * visitMinutes) / USABLE_SHARE - 1e-9);
}

/** Minutes until the last of so many is in. */
export function minutesFor(people: number, ratePerMinute: number): number | null {
  return ratePerMinute > 0 ? people / ratePerMinute : null;
}
