/**
 * Turnstile's siteverify: is this token of this widget, made for this holder and on a host of the room? Bounded in time and size, follows
 * no redirect. Facts of the protocol: Cloudflare's page "Validate the token" (tokens of at most 2,048 characters, good once, for 300 s;
 * an idempotency key makes one repetition safe).
 */
import type { AskedAgain } from "../core/proof";
import { bodyText } from "../routes/body";

/** Where Turnstile lives unless the deployment says otherwise. */
export const TURNSTILE_ORIGIN = "https://challenges.cloudflare.com";
/** The widget's script, rendered when our page says so. */
export const TURNSTILE_SCRIPT = "/turnstile/v0/api.js?render=explicit";
const SITEVERIFY = "/turnstile/v0/siteverify";
/** For each of two attempts, ms. */
const ATTEMPT_MS = 1_500;
const REPLY_MAX_BYTES = 16_384;
/**
 * Tokens that were good, and whose: bounded, so that one shown again at once, as when a reply was lost, costs no question. What was shown lives
 * on from then; longer than this, and it would outlive the Room's memory of used proofs (durable/line/used-proofs.ts).
 */
const SEEN_MAX = 2_048;
const SEEN_MS = 30_000;
/** Cloudflare's published secrets for tests: siteverify answers by them whatever the token says of its host, action and data. */
const TEST_SECRET = /^[123]x0{28,}AA$/;

/** What a token must have been made for. */
export interface Expected {
  readonly action: string;
  /** Host of the request, without port. */
  readonly hostname: string;
  /** The holder's, as given to the widget. */
  readonly cdata: string;
}

export interface TurnstileAccess {
  readonly secret: string;
  /** Of the service, without a path. */
  readonly origin: string;
}

/** `unreachable`: no answer, a fault of the service, or a secret that it does not accept: nothing is known of the token. */
export type TurnstileVerdict = "passed" | "unreachable" | Extract<AskedAgain, "wrong" | "used">;

/** An operator's mistake is told once. */
let toldOfSecret = false;
const seen = new Map<string, { readonly cdata: string; readonly until: number }>();

/** Is it one of the secrets that Cloudflare publishes for tests? Then anybody passes. */
export function isTestSecret(secret: string): boolean {
  return TEST_SECRET.test(secret);
}

/** Asks siteverify, once more if it does not answer. Never rejects. */
export async function checkTurnstile(
  access: TurnstileAccess,
  token: string,
  expected: Expected,
  { remoteIp, now }: { readonly remoteIp: string | null; readonly now: number },
): Promise<TurnstileVerdict> {
  const known = seen.get(token);
  if (known !== undefined && known.until > now) return known.cdata === expected.cdata ? "passed" : "used";
  const body = {
    secret: access.secret,
    response: token,
    idempotency_key: crypto.randomUUID(),
    ...(remoteIp === null ? {} : { remoteip: remoteIp }),
  };
  const reply = (await ask(access.origin, body)) ?? (await ask(access.origin, body));
  const verdict = reply === null ? "unreachable" : judge(reply, expected, isTestSecret(access.secret));
  if (verdict === "passed") remember(token, expected.cdata, now);
  return verdict;
}

type SiteverifyReply = Readonly<Record<string, unknown>>;

/** null = no answer that could be read, or a fault on their side. */
async function ask(origin: string, body: Readonly<Record<string, string>>): Promise<SiteverifyReply | null> {
  try {
    const response = await fetch(`${origin}${SITEVERIFY}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const text = await bodyText(response, REPLY_MAX_BYTES);
    if (text === null || response.status >= 500) return null;
    const reply: unknown = JSON.parse(text);
    const isReply = typeof reply === "object" && reply !== null && "success" in reply;
    return isReply && !codesOf(reply as SiteverifyReply).includes("internal-error") ? (reply as SiteverifyReply) : null;
  } catch {
    return null;
  }
}

/** Nothing but a success with everything as expected counts. */
function judge(reply: SiteverifyReply, expected: Expected, isTest: boolean): TurnstileVerdict {
  const codes = codesOf(reply);
  if (reply["success"] === true) {
    const { hostname, action, cdata } = reply;
    const isOurs = hostname === expected.hostname && action === expected.action && cdata === expected.cdata;
    return isOurs || isTest ? "passed" : "wrong";
  }
  if (codes.some((code) => code === "invalid-input-secret" || code === "missing-input-secret")) {
    // No fault of the visitor's: the room's policy for an outage holds.
    if (!toldOfSecret)
      console.error(JSON.stringify({ event: "turnstile-secret-refused", problem: "TURNSTILE_SECRET is not the secret of a widget" }));
    toldOfSecret = true;
    return "unreachable";
  }
  return codes.includes("timeout-or-duplicate") ? "used" : "wrong";
}

function codesOf(reply: SiteverifyReply): readonly unknown[] {
  const codes = reply["error-codes"];
  return Array.isArray(codes) ? codes : [];
}

function remember(token: string, cdata: string, now: number): void {
  seen.set(token, { cdata, until: now + SEEN_MS });
  for (const [oldest, { until }] of seen) {
    if (until > now && seen.size <= SEEN_MAX) break;
    seen.delete(oldest);
  }
}
