/**
 * An order of invitations, as the admin API and `npm run invite` take it: read, refused by name, carried out. No state, no clock.
 */
import { INVITATION_MAX_LIFE_S, INVITATION_PARAMETER } from "../core/door";
import { describe } from "../core/operator-text";
import { readTime } from "../core/rfc3339";
import type { Problem } from "../core/settings";
import { USES_MAX } from "../core/token";
import { type KeyRing, newVisitorKey } from "../keys";
import { signInvitation } from "./invitations";

/** Most invitations of one order. */
export const ORDER_MAX = 10_000;
const SUBJECT_MAX = 512;
/** As programs write times: without seconds, or with more digits after the point than readTime takes. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

export interface Order {
  /** One invitation each; null = whoever holds it. */
  readonly subjects: readonly (string | null)[];
  readonly uses: number;
  /** Unix seconds. */
  readonly exp: number;
  /** Where links lead; null = tokens only. */
  readonly url: URL | null;
}

export interface Minted {
  readonly id: string;
  readonly token: string;
  readonly subject?: string;
  readonly link?: string;
}

/** Reads `count`, `uses`, `expires`, `subjects` and `url`. All problems at once, each by its field. */
export function readOrder(fields: Readonly<Record<string, unknown>>, nowS: number): Order | Problem[] {
  const { count, uses = 1, expires, subjects = null, url = null, ...unknown } = fields;
  const problems: Problem[] = Object.keys(unknown).map((setting) => ({
    setting,
    problem: "is not a field of an invitation; known are count, uses, expires, subjects and url",
  }));
  const refuse = (setting: string, problem: string) => problems.push({ setting, problem });
  const isList = Array.isArray(subjects);
  if (subjects !== null && !(isList && subjects.length > 0 && subjects.length <= ORDER_MAX && subjects.every(isSubject)))
    refuse("subjects", `must be a list of 1 to ${ORDER_MAX} texts of at most ${SUBJECT_MAX} characters, one invitation each`);
  if (isList && count !== undefined) refuse("count", "must be left out with subjects: each of them gets one invitation");
  if (count !== undefined && !isWithin(count, 1, ORDER_MAX))
    refuse("count", `must be a whole number from 1 to ${ORDER_MAX}, not ${describe(count)}`);
  if (!isWithin(uses, 1, USES_MAX)) refuse("uses", `must be a whole number from 1 to ${USES_MAX} (places), not ${describe(uses)}`);
  const exp = typeof expires === "string" ? secondOf(expires) : Number.NaN;
  if (!(exp > nowS && exp <= nowS + INVITATION_MAX_LIFE_S))
    refuse(
      "expires",
      `must be a time to come with its offset, at most 400 days from now, such as "2026-12-24T18:00:00+01:00", not ${describe(expires)}`,
    );
  const link = typeof url === "string" && /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (url !== null && link === null) refuse("url", `must be the address that the links lead to, with https://, not ${describe(url)}`);
  if (problems.length > 0) return problems;
  const who = isList ? (subjects as string[]) : Array.from({ length: (count as number | undefined) ?? 1 }, () => null);
  return { subjects: who, uses: uses as number, exp, url: link };
}

/** Makes them. `iat`: Unix seconds. @param idOf an id of the form of `newVisitorKey`, for each by its number */
export async function mint(
  ring: KeyRing,
  room: string,
  { subjects, uses, exp, url }: Order,
  iat: number,
  idOf: (i: number) => string | Promise<string> = newVisitorKey,
): Promise<Minted[]> {
  const minted: Minted[] = [];
  for (const [i, subject] of subjects.entries()) {
    const { id, token } = await signInvitation(ring, { id: await idOf(i), room, uses, subject, iat, exp });
    minted.push({ id, token, ...(subject === null ? {} : { subject }), ...(url === null ? {} : { link: linkOf(url, token) }) });
  }
  return minted;
}

/** Unix seconds; NaN = it is no time, or of a day or hour that there is not. */
function secondOf(text: string): number {
  const [, minute, second = ":00", offset] = TIME.exec(text) ?? [];
  const read = minute === undefined ? null : readTime(`${minute}${second}${offset}`);
  return read?.ok ? read.ms / 1_000 : Number.NaN;
}

function linkOf(url: URL, token: string): string {
  const link = new URL(url);
  link.search = `${link.search === "" ? "?" : `${link.search}&`}${INVITATION_PARAMETER}=${token}`;
  return link.href;
}

function isSubject(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= SUBJECT_MAX;
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
