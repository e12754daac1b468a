/**
 * Tokens of the admin API: what they are to an admin, and reading an order for one. Pure. They are kept, hashed, by one object of their own.
 */
import type { Actor } from "./admin";
import { ROLES, type Role } from "./admin-routes";
import { describe } from "./operator-text";
import { readTime } from "./rfc3339";
import type { Problem } from "./settings";

/** The object that keeps them: no room can have this name. */
export const TOKENS_OBJECT = "*admin";
/** Tokens that are live at a time. */
export const TOKENS_MAX = 200;
const LABEL_MAX = 80;
const LIFE_MAX_MS = 400 * 24 * 3_600_000;

export interface TokenOrder {
  readonly label: string;
  readonly role: Role;
  readonly expiresAtMs: number;
}

export interface AdminToken {
  readonly id: number;
  readonly label: string;
  readonly role: Role;
  readonly state: "live" | "revoked" | "expired";
  readonly made_at: string;
  readonly made_by: Actor;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly revoked_by: Actor | null;
}

/** What a token that counts lets its bearer do. */
export interface TokenGrant {
  readonly label: string;
  readonly role: Role;
  readonly expires_at: string;
}

/** Reads `label`, `role` and `expires`. All problems at once, each by its field. */
export function readTokenOrder(fields: Readonly<Record<string, unknown>>, now: number): TokenOrder | Problem[] {
  const { label, role, expires } = fields;
  const problems: Problem[] = [];
  if (typeof label !== "string" || label.trim() === "" || label.length > LABEL_MAX || /\p{Cc}/u.test(label))
    problems.push({
      setting: "label",
      problem: `must say who or what it is for, 1 to ${LABEL_MAX} characters on one line, not ${describe(label)}`,
    });
  if (!(ROLES as readonly unknown[]).includes(role))
    problems.push({ setting: "role", problem: `must be one of ${ROLES.join(", ")}, not ${describe(role)}` });
  const read = typeof expires === "string" ? readTime(expires) : null;
  const expiresAtMs = read?.ok ? read.ms : Number.NaN;
  if (!(expiresAtMs > now && expiresAtMs <= now + LIFE_MAX_MS))
    problems.push({
      setting: "expires",
      problem: `must be a time to come with its offset, at most 400 days from now, such as "2026-12-24T18:00:00+01:00", not ${describe(expires)}`,
    });
  return problems.length > 0 ? problems : { label: (label as string).trim(), role: role as Role, expiresAtMs };
}
