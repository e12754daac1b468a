/**
 * Tokens whose signature this isolate has found good, and Cookie headers that hold some: a browser shows the same ones with every request, and
 * what is signed does not change. Only that is remembered. Times, revoked keys, room and generation are judged anew each time. Nothing gets in
 * without a good signature.
 */
import { Recent } from "./core/recent";
import type { DecodedToken } from "./core/token";

export type ProvenToken = Pick<DecodedToken, "kid" | "kind" | "claims">;

/** A token as somebody shows it, whatever it is worth. */
export interface ShownToken {
  readonly text: string;
  /** What it says, once its signature was found good. */
  proven: ProvenToken | null;
}

/** The tokens of one room that a Cookie header holds, in the order sent. */
export interface ShownCookies {
  readonly place: readonly ShownToken[];
  readonly pass: readonly ShownToken[];
}

interface ShownHeader {
  /** The name by which the place was looked for: it tells room and settings. */
  readonly name: string;
  readonly cookies: ShownCookies;
}

/** In each half; about a megabyte in both. */
const TOKENS_HALF_MAX = 1_024;
/** Together three megabytes as browsers send them; about ten where somebody makes them as large as can be. */
const HEADERS_HALF_MAX = 512;
const HEADER_MAX_CHARACTERS = 3_072;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class ShownTokens {
  readonly #tokens = new Recent<string, ShownToken>(TOKENS_HALF_MAX);
  readonly #headers = new Recent<string, ShownHeader>(HEADERS_HALF_MAX);

  /** The same object where the same text was proven before. */
  of(text: string): ShownToken {
    return this.#tokens.get(text) ?? { text, proven: null };
  }

  all(texts: readonly string[]): ShownToken[] {
    return texts.map((text) => this.of(text));
  }

  /** `token` has the signature of the key that it names. */
  prove(token: ShownToken, { kid, kind, claims }: ProvenToken): void {
    token.proven = { kid, kind, claims };
    // Shown once or twice before a place follows: it would only take that of a token which comes again.
    if (kind === "visitor") return;
    // A copy: what was cut out of a Cookie header would hold on to the whole of it.
    const text = decoder.decode(encoder.encode(token.text));
    this.#tokens.put(text, { text, proven: token.proven });
  }

  /** What `header` was found to hold under this name of the place's cookie. */
  cookiesIn(header: string, name: string): ShownCookies | null {
    const known = this.#headers.get(header);
    return known?.name === name ? known.cookies : null;
  }

  /** The caller has found something good in it: headers of strangers are not worth remembering. */
  keepCookies(header: string, name: string, cookies: ShownCookies): void {
    if (header.length <= HEADER_MAX_CHARACTERS) this.#headers.put(header, { name, cookies });
  }
}
