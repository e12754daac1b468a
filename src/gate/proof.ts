/**
 * Is proof asked of somebody before a place is given, and was it shown? The one answer for whoever lets people in without asking the Room,
 * which would refuse a join without it. Decides nothing else.
 */
import { costWithoutRoom, proofOf } from "./challenge";
import { doorOf } from "./door";
import type { Visit } from "./visit";

/** For a newcomer who would join by `key`: people who have, or had, a place are never asked; null = such a one. */
export async function isProven(visit: Visit, key: string | null): Promise<boolean> {
  if ((await doorOf(visit)).as === "shut") return false;
  const cost = key === null ? 0 : costWithoutRoom(visit);
  return cost === 0 || (key !== null && (await proofOf(visit, key)).cost >= cost);
}
