/**
 * Which bypass rules a request meets, but for secrets, which the shell checks (src/gate/bypass.ts). Pure; linear in rules and path.
 *
 * A room covers a path by every reading that a server may have of it; a rule opens it by one only: octet for octet in the spelling that is
 * forwarded, and no ambiguous path at all. So no rule for `/robots.txt` opens what some server takes for `/checkout` (G8).
 */
import { type CanonicalUrl, decodedText } from "./canonical-url";
import { compileNetworks, contains, type NetworkList } from "./network";
import type { BypassRule } from "./settings-types";

/** What a rule asks of a request, as far as it can be seen without a secret. */
export interface BypassFacts {
  readonly url: Pick<CanonicalUrl, "path" | "ambiguous">;
  readonly method: string;
  /** The client's address; null = not known, in no network. */
  readonly ip: string | null;
  readonly verifiedBot: boolean;
  /** Values of the site's cookie of this name. */
  readonly cookie: (name: string) => readonly string[];
}

export interface CompiledRule {
  readonly rule: BypassRule;
  /** In one spelling. */
  readonly path: string | null;
  readonly networks: NetworkList | null;
}

/** Compiles validated rules, once for each revision of the settings. */
export function compileRules(rules: readonly BypassRule[]): readonly CompiledRule[] {
  return rules.map((rule) => ({
    rule,
    path: rule.path === null ? null : spelled(rule.path),
    networks: rule.networks === null ? null : compileNetworks(rule.networks),
  }));
}

/** The rules that hold for this request if the secrets they ask for are shown too, in order. */
export function rulesFor(rules: readonly CompiledRule[], facts: BypassFacts): BypassRule[] {
  if (facts.url.ambiguous) return [];
  if (climbsWhenFolded(facts.url.path)) return [];
  const asked = spelled(facts.url.path);
  return rules.filter((compiled) => holds(compiled, asked, facts)).map(({ rule }) => rule);
}

/**
 * Has the path dot segments once wide and joined forms of `.`, `/` and `\` are folded into those (NFKC), as some servers do? No reading
 * by which a room covers a path, since names may hold such characters.
 */
function climbsWhenFolded(path: string): boolean {
  if (!path.includes("%")) return false;
  return /[/\\]\.{1,2}(?:[/\\;]|$)/.test((decodedText(path) ?? "/.").normalize("NFKC"));
}

function holds({ rule, path, networks }: CompiledRule, asked: string, { method, ip, verifiedBot, cookie }: BypassFacts): boolean {
  const { exact, methods } = rule;
  return (
    (methods === null || methods.includes(method)) &&
    (path === null || lies(asked, path, exact)) &&
    (networks === null || (ip !== null && contains(networks, ip))) &&
    (!rule.verifiedBot || verifiedBot) &&
    (rule.cookie === null || cookie(rule.cookie.name).length > 0)
  );
}

/** Is `path` the rule's, or below it? Ends at a segment boundary. Both canonical; only the case of escapes' digits does not matter. */
export function pathHolds(rulePath: string, exact: boolean, path: string): boolean {
  return lies(spelled(path), spelled(rulePath), exact);
}

function lies(asked: string, rule: string, exact: boolean): boolean {
  const below = rule === "/" ? "/" : `${rule}/`;
  return asked === rule || (exact ? asked === below : asked.startsWith(below));
}

function spelled(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase());
}

/** Does the rule ask for something that not everybody can show? A cookie's name alone is nothing of that kind. */
export function isForKnownSenders({ networks, signedBy, tokenOf, cookie, verifiedBot }: BypassRule): boolean {
  return networks !== null || signedBy !== null || tokenOf !== null || verifiedBot || (cookie !== null && cookie.value !== null);
}

/** May anybody at all load this page by the rule? */
export function letsAnybodyRead(rule: BypassRule, path: string): boolean {
  const { methods, cookie } = rule;
  if (isForKnownSenders(rule) || cookie !== null || (methods !== null && !methods.includes("GET"))) return false;
  return rule.path === null || pathHolds(rule.path, rule.exact, path);
}

/** Names of keys in BYPASS_KEYS that the rules ask for. */
export function bypassKeysOf(rules: readonly BypassRule[]): ReadonlySet<string> {
  return new Set(rules.flatMap(({ signedBy, tokenOf }) => [signedBy ?? [], tokenOf ?? []].flat()));
}
