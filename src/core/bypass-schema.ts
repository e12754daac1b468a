/**
 * The tables of `bypass_rules`: which requests go to the site without a place (DESIGN §5.4). What is allowed, and the same rules as every
 * part reads them. Pure.
 */
import * as v from "valibot";
import { readPath } from "./operator-text";
import { checkedText, type Kind, networks, text } from "./settings-kinds";
import type { BypassRule } from "./settings-types";

/** Most rules of a room, and characters of each text in them (W10). */
const BYPASS_RULES_MAX = 100;
const TEXT_MAX = 256;

/** Never TRACE and its like, which no rule opens. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** One rule as the operator writes it; at least one condition, all of them must hold. */
export interface BypassTable {
  path?: string | undefined;
  exact?: boolean | undefined;
  methods?: (typeof METHODS)[number][] | undefined;
  networks?: string[] | undefined;
  signed_by?: string | undefined;
  token_of?: string | undefined;
  cookie?: string | undefined;
  cookie_value?: string | undefined;
  verified_bot?: true | undefined;
  description?: string | undefined;
}

const CONDITIONS = ["path", "methods", "networks", "signed_by", "token_of", "cookie", "verified_bot"] as const;
const KEY_NAME = /^[a-z0-9-]{1,32}$/;
const COOKIE_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

function pattern(allowed: string, shape: RegExp): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(allowed), v.regex(shape, allowed));
}

/** Up to 100 rules. */
export function bypassRules(): Kind<BypassTable[]> {
  const allowed = `a list of at most ${BYPASS_RULES_MAX} tables, each a rule; see below`;
  const longPath = `a path of at most ${TEXT_MAX} characters`;
  const path = checkedText(longPath, (given) => (given.length > TEXT_MAX ? { ok: false, problem: longPath } : readPath(given)));
  const keyName = pattern("the name of a key in the secret BYPASS_KEYS: 1 to 32 of a–z, 0–9 and -", KEY_NAME);
  const methods = `a list of ${METHODS.join(", ")}`;
  const table = v.strictObject(
    {
      path: v.optional(path.schema),
      exact: v.optional(v.boolean("true or false")),
      methods: v.optional(v.pipe(v.array(v.picklist(METHODS, methods), methods), v.minLength(1, methods))),
      networks: v.optional(v.pipe(networks(64).schema, v.minLength(1, "a list of at least one network, or left out"))),
      signed_by: v.optional(keyName),
      token_of: v.optional(keyName),
      cookie: v.optional(pattern("the name of a cookie of the site, at most 128 characters", COOKIE_NAME)),
      cookie_value: v.optional(
        v.pipe(
          pattern("a value as cookies carry it", COOKIE_VALUE),
          v.minLength(1, "1 to 256 characters"),
          v.maxLength(TEXT_MAX, "1 to 256 characters"),
        ),
      ),
      verified_bot: v.optional(v.literal(true, "true, or left out")),
      description: v.optional(text(TEXT_MAX, false).schema),
    },
    "a table with path, exact, methods, networks, signed_by, token_of, cookie, cookie_value, verified_bot and description, any of them left out",
  );
  const entry = v.pipe(
    table,
    v.check(
      (rule) => CONDITIONS.some((name) => rule[name] !== undefined),
      "a table with at least one condition: an empty rule would open the whole room",
    ),
    v.check((rule) => rule.exact === undefined || rule.path !== undefined, "a table with path, where it has exact"),
    v.check((rule) => rule.cookie_value === undefined || rule.cookie !== undefined, "a table with cookie, where it has cookie_value"),
    v.check(
      (rule) => rule.cookie === undefined || !isOurs(rule.cookie),
      "a table with a cookie of the site: our own cookies open nothing by a rule",
    ),
  );
  return { allowed, schema: v.pipe(v.array(entry, allowed), v.maxLength(BYPASS_RULES_MAX, allowed)) };
}

function isOurs(cookie: string): boolean {
  return /^(?:__Host-|__Secure-)?vestibule[.-]/.test(cookie);
}

/** The same rule with every condition named; null = it does not ask for that. */
export function toBypassRule(table: BypassTable): BypassRule {
  const { path, exact = false, methods, networks: list, signed_by: signedBy, token_of: tokenOf, cookie, cookie_value: value } = table;
  return {
    path: path ?? null,
    exact,
    methods: methods ?? null,
    networks: list ?? null,
    signedBy: signedBy ?? null,
    tokenOf: tokenOf ?? null,
    cookie: cookie === undefined ? null : { name: cookie, value: value ?? null },
    verifiedBot: table.verified_bot === true,
  };
}

/** For docs/settings.md: what each part of a rule asks for. */
export const BYPASS_DOC: readonly (readonly [name: string, meaning: string])[] = [
  [
    "path",
    "The request's path is this one or below it: the same letters in the same case, in the one spelling of the address that reaches the site. What servers read in several ways matches no rule.",
  ],
  ["exact", "`true`: this path alone, with or without a slash at its end."],
  ["methods", "One of these methods."],
  ["networks", "The client's address is in one of these networks."],
  ["signed_by", "The header `Vestibule-Bypass` carries a signature by this key of the secret `BYPASS_KEYS`."],
  [
    "token_of",
    "The header `Vestibule-Bypass-Token` is this key of the secret `BYPASS_KEYS` itself: for senders that can only set a header.",
  ],
  ["cookie", "The site's cookie of this name comes along. By name alone anybody can send it."],
  ["cookie_value", "… with exactly this value."],
  ["verified_bot", "Cloudflare's Bot Management says that it is a verified bot (Enterprise); never by user agent."],
  ["description", "For people."],
];
