/**
 * A visitor: a browser's cookie jar and its habits, without the browser. One jar each.
 * Node only. Knows cookies and navigations, nothing of Vestibule's own names.
 */
import { type SendInit, send } from "./http";

export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Attribute names in lower case; a flag has the value "". */
  readonly attributes: ReadonlyMap<string, string>;
}

export type Transport = (url: URL, init: SendInit) => Promise<Response>;

export interface VisitorOptions {
  /** How requests travel; default: plain HTTP to the URL's own address. Give `worker.fetch` for https or another host. */
  readonly transport?: Transport;
  /** Sent with every request (User-Agent, CF-Connecting-IP, …). */
  readonly headers?: Readonly<Record<string, string>>;
  /** false = a browser with cookies switched off. */
  readonly keepsCookies?: boolean;
}

export const NAVIGATION = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "none",
  "Sec-Fetch-User": "?1",
};

/** Parses one Set-Cookie line. */
export function parseSetCookie(line: string): Cookie {
  const [pair = "", ...rest] = line.split(";");
  const [name, value] = splitOnce(pair);
  return { name, value, attributes: new Map(rest.map(splitOnce).map(([key, text]) => [key.toLowerCase(), text])) };
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf("=");
  return at < 0 ? [text.trim(), ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

export class Visitor {
  readonly cookies = new Map<string, Cookie>();
  /** Every Set-Cookie line ever received, oldest first. */
  readonly setCookieLines: string[] = [];
  readonly base: URL;
  readonly #options: VisitorOptions;

  constructor(base: URL | string, options: VisitorOptions = {}) {
    this.base = new URL(base);
    this.#options = options;
  }

  /** Somebody who copied this visitor's cookies: an equal jar that goes its own way from here. */
  copy(headers: Readonly<Record<string, string>> = {}): Visitor {
    const other = new Visitor(this.base, { ...this.#options, headers: { ...this.#options.headers, ...headers } });
    for (const [name, cookie] of this.cookies) other.cookies.set(name, cookie);
    return other;
  }

  /** What the Cookie header would be for this URL; "" = no header. Secure cookies go over https only. */
  cookieHeader(url: URL = this.base): string {
    const fit = [...this.cookies.values()].filter((cookie) => url.protocol === "https:" || !cookie.attributes.has("secure"));
    return fit.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  /** One request with the jar's cookies; keeps what comes back. Redirects are not followed. */
  async fetch(path: string | URL, init: SendInit = {}): Promise<Response> {
    const url = new URL(path, this.base);
    const cookie = this.cookieHeader(url);
    const headers = { ...this.#options.headers, ...(cookie ? { Cookie: cookie } : {}), ...init.headers };
    const transport = this.#options.transport ?? send;
    const response = await transport(url, { ...init, headers });
    this.#keep(response);
    return response;
  }

  /** A navigation as a browser makes it: GET for a document, redirects on the same origin followed (at most `maxRedirects`). */
  async navigate(path: string | URL, init: SendInit = {}, maxRedirects = 5): Promise<Response> {
    let url = new URL(path, this.base);
    let response = await this.fetch(url, { ...init, headers: { ...NAVIGATION, ...init.headers } });
    for (let i = 0; i < maxRedirects && response.status >= 300 && response.status < 400; i++) {
      const location = response.headers.get("Location");
      if (location === null || new URL(location, url).origin !== url.origin) return response;
      await response.body?.cancel();
      url = new URL(location, url);
      const again = response.status === 307 || response.status === 308 ? init : { headers: init.headers ?? {} };
      response = await this.fetch(url, { ...again, headers: { ...NAVIGATION, ...init.headers } });
    }
    return response;
  }

  #keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      this.setCookieLines.push(line);
      if (this.#options.keepsCookies === false) continue;
      const cookie = parseSetCookie(line);
      const maxAge = cookie.attributes.get("max-age");
      const gone = maxAge !== undefined ? Number(maxAge) <= 0 : Date.parse(cookie.attributes.get("expires") ?? "") < Date.now();
      if (gone) this.cookies.delete(cookie.name);
      else this.cookies.set(cookie.name, cookie);
    }
  }
}
