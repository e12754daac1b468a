/**
 * Uploading the logo and the template of the waiting page. What a file is is judged here, from the file itself; keeping it and putting it into
 * force is one step of the Room.
 */
import type { AdminResult, Changed, Warning } from "../core/admin";
import { toBase64url } from "../core/base64url";
import { readLogo } from "../core/image-size";
import { LOGO_MAX_BYTES, logoName, type PageFileKind, TEMPLATE_MAX_BYTES, templateName } from "../core/page-files";
import { problem, textReply } from "../http/replies";
import { checkTemplate } from "../template/check";
import { invalid, readBody, readUpload } from "./admin-access";
import { describe, type Handlers, ifRevisionOf, read, toReply, write } from "./admin-room";
import { hashOf } from "./admin-who";
import { textOf } from "./body";
import type { AppContext } from "./context";

export const fileHandlers = {
  "PUT /rooms/:room/logo": putLogo,
  "DELETE /rooms/:room/logo": (c, room) => remove(c, room, "logo"),
  "GET /rooms/:room/template": getTemplate,
  "PUT /rooms/:room/template": putTemplate,
  "DELETE /rooms/:room/template": (c, room) => remove(c, room, "template"),
} satisfies Handlers;

async function putLogo(c: AppContext, room: string): Promise<Response> {
  const ifRevision = ifRevisionOf(c, null);
  if (ifRevision instanceof Response) return ifRevision;
  const sent = await readUpload(c, LOGO_MAX_BYTES);
  if (sent instanceof Response) return sent;
  const { bytes, actor } = sent;
  const logo = readLogo(bytes);
  if (typeof logo === "string") return invalid([{ setting: "logo", problem: logo }]);
  const name = logoName(logo, await hashOf(bytes));
  const file = { kind: "logo", name, body: toBase64url(bytes), ifRevision, actor } as const;
  return describe(c, room, await write(c, room, (rpc) => rpc.putFile(file)), true);
}

async function putTemplate(c: AppContext, room: string): Promise<Response> {
  const ifRevision = ifRevisionOf(c, null);
  if (ifRevision instanceof Response) return ifRevision;
  const sent = await readUpload(c, TEMPLATE_MAX_BYTES);
  if (sent instanceof Response) return sent;
  const { bytes, actor } = sent;
  const text = textOf(bytes);
  if (text === null) return invalid([{ setting: "template", problem: "must be text in UTF-8" }]);
  const { problems, origins } = checkTemplate(text);
  if (problems.length > 0) return invalid(problems.map((each) => ({ setting: "template", problem: each })));
  const file = { kind: "template", name: templateName(await hashOf(bytes)), body: text, ifRevision, actor } as const;
  return describe(c, room, withForeign(await write(c, room, (rpc) => rpc.putFile(file)), origins), true);
}

/** Scripts of elsewhere do not run unless the room names their origins. */
function withForeign(result: AdminResult<Changed>, origins: readonly string[]): AdminResult<Changed> {
  if (result.as !== "ok") return result;
  const { template_origins: allowed } = result.value.settings;
  const warnings: Warning[] = origins
    .filter((origin) => !(allowed as readonly string[]).includes(origin))
    .map((origin) => ({
      setting: "template",
      warning: `asks for scripts of ${origin}, which template_origins does not name: they do not run`,
    }));
  return { ...result, value: { ...result.value, warnings: [...result.value.warnings, ...warnings] } };
}

async function remove(c: AppContext, room: string, kind: PageFileKind): Promise<Response> {
  const ifRevision = ifRevisionOf(c, null);
  if (ifRevision instanceof Response) return ifRevision;
  const body = await readBody(c);
  if (body instanceof Response) return body;
  const change = { changes: { [kind]: "" }, ifRevision, replace: false, actor: body.actor };
  return describe(c, room, await write(c, room, (rpc) => rpc.change(change)), true);
}

/** The template in force, as it was uploaded. */
async function getTemplate(c: AppContext, room: string): Promise<Response> {
  const described = await read(c, room, (rpc) => rpc.describe());
  if (described.as !== "ok") return toReply(described);
  const name = described.value.settings["template"];
  const text = typeof name === "string" && name !== "" ? await read(c, room, (rpc) => rpc.file(name)) : null;
  return text === null ? problem(404, "no-template", "The room has no template of its own.") : textReply(text, "text/plain; charset=utf-8");
}
