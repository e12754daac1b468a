/**
 * What a request target means to sites of many makes: the judge of tests about getting past the gate. Independent of our code on purpose.
 * Pure; knows nothing of Vestibule.
 */

export interface Site {
  /** How often escapes are undone before the target is routed. */
  readonly decodings: 0 | 1 | 2;
  /** Parameters (`;x`) are cut off before dot segments are resolved. */
  readonly parametersFirst: boolean;
  /** Dot segments are resolved after each decoding too. */
  readonly resolvesBetween: boolean;
  /** The path ends at a NUL. */
  readonly endsAtNul: boolean;
  /** The query is split off after decoding, as by sites that decode the whole target first. */
  readonly splitsLate: boolean;
}

const either = [false, true] as const;
export const sites: readonly Site[] = ([0, 1, 2] as const).flatMap((decodings) =>
  either.flatMap((parametersFirst) =>
    either.flatMap((resolvesBetween) =>
      either.flatMap((endsAtNul) => either.map((splitsLate) => ({ decodings, parametersFirst, resolvesBetween, endsAtNul, splitsLate }))),
    ),
  ),
);

export type Decodings = Site["decodings"];

/**
 * How often must a site decode to serve `target` as the page `/first` or something below it? All numbers of decodings for which some
 * site does. `first` in lower case.
 */
export function servedAs(target: string, first: string): Set<Decodings> {
  return new Set(sites.filter((site) => segmentsOf(target, site)[0] === first).map((site) => site.decodings));
}

/** The names that the site looks up, in lower case. */
export function segmentsOf(target: string, site: Site): string[] {
  let text = pathOf(target);
  for (let i = 0; i < site.decodings; i++) {
    text = decoded(text);
    if (site.resolvesBetween) text = `/${resolved(text.split(/[/\\]/)).join("/")}`;
  }
  if (site.splitsLate) text = text.split(/[?#]/, 1)[0] ?? "";
  if (site.endsAtNul) text = text.split("\0", 1)[0] ?? "";
  const segments = text.split(/[/\\]/);
  const read = resolved(site.parametersFirst ? segments.map((segment) => segment.split(";", 1)[0] ?? "") : segments);
  const last = read.findIndex((segment) => MAY_BE_QUERY.test(segment));
  return (last < 0 ? read : read.slice(0, last + 1)).map(nameOf).filter((name) => name !== "");
}

/** No site has pages below a name with one of these in it. */
const MAY_BE_QUERY = /[?#]|%3f|%23/i;

/** The path of a target in any form that RFC 9112 §3.2 knows. */
function pathOf(target: string): string {
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  return path.split(/[?#]/, 1)[0] ?? "";
}

/** One level of escapes undone: as UTF-8, or else octet by octet. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const octets = Buffer.from(run.replaceAll("%", ""), "hex");
    const utf8 = octets.toString("utf8");
    return utf8.includes("\ufffd") ? octets.toString("latin1") : utf8;
  });
}

/** No site keeps a page of its own under a name that differs only in case, composition, parameters, what may be a query, dots or blanks at the end. */
function nameOf(segment: string): string {
  const cut = segment.split(/[;?#]|%3b|%3f|%23/i, 1)[0] ?? "";
  return cut
    .replace(/(?:[.\s]|%20|%09|%0a)+$/i, "")
    .normalize("NFC")
    .toLowerCase();
}

function resolved(segments: readonly string[]): string[] {
  const out: string[] = [];
  for (const segment of segments) {
    if (segment === "..") out.pop();
    else if (segment !== "." && segment !== "") out.push(segment);
  }
  return out;
}
