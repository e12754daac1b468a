/**
 * What kind of request is this? Reads of request headers only: no settings, no decisions.
 * Everything here is what the client says of itself; nothing here may let anybody pass.
 */

/** `read` GET, `head`, `preflight` OPTIONS, `write` anything else, `refused` methods that no site needs through a gate (G7). */
export type MethodClass = "read" | "head" | "preflight" | "write" | "refused";

const DOCUMENTS = new Set(["document", "iframe", "frame"]);
const REFUSED_METHODS = new Set(["TRACE", "TRACK", "CONNECT", "PURGE"]);
/** Form encodings that a page can offer again by a button. */
const FORM_TYPES = new Set(["application/x-www-form-urlencoded", "text/plain"]);
/** Largest form that is offered again, bytes. */
const FORM_MAX_BYTES = 65_536;
/** What a program takes in place of a page. */
const JSON_TYPES = ["application/json", "application/problem+json"];
const QUALITY = /^q *= *(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** CUBOT makes phones. */
const CRAWLER = /(?<!cu)bot\b|crawl|spider|slurp|bingpreview|facebookexternalhit|embedly|mediapartners|\+https?:\/\//i;

export function methodClass(method: string): MethodClass {
  if (method === "GET") return "read";
  if (method === "HEAD") return "head";
  if (method === "OPTIONS") return "preflight";
  return REFUSED_METHODS.has(method.toUpperCase()) ? "refused" : "write";
}

/** A GET whose answer becomes a page: by `Sec-Fetch-Dest`, or where a browser does not send it, by `Accept`. */
export function isNavigation(request: Request): boolean {
  return request.method === "GET" && wantsDocument(request.headers);
}

/** A form sent as a page load: gets a page, never has its body sent again without a check of `isResendableForm`. */
export function isFormNavigation(request: Request): boolean {
  return request.method === "POST" && wantsDocument(request.headers);
}

/** Prefetch, prerender or a link preview: nobody is looking, so it must not take a place. */
export function isPrefetch(headers: Headers): boolean {
  const purpose = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].map((name) => headers.get(name) ?? "").join(" ");
  return /prefetch|prerender|preview/i.test(purpose);
}

/** Did another site, or somebody we cannot tell, cause this request? By `Sec-Fetch-Site`, else by `Origin`; absent counts as cross-site. */
export function isCrossSite(headers: Headers, publicOrigin: string): boolean {
  const site = headers.get("Sec-Fetch-Site");
  return site === null ? headers.get("Origin") !== publicOrigin : site !== "same-origin";
}

/** May a page offer to send this form again by a button? Same origin, text or urlencoded, of a stated length of at most 64 KB. */
export function isResendableForm(request: Request, publicOrigin: string): boolean {
  const type = (request.headers.get("Content-Type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const length = request.headers.get("Content-Length") ?? "";
  const isSmall = /^\d{1,6}$/.test(length) && Number(length) <= FORM_MAX_BYTES;
  return isFormNavigation(request) && FORM_TYPES.has(type) && isSmall && !isCrossSite(request.headers, publicOrigin);
}

/** Says that it is a crawler. It gains nothing by lying: it is told to come back later. */
export function isCrawler(userAgent: string | null): boolean {
  return userAgent !== null && CRAWLER.test(userAgent);
}

/** Does a program ask for JSON? Whoever takes a page as gladly gets the page, as at Cloudflare. */
export function asksForJson(headers: Headers): boolean {
  const accepted = qualitiesOf(headers);
  const json = accepted.get("application/json") ?? 0;
  return json > 0 && json > (accepted.get("text/html") ?? 0);
}

/** A page is what nobody gets who does not name it: `*` and `text/*` are what programs send that never thought of it. */
function wantsDocument(headers: Headers): boolean {
  const destination = headers.get("Sec-Fetch-Dest");
  if (destination !== null) return DOCUMENTS.has(destination);
  const accepted = qualitiesOf(headers);
  const page = accepted.get("text/html") ?? 0;
  return page > 0 && JSON_TYPES.every((type) => (accepted.get(type) ?? 0) <= page);
}

/** The media types that `Accept` names, each with its weight, 0 to 1 (RFC 9110, 12.5.1). A weight that cannot be read counts as none given, 1. */
function qualitiesOf(headers: Headers): ReadonlyMap<string, number> {
  const ranges = (headers.get("Accept") ?? "").toLowerCase().split(",");
  return new Map(
    ranges.map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const weight = parameters.map((parameter) => QUALITY.exec(parameter)?.[1]).find((each) => each !== undefined);
      return [type, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
}
