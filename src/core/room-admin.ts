/**
 * What the Worker can ask the Room about its operation, and the object that keeps the admin API's tokens. Pure: types only.
 * `durable/room.ts` implements both.
 */
import type {
  AdminResult,
  Caller,
  Change,
  Changed,
  EventChange,
  FileUpload,
  Forecast,
  Foreseen,
  KeyRevocation,
  KeyRevoked,
  OperatorSettings,
  Restore,
  Revision,
  RoomDescription,
  SwitchName,
  SwitchResult,
} from "./admin";
import type { AdminToken, TokenGrant, TokenOrder } from "./admin-tokens";
import type { AuditEntry, LogEntry, Minute, Page } from "./audit";
import type { WebhookReport, WebhookTested } from "./news";
import type { Ban, PlaceAct, PlaceId, PlaceShown } from "./places";
import type { StaffLink, StaffLinks, StaffOrder } from "./staff";
import type { RoomStats } from "./stats";

/** Of a Room. */
export interface RoomAdmin {
  describe(): Promise<AdminResult<RoomDescription>>;
  change(change: Change): Promise<AdminResult<Changed>>;
  changeEvent(change: EventChange): Promise<AdminResult<Changed>>;
  restore(restore: Restore): Promise<AdminResult<Changed>>;
  putFile(file: FileUpload): Promise<AdminResult<Changed>>;
  foresee(what: Foreseen): Promise<AdminResult<Forecast>>;
  turn(name: SwitchName, actor: Caller, confirm: string | null): Promise<AdminResult<SwitchResult>>;
  revokeKey(revocation: KeyRevocation): Promise<AdminResult<KeyRevoked>>;
  stats(): Promise<AdminResult<RoomStats>>;
  revisions(page: Page): Promise<AdminResult<readonly Revision[]>>;
  audit(page: Page): Promise<AdminResult<readonly AuditEntry[]>>;
  log(page: Page): Promise<AdminResult<readonly LogEntry[]>>;
  /** Of the last so many minutes, oldest first. */
  series(minutes: number): Promise<AdminResult<readonly Minute[]>>;
  place(place: PlaceId): Promise<AdminResult<PlaceShown>>;
  actOnPlace(act: PlaceAct, actor: Caller): Promise<AdminResult<PlaceShown>>;
  bans(): Promise<AdminResult<readonly Ban[]>>;
  /** What was done elsewhere, for the audit log. Answers when, ms; null = a Room of an earlier version does not say. */
  noteAct(action: string, after: OperatorSettings, actor: Caller): Promise<AdminResult<number | null>>;
  makeStaffLink(order: StaffOrder, actor: Caller): Promise<AdminResult<StaffLink>>;
  staffLinks(): Promise<AdminResult<StaffLinks>>;
  revokeStaffLink(id: number, actor: Caller): Promise<AdminResult<StaffLink>>;
  webhooks(): Promise<AdminResult<readonly WebhookReport[]>>;
  testWebhook(name: string, actor: Caller): Promise<AdminResult<WebhookTested>>;
}

/** Of the object that keeps tokens: the same class, under a name that no room has. */
export interface TokenKeeper {
  makeToken(order: TokenOrder, hash: string, actor: Caller): Promise<AdminResult<AdminToken>>;
  tokens(): Promise<readonly AdminToken[]>;
  revokeToken(id: number, actor: Caller): Promise<AdminResult<AdminToken>>;
  /** null = it does not count. @param hash SHA-256 of its secret, hex */
  checkToken(id: number, hash: string): Promise<TokenGrant | null>;
  tokenAudit(page: Page): Promise<readonly AuditEntry[]>;
}
