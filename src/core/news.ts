/**
 * What a room tells by webhook: topics, messages (Standard Webhooks), and when a message that did not arrive is sent again. Pure.
 * https://www.standardwebhooks.com
 */

import type { Topic } from "./settings-types";

/** What a webhook can be told of: `tell` of the setting `webhooks`. */
export const TOPICS = ["queueing", "wait", "errors", "entries", "brake", "settings", "draws", "limits"] as const satisfies readonly Topic[];

export interface News {
  readonly topic: Topic;
  /** Such as `queueing.started`. */
  readonly type: string;
  /** One sentence for people; Slack and its like show it. */
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A message of one webhook as it is stored. */
export interface Letter {
  /** Of this message, the same for every try. */
  readonly id: string;
  readonly room: string;
  readonly webhook: string;
  readonly secretVersion: number;
  readonly url: string;
  readonly body: string;
}

/** The body; names no visitor. @param at Room time, ms */
export function bodyOf(room: string, { type, text, data }: Omit<News, "topic">, at: number): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: { room, ...data }, text });
}

/** After a try that failed, the next one comes so much later, ms: after 5 s, 30 s, 2 min, 10 min, 30 min and 2 h; then it is given up. */
export const RETRIES_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000];

/** @param tries made so far; null = given up */
export function retryAfterMs(tries: number): number | null {
  return RETRIES_MS[tries - 1] ?? null;
}

/**
 * What became of one try. `refused`: another status than 2xx; redirects are not followed. `silent`: no answer in time. `unreachable`: no
 * connection. `forbidden`: the address may not be called.
 */
export type Delivery =
  | { readonly as: "delivered"; readonly status: number }
  | { readonly as: "refused"; readonly status: number }
  | { readonly as: "silent" | "unreachable" | "forbidden" };

/** What is known of one webhook. */
export interface WebhookState {
  readonly delivered: number;
  readonly given_up: number;
  /** Left out because too many waited, the oldest first, or because the webhook was taken away. */
  readonly dropped: number;
  /** The last try of all; null = none yet. */
  readonly last: { readonly at: string; readonly type: string; readonly result: Delivery["as"]; readonly status: number | null } | null;
}

export const NO_DELIVERIES: WebhookState = { delivered: 0, given_up: 0, dropped: 0, last: null };

/** `GET webhooks`: a webhook as the operator sees it. */
export interface WebhookReport extends WebhookState {
  readonly name: string;
  readonly tell: readonly Topic[];
  /** Messages that have not arrived yet. */
  readonly waiting: number;
}

/** `POST webhooks/{webhook}/test`: what became of it. */
export type WebhookTested = { readonly room: string; readonly webhook: string } & NonNullable<WebhookState["last"]>;

export function lastOf(type: string, result: Delivery, at: number): NonNullable<WebhookState["last"]> {
  return { at: new Date(at).toISOString(), type, result: result.as, status: "status" in result ? result.status : null };
}
