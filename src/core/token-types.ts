/** Claims of the signed cookies of DESIGN §8. Pure: types only. Integers; times in Unix seconds. */

/** Proves that a browser kept our cookie; creates no state anywhere. */
export interface VisitorClaims {
  readonly kind: "visitor";
  readonly room: string;
  /** 22 base64url characters (128 random bits): the join's idempotency key. */
  readonly key: string;
  readonly iat: number;
  readonly exp: number;
}

/** Carries a slot. `iat` is the time of joining and survives renewal; only `exp` moves. */
export interface TicketClaims {
  readonly kind: "ticket";
  readonly room: string;
  readonly generation: number;
  readonly slot: number;
  /** The slot was drawn from this entry. */
  readonly receipt?: Receipt;
  readonly networks?: Networks;
  readonly iat: number;
  readonly exp: number;
}

/** The networks that a place was shown from, with `bind_network`: hashes of prefixes (u32), one of each address family; 0 = none yet. */
export interface Networks {
  readonly v4: number;
  readonly v6: number;
}

/** What shows that an entry was counted, and when: it outlives the entry token in the ticket that is drawn from it. */
export interface Receipt {
  readonly draw: number;
  readonly entry: number;
  /** The entries' hash after the batch that this entry came with: 43 characters of base64url. */
  readonly chain: string;
}

/** An entry into a draw, and its receipt. `iat` is the time of entering. */
export interface EntryClaims extends Receipt {
  readonly kind: "entry";
  readonly room: string;
  readonly generation: number;
  readonly iat: number;
  readonly exp: number;
}

/** Someone who is inside. Checked at the edge without any call. */
export interface PassClaims {
  readonly kind: "pass";
  readonly room: string;
  readonly generation: number;
  readonly slot: number;
  readonly serial: number;
  readonly networks?: Networks;
  readonly iat: number;
  readonly exp: number;
  /** Absolute end of the session. */
  readonly end: number;
}

/** A browser that showed an invitation: what makes its place, now and after an end through no act of its own. */
export interface DoorClaims {
  readonly kind: "door";
  readonly room: string;
  /** Whose place it is, 22 base64url characters: the subject's key, or random where the invitation names nobody. */
  readonly key: string;
  /** The invitation's id, 22 base64url characters. */
  readonly invitation: string;
  /** Places that the invitation makes. */
  readonly uses: number;
  readonly iat: number;
  readonly exp: number;
}

/** A staff link, or with a key a pass that it gave: outside the line, so of no generation. */
export interface StaffClaims {
  readonly kind: "staff";
  readonly room: string;
  /** The link's number, as the Room gave it. */
  readonly link: number;
  /** Of the browser that came by it, 22 base64url characters; null = the link itself. */
  readonly key: string | null;
  readonly iat: number;
  readonly exp: number;
}

/** Somebody whom an isolate let in by itself while the Room could not be reached. Worth nothing where the Room answers. */
export interface OpenClaims {
  readonly kind: "open";
  readonly room: string;
  /** Random, 22 base64url characters: one for each person let in. */
  readonly key: string;
  readonly iat: number;
  readonly exp: number;
  /** It is not renewed past this. */
  readonly end: number;
}

/** What somebody who was asked for proof has shown so far: worth the place of this one key, for minutes. */
export interface ProofClaims {
  readonly kind: "proof";
  readonly room: string;
  /** Of the join that it is for, 22 base64url characters. */
  readonly key: string;
  /** Cost of the work shown; 0 = none. */
  readonly work: number;
  /** Turnstile was passed, or what stood in for it while it could not be asked. */
  readonly human: boolean;
  readonly iat: number;
  readonly exp: number;
}

export type Claims = VisitorClaims | EntryClaims | TicketClaims | PassClaims | DoorClaims | StaffClaims | OpenClaims | ProofClaims;
export type TokenKind = Claims["kind"];
