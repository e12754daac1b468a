/**
 * Tokens of the admin API in the object that keeps them. Synchronous, inside a transaction; no clock or randomness. Of a token only the hash
 * of its secret is here.
 */
import type { Actor, AdminResult, Caller } from "../src/core/admin";
import { type AdminToken, TOKENS_MAX, type TokenGrant, type TokenOrder } from "../src/core/admin-tokens";
import { once } from "./once";
import { authorOf } from "./operate";
import type { Sql } from "./schema";
import { StoredActs } from "./stored-acts";

/** Those that have ended are kept for the record while they are among the newest so many of all. */
const KEPT = 1_000;

/** Times in ms. */
interface StoredToken extends TokenOrder {
  readonly id: number;
  /** SHA-256 of the secret, hex. */
  readonly hash: string;
  readonly madeAt: number;
  readonly madeBy: Actor;
  readonly revoked: { readonly at: number; readonly by: Actor } | null;
}

export class Tokens {
  readonly #sql: Sql;
  readonly acts: StoredActs;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.acts = new StoredActs(sql);
  }

  /** @param hash of its secret, which stays with whoever asks */
  make({ label, role, expiresAtMs }: TokenOrder, hash: string, by: Caller, now: number): AdminResult<AdminToken> {
    return once(this.acts, by, now, () => {
      const tokens = this.#all();
      if (tokens.filter((token) => stateOf(token, now) === "live").length >= TOKENS_MAX)
        return { as: "invalid", problems: [{ setting: "label", problem: `would be live token ${TOKENS_MAX + 1}: revoke some first` }] };
      const id = (tokens[0]?.id ?? 0) + 1;
      const token = { id, label, role, expiresAtMs, hash, madeAt: now, madeBy: authorOf(by), revoked: null };
      this.#save(token);
      for (const old of tokens.slice(KEPT - 1)) if (stateOf(old, now) !== "live") this.#sql.exec("DELETE FROM tokens WHERE id = ?", old.id);
      this.#audit("token made", by, now, {}, { token: id, label, role });
      return { as: "ok", value: shown(token, now) };
    });
  }

  /** Newest first. */
  list(now: number): AdminToken[] {
    return this.#all().map((token) => shown(token, now));
  }

  /** From the next request on it counts no more. Doing it again changes nothing. */
  revoke(id: number, by: Caller, now: number): AdminResult<AdminToken> {
    const token = this.#all().find((each) => each.id === id);
    if (token === undefined) return { as: "unknown-token" };
    if (stateOf(token, now) !== "live") return { as: "ok", value: shown(token, now) };
    const revoked = { ...token, revoked: { at: now, by: authorOf(by) } };
    this.#save(revoked);
    this.#audit("token revoked", by, now, { token: id, label: token.label, role: token.role }, {});
    return { as: "ok", value: shown(revoked, now) };
  }

  /** null = it does not count: unknown, revoked or expired. */
  check(id: number, hash: string, now: number): TokenGrant | null {
    const row = this.#sql.exec<{ token: string }>("SELECT token FROM tokens WHERE id = ?", id).toArray()[0];
    const token = row === undefined ? null : (JSON.parse(row.token) as StoredToken);
    // Hashes of secrets at random: comparing them tells nobody anything.
    if (token === null || token.hash !== hash || stateOf(token, now) !== "live") return null;
    return { label: token.label, role: token.role, expires_at: new Date(token.expiresAtMs).toISOString() };
  }

  #audit(action: string, by: Caller, now: number, before: object, after: object): void {
    const { name: actor, reason, role } = by;
    console.log(JSON.stringify({ event: "act", action, actor, role, reason }));
    this.acts.audit(now, { actor, role, action, reason, revision: 0, before: { ...before }, after: { ...after } });
  }

  #all(): StoredToken[] {
    const rows = this.#sql.exec<{ token: string }>("SELECT token FROM tokens ORDER BY id DESC");
    return rows.toArray().map(({ token }) => JSON.parse(token) as StoredToken);
  }

  #save(token: StoredToken): void {
    this.#sql.exec("INSERT OR REPLACE INTO tokens (id, token) VALUES (?, ?)", token.id, JSON.stringify(token));
  }
}

function stateOf({ revoked, expiresAtMs }: StoredToken, now: number): AdminToken["state"] {
  if (revoked !== null) return "revoked";
  return now < expiresAtMs ? "live" : "expired";
}

function shown(token: StoredToken, now: number): AdminToken {
  const { id, label, role, madeAt, madeBy, expiresAtMs, revoked } = token;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    id,
    label,
    role,
    state: stateOf(token, now),
    made_at: iso(madeAt),
    made_by: madeBy,
    expires_at: iso(expiresAtMs),
    revoked_at: revoked && iso(revoked.at),
    revoked_by: revoked?.by ?? null,
  };
}
