/**
 * `[vars.ACCESS]`: Cloudflare Access in front of the admin API, whose log-in says who somebody is. Reading it, and which role an address
 * has. Pure.
 */
import { ROLES, type Role } from "./admin-routes";
import { describe } from "./operator-text";
import type { Problem } from "./settings";
import { isTable } from "./settings-kinds";

export interface Access {
  /** Who signs: `https://<team>.cloudflareaccess.com`. */
  readonly issuer: string;
  readonly audience: string;
  /** By e-mail address, by `@domain`, or `*`; lower case. */
  readonly roles: ReadonlyMap<string, Role>;
}

export type ReadAccess = { readonly ok: true; readonly value: Access | null } | { readonly ok: false; readonly problems: Problem[] };

const KNOWN = ["team_domain", "audience", "roles"];
const PATTERN = /^(?:\*|@[a-z0-9.-]+|[^\s@]+@[a-z0-9.-]+)$/;

/** Absent or empty = there is none. */
export function readAccess(raw: unknown): ReadAccess {
  if (raw === undefined || raw === null || raw === "") return { ok: true, value: null };
  const table = typeof raw === "string" ? parsed(raw) : raw;
  if (!isTable(table)) return refuse(["ACCESS", `must be a table with ${KNOWN.join(", ")}, not ${describe(raw)}`]);
  const { team_domain: team, audience, roles } = table;
  const problems: [string, string][] = Object.keys(table)
    .filter((name) => !KNOWN.includes(name))
    .map((name) => [`ACCESS.${name}`, `is not a setting; known are ${KNOWN.join(", ")}`]);
  const issuer = issuerOf(team);
  if (issuer === null) problems.push(["ACCESS.team_domain", `must be a host such as "team.cloudflareaccess.com", not ${describe(team)}`]);
  if (typeof audience !== "string" || !/^[\x21-\x7e]{1,256}$/.test(audience))
    problems.push(["ACCESS.audience", `must be the Application Audience (AUD) tag, not ${describe(audience)}`]);
  const given = isTable(roles) ? Object.entries(roles).map(([who, role]) => [who.toLowerCase(), role] as const) : [];
  if (given.length === 0)
    problems.push(["ACCESS.roles", `must be a table such as { "ana@example.com" = "admin", "@example.com" = "viewer" }`]);
  for (const [who, role] of given) {
    if (!PATTERN.test(who)) problems.push([`ACCESS.roles.${who}`, 'is no e-mail address, "@domain" or "*"']);
    if (!isRole(role)) problems.push([`ACCESS.roles.${who}`, `must be one of ${ROLES.join(", ")}, not ${describe(role)}`]);
  }
  if (problems.length > 0 || issuer === null) return refuse(...problems);
  return { ok: true, value: { issuer, audience: audience as string, roles: new Map(given as [string, Role][]) } };
}

/** The most particular entry counts; null = this person has no business here. */
export function roleOf({ roles }: Access, email: string): Role | null {
  const who = email.toLowerCase();
  return roles.get(who) ?? roles.get(who.slice(who.lastIndexOf("@"))) ?? roles.get("*") ?? null;
}

function refuse(...problems: [string, string][]): ReadAccess {
  return { ok: false, problems: problems.map(([setting, problem]) => ({ setting, problem })) };
}

function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

/** Plain http only on this computer, for tests. */
function issuerOf(team: unknown): string | null {
  if (typeof team !== "string" || team === "") return null;
  const address = /^https?:\/\//.test(team) ? team : `https://${team}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const isSafe = url?.protocol === "https:" || url?.hostname === "127.0.0.1" || url?.hostname === "localhost";
  return url !== null && isSafe && url.href === `${url.origin}/` ? url.origin : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
