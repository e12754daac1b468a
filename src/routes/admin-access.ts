/**
 * Who may use the admin API, and how its bodies are read. Bearer token only: never cookies, so no other site can borrow it (W4, F10).
 */
import type { Actor } from "../core/admin";
import { originOf } from "../core/safe-target";
import type { Problem } from "../core/settings";
import { problem } from "../http/replies";
import { sameSecret } from "../keys";
import { bodyText } from "./body";
import type { AppContext } from "./context";

const BODY_MAX_BYTES = 65_536;
const DEPTH_MAX = 16;
const REASON_MAX = 500;

/** null = go on. Compared in constant time; a wrong token costs nobody else anything (C67, K6, W13). */
export async function refuseAccess(c: AppContext): Promise<Response | null> {
  const { config, url } = c.env;
  const origin = c.req.header("Origin");
  const site = c.req.header("Sec-Fetch-Site");
  if ((origin !== undefined && origin !== originOf(url)) || (site !== undefined && site !== "same-origin" && site !== "none")) {
    return problem(403, "cross-site", "The admin API does not answer pages of other sites.");
  }
  const token = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1];
  if (token !== undefined && (await sameSecret(config.adminToken, token))) return null;
  const headers = new Headers({ "WWW-Authenticate": 'Bearer realm="vestibule admin"' });
  return problem(401, "unauthorized", "The admin API needs the header Authorization: Bearer <ADMIN_TOKEN>.", { headers });
}

export interface Body {
  /** What the caller wrote, without `reason`, `confirm` and `force`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly confirm: string | null;
  readonly force: boolean;
  readonly actor: Actor;
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
  if (wrong.length > 0) return invalid(wrong);
  return {
    fields,
    confirm: confirm as string | null,
    force: force as boolean,
    actor: { name: "admin token", reason: (reason as string).trim() },
  };
}

/** What the route does not take. A room's and an event's settings are the Room's to judge. */
function strangers(c: AppContext, given: Readonly<Record<string, unknown>>): Problem[] {
  const { fields = [], besides = [] } = c.get("route").body ?? {};
  const known = fields === "settings" ? besides : fields;
  // Would become a prototype instead of a field on its way to the Room, and be ignored there.
  const isStrange = (name: string) =>
    !known.includes(name) && (fields !== "settings" || name === "confirm" || name === "force" || name === "__proto__");
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
