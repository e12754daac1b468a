/**
 * The Room as the edge sees it: every method of its RPC surface. Pure: types only.
 * `durable/room.ts` implements it; `src` reaches it through a Durable Object stub and never imports `durable`.
 */

import type { DrawRecord, DroppedDraw, ListedBatch, PendingDraw } from "./draw";
import type { Batch, Reply } from "./exchange";
import type { RoomAdmin, TokenKeeper } from "./room-admin";
import type { RoomSettings } from "./settings-types";
import type { StaffVerdict } from "./staff";

export interface RoomConfig {
  readonly revision: number;
  readonly settings: RoomSettings;
}

export interface RoomRpc extends RoomAdmin, TokenKeeper {
  exchange(batch: Batch): Promise<Reply>;
  /** Settings in force; `revision` is the one the caller wants to know, the answer may be newer. */
  config(revision: number): Promise<RoomConfig>;
  /** The body of a file of the waiting page, by its name; null = it is not kept here. */
  file(name: string): Promise<string | null>;
  /** A draw of any generation; `latest` = the last one drawn. null = there is none: never opened, or a window forgotten since. */
  draw(id: number | "latest"): Promise<DrawRecord | PendingDraw | DroppedDraw | null>;
  /** The public list of a draw's entries in order, from the batch that begins at entry `from` or after it; empty = no more. */
  drawBatches(id: number, from: number): Promise<readonly ListedBatch[]>;
  /** A pass by a staff link; the same key of a browser again is the same pass. */
  useStaffLink(id: number, key: string): Promise<StaffVerdict>;
}

/** What the edge needs of a Durable Object namespace. A new stub for every attempt: a stub that threw stays broken. */
export interface RoomNamespace {
  getByName(name: string, options?: { readonly locationHint?: string }): RoomRpc;
}
