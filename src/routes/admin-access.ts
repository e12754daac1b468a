/**
 * How bodies of the admin API are read: bounded, by the fields that the route takes, with who asks and why.
 */
import type { Caller, Once } from "../core/admin";
import type { Problem } from "../core/settings";
import { problem } from "../http/replies";
import { hashOf } from "./admin-who";
import { bodyBytes, bodyText } from "./body";
import type { AppContext } from "./context";

const BODY_MAX_BYTES = 65_536;
const DEPTH_MAX = 16;
const REASON_MAX = 500;
/** Fields that no setting is called by. */
const NO_SETTINGS: readonly string[] = ["confirm", "force", "ramp_minutes", "__proto__"];

export interface Body {
  /** What the caller wrote, without `reason`, `confirm` and `force`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly confirm: string | null;
  readonly force: boolean;
  readonly actor: Caller;
}

/** Reads a JSON object; an empty body is an empty object. A refusal if it is anything else, too large or too deep. */
export async function readBody(c: AppContext): Promise<Body | Response> {
  const text = await bodyText(c.req.raw, BODY_MAX_BYTES);
  if (text === null) return problem(413, "body-too-large", `The body is larger than ${BODY_MAX_BYTES} bytes, or not UTF-8.`);
  const type = c.req.header("Content-Type") ?? "";
  if (text !== "" && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return problem(415, "not-json", "The body must be JSON, with Content-Type: application/json.");
  }
  const parsed = text === "" ? {} : parseJson(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed) || depthOf(parsed) > DEPTH_MAX) {
    return problem(400, "bad-json", `The body must be one JSON object, at most ${DEPTH_MAX} levels deep.`);
  }
  const { reason = c.req.header("Vestibule-Reason") ?? "", ...given } = parsed as Record<string, unknown>;
  const { confirm = null, force = false, ...fields } = given;
  const wrong = [
    ...strangers(c, given),
    ...(typeof reason === "string" && reason.length <= REASON_MAX
      ? []
      : [{ setting: "reason", problem: `must be text of at most ${REASON_MAX} characters` }]),
    ...(confirm === null || typeof confirm === "string" ? [] : [{ setting: "confirm", problem: "must be the name of the room, as text" }]),
    ...(typeof force === "boolean" ? [] : [{ setting: "force", problem: "must be true or false" }]),
  ];
  const once = await onceOf(c, text);
  if (once === "bad") wrong.push({ setting: "Idempotency-Key", problem: "must be 1 to 255 visible characters" });
  if (wrong.length > 0 || once === "bad") return invalid(wrong);
  const { name, role } = c.get("who");
  return {
    fields,
    confirm: confirm as string | null,
    force: force as boolean,
    actor: { name, role, reason: (reason as string).trim(), once },
  };
}

/** A file as it is, and who sends it. A refusal if it is larger than `maxBytes`. The reason comes in a header: the body has no room for it. */
export async function readUpload(
  c: AppContext,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly actor: Caller } | Response> {
  const bytes = await bodyBytes(c.req.raw, maxBytes);
  if (bytes === null) return problem(413, "body-too-large", `The file is larger than ${maxBytes} bytes.`);
  const reason = c.req.header("Vestibule-Reason") ?? "";
  const once = await onceOf(c, await hashOf(bytes));
  if (reason.length > REASON_MAX) return invalid([{ setting: "Vestibule-Reason", problem: `must have at most ${REASON_MAX} characters` }]);
  if (once === "bad") return invalid([{ setting: "Idempotency-Key", problem: "must be 1 to 255 visible characters" }]);
  const { name, role } = c.get("who");
  return { bytes, actor: { name, role, reason: reason.trim(), once } };
}

/** `Idempotency-Key`, with what was asked under it. */
async function onceOf(c: AppContext, text: string): Promise<Once | null | "bad"> {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) return "bad";
  const { path, search } = c.env.url;
  return { key, print: await hashOf(JSON.stringify([c.req.method, path, search, c.req.header("If-Match") ?? null, text])) };
}

/** What the route does not take. A room's and an event's settings are the Room's to judge. */
function strangers(c: AppContext, given: Readonly<Record<string, unknown>>): Problem[] {
  const { fields = [], besides = [] } = c.get("route").body ?? {};
  const known = fields === "settings" || fields === "file" ? besides : fields;
  // Would become a prototype instead of a field on its way to the Room, and be ignored there.
  const isStrange = (name: string) => !known.includes(name) && (fields !== "settings" || NO_SETTINGS.includes(name));
  const problem = `is not a field of this; known are ${[...(fields === "settings" ? ["settings"] : []), ...known, "reason"].join(", ")}`;
  return Object.keys(given)
    .filter(isStrange)
    .map((setting) => ({ setting, problem }));
}

/** 422, naming every field. */
export function invalid(problems: readonly Problem[]): Response {
  return problem(422, "invalid", sentence(problems), { members: { problems } });
}

export function sentence(problems: readonly Problem[]): string {
  return `${problems.map(({ setting, problem: what }) => `${setting} ${what}`).join("; ")}.`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function depthOf(value: unknown): number {
  let depth = 0;
  for (let level: unknown[] = [value]; level.length > 0; depth++) {
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return depth - 1;
}
