/**
 * What is doubtful about a room's bypass rules: shadowed, unsafe or overly broad ones. Pure. Each warning reads after "bypass_rules.<n>";
 * people count from 1.
 */
import type { Warning } from "./admin";
import { isForKnownSenders, pathHolds } from "./bypass";
import type { BypassRule, RoomSettings } from "./settings-types";

/** A network of more addresses than this is no single sender: wider than an IPv4 /16 or an IPv6 /32. */
const NETWORK_MIN_BITS = { 4: 16, 6: 32 } as const;
/** Words in a path that speak of the sale itself … */
const SALE = /^(?:checkout|cart|basket|buy|order|orders|purchase|reserve|booking|tickets?|sale|drop|queue)$/i;
/** … and of calls from one server to another. */
const CALLBACK = /^(?:web-?hooks?|hooks?|callbacks?|notif(?:y|ications?)|ipn|return)$/i;

export function lintBypassRules({ bypassRules: rules, routes }: Pick<RoomSettings, "bypassRules" | "routes">): Warning[] {
  return rules.flatMap((rule, i) => {
    const shadow = rules.findIndex((earlier, j) => j < i && isWithin(rule, earlier));
    const found = shadow >= 0 ? [`is never reached: rule ${shadow + 1} lets through all that it would`] : doubtsOf(rule, routes);
    return found.map((warning) => ({ setting: `bypass_rules.${i + 1}`, warning }));
  });
}

function doubtsOf(rule: BypassRule, routes: RoomSettings["routes"]): string[] {
  const { path, methods, cookie, networks, signedBy, tokenOf } = rule;
  const known = isForKnownSenders(rule);
  const at = path ?? "/";
  const paths = [...new Set(routes.map((route) => route.path))];
  const lower = at.toLowerCase();
  const inside = paths.filter((own) => pathHolds(own.toLowerCase(), false, lower));
  if (path !== null && inside.length === 0 && !paths.some((own) => covers(rule, own)))
    return ["never applies: its path lies outside the room"];

  const doubts: string[] = [];
  if (!known && cookie !== null)
    doubts.push("asks for a cookie by name alone, which anybody can send: ask for its value, a network or a key too");
  const whole = paths.filter((own) => covers(rule, own));
  if (!known && whole.length > 0) {
    doubts.push(`opens ${whole.join(", ")}, the room's own path, to everybody who meets it: there would be no line`);
  } else if (!known && isOfTheSale(at)) {
    doubts.push("reads like a part of the sale itself, and asks for nothing that not everybody can show");
  }
  if (!known && methods === null && cookie === null && whole.length === 0)
    doubts.push("opens its path to every method: name the methods that are meant, such as GET for files or POST for a webhook");
  const wide = (networks ?? []).filter(isWide);
  if (wide.length > 0 && signedBy === null && tokenOf === null && !rule.verifiedBot)
    doubts.push(`takes ${wide.join(", ")} for known senders: so many addresses belong to anybody`);
  if (signedBy !== null && signedBy === tokenOf)
    doubts.push("sends the key itself along with what the key signs: whoever reads the one can make the other");
  return doubts;
}

/** Does the rule's path hold the whole of a room's path? */
function covers({ path, exact }: BypassRule, own: string): boolean {
  return path === null || pathHolds(path.toLowerCase(), exact, own.toLowerCase());
}

function isOfTheSale(path: string): boolean {
  const segments = path.split("/");
  return segments.some((segment) => SALE.test(segment)) && !segments.some((segment) => CALLBACK.test(segment));
}

function isWide(cidr: string): boolean {
  const [, bits] = cidr.split("/");
  return bits !== undefined && Number(bits) < NETWORK_MIN_BITS[cidr.includes(":") ? 6 : 4];
}

/** Does `outer` let through whatever `inner` does? Networks are compared as they are written. */
function isWithin(inner: BypassRule, outer: BypassRule): boolean {
  const within = <T>(a: readonly T[] | null, b: readonly T[] | null) => b === null || (a?.every((each) => b.includes(each)) ?? false);
  const same = <T>(a: T | null, b: T | null) => b === null || a === b;
  const path =
    outer.path === null || (inner.path !== null && pathHolds(outer.path, outer.exact, inner.path) && (!outer.exact || inner.exact));
  const cookie =
    outer.cookie === null ||
    (inner.cookie?.name === outer.cookie.name && (outer.cookie.value === null || inner.cookie.value === outer.cookie.value));
  return (
    path &&
    cookie &&
    within(inner.methods, outer.methods) &&
    within(inner.networks, outer.networks) &&
    same(inner.signedBy, outer.signedBy) &&
    same(inner.tokenOf, outer.tokenOf) &&
    (!outer.verifiedBot || inner.verifiedBot)
  );
}
