/**
 * Bypass rules of a Cloudflare waiting room as ours (`bypass_rules`). Pure. An alternative of an expression becomes one rule, or none:
 * a condition that cannot be expressed takes its whole alternative along, since a rule without it would let more through than was meant.
 */
import { alternativesOf, NotRead } from "./cf-expression.mjs";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const DESCRIPTION_MAX = 256;

/**
 * @param hosts the room's, to know which conditions on the host say nothing
 * @returns `{ rules, leftOut: [{ what, why }], remarks: [text] }`
 */
export function rulesFrom(list, hosts) {
  const rules = [];
  const leftOut = [];
  const remarks = new Set();
  for (const [i, rule] of list.entries()) {
    const what = `rule ${i + 1}${rule.description ? ` (${rule.description})` : ""}: ${rule.expression ?? ""}`;
    const refuse = (why, part = "") => leftOut.push({ what: `${what}${part}`, why });
    if ((rule.action ?? "bypass_waiting_room") !== "bypass_waiting_room") refuse(`its action ${rule.action} is not known`);
    else if (rule.enabled === false || rule.status === "disabled") refuse("it is switched off");
    else {
      try {
        for (const alternative of alternativesOf(String(rule.expression ?? ""))) {
          const made = ruleOf(alternative, hosts, remarks);
          if (typeof made === "string") refuse(made, ` — ${alternative.map(shown).join(" and ")}`);
          else rules.push({ ...made, ...(rule.description ? { description: oneLine(rule.description) } : {}) });
        }
      } catch (error) {
        if (!(error instanceof NotRead)) throw error;
        refuse(`the expression ${error.message}`);
      }
    }
  }
  return { rules, leftOut, remarks: [...remarks] };
}

function oneLine(text) {
  return String(text)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, DESCRIPTION_MAX);
}

function shown({ field, is, value, not }) {
  const told = value === null ? field : `${field} ${is} ${JSON.stringify(value)}`;
  return not ? `not (${told})` : told;
}

/** One rule in which all conditions hold, or why there is none. */
function ruleOf(conditions, hosts, remarks) {
  const rule = {};
  for (const condition of conditions) {
    const part = partOf(condition, hosts, remarks);
    if (typeof part === "string") return part;
    for (const [name, value] of Object.entries(part)) {
      if (name === "methods" && rule.methods !== undefined) rule.methods = rule.methods.filter((method) => value.includes(method));
      else if (rule[name] !== undefined && JSON.stringify(rule[name]) !== JSON.stringify(value)) return `it has two conditions on ${name}`;
      else rule[name] = value;
    }
  }
  if (rule.methods?.length === 0) return "no method meets it";
  return Object.keys(rule).length === 0 ? "it would let everything through" : rule;
}

/** What a condition asks of our rule, or why it cannot be said. */
function partOf(condition, hosts, remarks) {
  const { field, is, not } = condition;
  const values = [condition.value].flat();
  const isOne = (is === "eq" && !not) || (is === "ne" && not);
  switch (field) {
    case "http.request.uri.path":
      return pathOf(condition, isOne, remarks);
    case "ip.src":
      if (not || !(is === "eq" || is === "in")) return "our rules take addresses in networks only, not outside of them";
      if (values.some((value) => String(value).startsWith("$")))
        return "it asks for a list of your account: write its addresses out as networks";
      if (values.some((value) => String(value).includes(".."))) return "ranges of addresses are not known: write them as networks";
      return { networks: values };
    case "http.request.method": {
      const isSet = is === "eq" || is === "in";
      if (!isSet && is !== "ne") return "methods are compared as a whole only";
      const wanted = values.map((value) => String(value).toUpperCase());
      return { methods: METHODS.filter((method) => wanted.includes(method) === (isSet !== not)) };
    }
    case "http.host": {
      const named = values.map((value) => String(value).toLowerCase());
      if ((isOne || (is === "in" && !not)) && hosts.every((host) => named.includes(host))) return {};
      return "our rules hold on every host of the room: give that host a room of its own";
    }
    case "http.cookie":
      if (is !== "contains" || not) return "cookies are asked for by name, or by name and value";
      return cookieOf(String(condition.value), remarks);
    case "cf.client.bot":
    case "cf.bot_management.verified_bot":
      if (not || is !== "true") return "our rules take verified bots only, not everybody else";
      remarks.add("verified_bot needs Cloudflare's Bot Management, also where the expression asked for cf.client.bot");
      return { verified_bot: true };
    default:
      return cookieFieldOf(condition, isOne) ?? `our rules know nothing of ${field}`;
  }
}

function pathOf({ is, value, not }, isOne, remarks) {
  const text = String(value);
  if (isOne) {
    remarks.add("a path that must be equal also meets its spelling with a slash at the end");
    return { path: text, exact: true };
  }
  if (not) return "our rules open paths, and cannot take one out: name the paths that are meant";
  if (is === "starts_with") {
    if (!text.endsWith("/")) remarks.add("a beginning of a path ends at a segment here: /api opens /api and /api/…, not /apikeys");
    else if (text.length > 1) remarks.add("a path that begins with /api/ opens /api itself, too");
    return { path: text };
  }
  if ((is === "wildcard" || is === "strict wildcard") && /^[^*]*\/\*$/.test(text)) {
    if (is === "wildcard") remarks.add("wildcard ignores upper and lower case at Cloudflare; our rules do not");
    return { path: text.slice(0, -1) };
  }
  return "paths are compared as a whole or by their beginning only";
}

function cookieOf(text, remarks) {
  const [, name, value] = /^([^=;\s"]+)(?:=([^;\s"]*))?$/.exec(text) ?? [];
  if (name === undefined) return "it is no name of a cookie, nor a name with a value";
  remarks.add("cookies are compared by their whole name and value, not by a part of the header");
  return value ? { cookie: name, cookie_value: value } : { cookie: name };
}

/** `http.request.cookies["name"][0] eq "value"`; null = another field. */
function cookieFieldOf({ field, value }, isOne) {
  const name = /^http\.request\.cookies\["([^"]+)"\]\["(?:0|\*)"\]$/.exec(field)?.[1];
  if (name === undefined) return null;
  return isOne ? { cookie: name, cookie_value: String(value) } : "cookies are asked for by name, or by name and value";
}
