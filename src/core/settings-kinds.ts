/**
 * The kinds of values that settings take, as valibot schemas whose message says what is allowed, unit included. Pure.
 */
import * as v from "valibot";
import { readColour } from "./colours";
import { networkProblem } from "./network";
import { type Read, readHost, readPath } from "./operator-text";
import { readTime, TIME_SHAPE, writeTime } from "./rfc3339";

/** One setting as operators know it. `fallback: undefined` = must be given. */
export interface Setting<T> {
  readonly schema: v.GenericSchema<unknown, T>;
  /** Completes "must be". */
  readonly allowed: string;
  readonly fallback: T | undefined;
}

export interface Kind<T> {
  readonly schema: v.GenericSchema<unknown, T>;
  readonly allowed: string;
}

export function required<T>(kind: Kind<T>): Setting<T> {
  return { ...kind, fallback: undefined };
}

export function optional<T>(kind: Kind<T>, fallback: T): Setting<T> {
  return { ...kind, fallback };
}

/** 1,000,000. Not by `Intl`: its first use takes nine milliseconds, and limits are written in every new isolate. */
function count(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A whole number of `unit`. */
export function whole(min: number, max: number, unit: string): Kind<number> {
  const allowed = `a whole number from ${count(min)} to ${count(max)} (${unit})`;
  return { allowed, schema: v.pipe(v.number(allowed), v.integer(allowed), v.minValue(min, allowed), v.maxValue(max, allowed)) };
}

/** A number of `unit`, fractions allowed. */
export function amount(min: number, max: number, unit: string): Kind<number> {
  const allowed = `a number from ${count(min)} to ${count(max)} (${unit}, fractions allowed)`;
  return { allowed, schema: v.pipe(v.number(allowed), v.minValue(min, allowed), v.maxValue(max, allowed)) };
}

/** 0, or a number of `unit` from `min` on: smaller ones are slips of the pen. */
export function amountOrZero(min: number, max: number, unit: string): Kind<number> {
  const allowed = `0, or a number from ${count(min)} to ${count(max)} (${unit}, fractions allowed)`;
  const other = amount(min, max, unit).schema;
  return { allowed, schema: v.custom<number>((value) => value === 0 || v.is(other, value), allowed) };
}

export function flag(): Kind<boolean> {
  const allowed = "true or false";
  return { allowed, schema: v.boolean(allowed) };
}

export function oneOf<const T extends string | number>(...values: readonly T[]): Kind<T> {
  const allowed = values.map((value) => JSON.stringify(value)).join(values.length === 2 ? " or " : ", ");
  return { allowed, schema: v.picklist(values, allowed) };
}

/** Any of these words, each once. */
export function someOf<const T extends string>(...values: readonly T[]): Kind<T[]> {
  const allowed = `a list of ${values.map((value) => JSON.stringify(value)).join(", ")}, each at most once`;
  const entry = v.picklist(values, allowed);
  return {
    allowed,
    schema: v.pipe(
      v.array(entry, allowed),
      v.check((list) => new Set(list).size === list.length, allowed),
    ),
  };
}

/** `"off"` or what `kind` allows. */
export function orOff<T>(kind: Kind<T>): Kind<T | "off"> {
  const allowed = `"off", or ${kind.allowed}`;
  return { allowed, schema: v.custom<T | "off">((value) => value === "off" || v.is(kind.schema, value), allowed) };
}

/** What `kind` allows, or null = left out. */
export function orNone<T>(kind: Kind<T>): Kind<T | null> {
  return { allowed: kind.allowed, schema: v.nullable(kind.schema) };
}

/** A name that fits into addresses as it is. */
export function slug(max: number): Kind<string> {
  const allowed = `1 to ${max} of a–z, 0–9 and -`;
  return { allowed, schema: v.pipe(v.string(allowed), v.maxLength(max, allowed), v.regex(/^[a-z0-9-]+$/, allowed)) };
}

/** Text for visitors: at most `max` characters, no control characters but (if `lines`) line breaks. */
export function text(max: number, lines: boolean, min = 0): Kind<string> {
  const allowed = `text of ${min > 0 ? `${min} to` : "at most"} ${max} characters${lines ? "" : " on one line"}`;
  const clean = lines ? /^[^\p{Cc}\u2028\u2029]*(?:\n[^\p{Cc}\u2028\u2029]*)*$/u : /^[^\p{Cc}\u2028\u2029]*$/u;
  return { allowed, schema: v.pipe(v.string(allowed), v.minLength(min, allowed), v.maxLength(max, allowed), v.regex(clean, allowed)) };
}

export function checkedText(allowed: string, read: (text: string) => Read): Kind<string> {
  const schema = v.pipe(
    v.string(allowed),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const result = read(dataset.value);
      if (result.ok) return result.value;
      addIssue({ message: result.problem });
      return NEVER;
    }),
  );
  return { allowed, schema };
}

export function host(): Kind<string> {
  return checkedText('a host name such as "shop.example.com", or "*" for every host (development only)', (given) =>
    given === "*" ? { ok: true, value: given } : readHost(given),
  );
}

/** A colour of the page; `""` = ours. */
export function colour(): Kind<string> {
  const allowed = 'a colour such as "#0f6b50": # and six hex digits, or three, or "" for ours';
  return checkedText(allowed, (given) => {
    const value = given === "" ? given : readColour(given);
    return value === null ? { ok: false, problem: allowed } : { ok: true, value };
  });
}

/** A file of the page that was uploaded; `""` = none. @param isName reads names of its kind */
export function pageFile(route: string, isName: (name: string) => boolean): Kind<string> {
  const allowed = `the name of a file that was uploaded with PUT …/rooms/<room>/${route}, as its answer says, or "" for none`;
  const isFile = (text: string) => text === "" || isName(text);
  return { allowed, schema: v.pipe(v.string(allowed), v.check(isFile, allowed)) };
}

export function path(): Kind<string> {
  return checkedText('a path such as "/" or "/checkout"; it covers everything below it', readPath);
}

/** A time in its one spelling. */
export function time(): Kind<string> {
  return checkedText(TIME_SHAPE, (given) => {
    const read = readTime(given);
    return read.ok ? { ok: true, value: writeTime(read) } : read;
  });
}

export function isTable(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw) && !(raw instanceof Date);
}

/** Tables whose content is read elsewhere. */
export function tables(max: number, of: string): Kind<Record<string, unknown>[]> {
  const allowed = `a list of at most ${max} tables, each ${of}`;
  return { allowed, schema: v.pipe(v.array(v.custom<Record<string, unknown>>(isTable, allowed), allowed), v.maxLength(max, allowed)) };
}

export interface Route {
  host: string;
  path: string;
}

/** Further `{ host, path }` pairs; `path` may be left out. */
export function routes(max: number): Kind<Route[]> {
  const allowed = `a list of at most ${max} tables { host, path }`;
  const entry = v.strictObject({ host: host().schema, path: v.optional(path().schema, "/") }, allowed);
  return { allowed, schema: v.pipe(v.array(entry, allowed), v.maxLength(max, allowed)) };
}

export function networks(max: number): Kind<string[]> {
  const allowed = `a list of at most ${max} networks such as "192.0.2.0/24" or "2001:db8::/32"`;
  const entry = checkedText(allowed, (cidr) => {
    const problem = networkProblem(cidr);
    return problem === null ? { ok: true, value: cidr } : { ok: false, problem };
  });
  return { allowed, schema: v.pipe(v.array(entry.schema, allowed), v.maxLength(max, allowed)) };
}

/** Origins as browsers write them. */
export function origins(max: number): Kind<string[]> {
  const allowed = `a list of at most ${max} origins such as "https://app.example.com": scheme, host and port, no path, no "*"`;
  const entry = checkedText(allowed, (given) => {
    // They become words of header lines: whatever could end one there is no host of anybody.
    const url = /^https?:\/\/[^\s/?#@*]+\/?$/i.test(given) && URL.canParse(given) ? new URL(given) : null;
    return url === null || !/^https?:\/\/[a-z0-9.:[\]_-]+$/.test(url.origin)
      ? { ok: false, problem: allowed }
      : { ok: true, value: url.origin };
  });
  return { allowed, schema: v.pipe(v.array(entry.schema, allowed), v.maxLength(max, allowed)) };
}

/** A name as in headers, cookies and claims; `""` = none. */
export function name(example: string): Kind<string> {
  const allowed = `a name such as ${JSON.stringify(example)}: letters, digits, "-", "_" or ".", at most 128, or "" for none`;
  return { allowed, schema: v.pipe(v.string(allowed), v.regex(/^[A-Za-z0-9_.-]{0,128}$/, allowed)) };
}

/** An address that secrets or keys may be fetched from; `""` = none. Plain http only on this computer. */
export function secureUrl(): Kind<string> {
  const allowed = 'an address such as "https://login.example.com/jwks.json" (http:// only for this computer), or "" for none';
  return {
    allowed,
    schema: v.pipe(
      v.string(allowed),
      v.maxLength(512, allowed),
      v.check((url) => url === "" || isSecure(url), allowed),
    ),
  };
}

/** Where people are sent: a path of the site or an https address; `""` = nowhere. */
export function place(): Kind<string> {
  const allowed = 'a path such as "/login" or an address such as "https://login.example.com/", or "" for none';
  const isPlace = (text: string) => text === "" || /^\/(?![/\\])[\x21-\x7e]*$/.test(text) || isSecure(text);
  return { allowed, schema: v.pipe(v.string(allowed), v.maxLength(512, allowed), v.check(isPlace, allowed)) };
}

function isSecure(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isHere = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return username === "" && password === "" && (protocol === "https:" || isHere);
}

/** A domain that the cookies of all of a room's hosts are set for; `""` = each host its own. */
export function cookieDomain(): Kind<string> {
  return checkedText('a domain such as "example.com" that all hosts of the room belong to, or "" for none', (given) => {
    if (given === "") return { ok: true, value: given };
    const read = readHost(given);
    if (read.ok && (!read.value.includes(".") || /^[\d.]+$|^\[/.test(read.value))) {
      return { ok: false, problem: "a domain with at least one dot, not an address" };
    }
    return read;
  });
}
