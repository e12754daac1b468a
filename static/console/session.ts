/** Who is signed in: the token lives in this tab's sessionStorage and nowhere else. Knows no screen. */
import type { Role } from "../../src/core/admin-routes";

export interface Me {
  readonly name: string;
  readonly role: Role;
  readonly via: "admin-token" | "token" | "access";
  readonly expires_at: string | null;
}

const KEY = "vestibule-admin-token";
const ORDER: readonly Role[] = ["viewer", "operator", "admin"];

export function may(me: Me, role: Role): boolean {
  return ORDER.indexOf(me.role) >= ORDER.indexOf(role);
}

/** Storage may be off: then the token holds until the page is left. */
export function keepToken(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, token);
  } catch {}
}

export function keptToken(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
