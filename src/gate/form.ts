/**
 * The fields of a form whose body never reached the site, so that a page may offer to send it again by a button (DESIGN §5.5).
 * Reads the request's body; sends nothing. A form that could not be sent again exactly as it was is not offered.
 */
import { isResendableForm } from "../http/navigation";
import type { Resubmit } from "../routes/page";

export type FormFields = Omit<Resubmit, "action">;

const FORM_FIELDS_MAX = 500;

/** null = not to be offered again: cross-site, not text, too large (navigation.ts), or not to be read exactly. */
export async function formOf(request: Request, publicOrigin: string): Promise<FormFields | null> {
  if (!isResendableForm(request, publicOrigin) || request.bodyUsed) return null;
  const body = new Uint8Array(await request.arrayBuffer());
  const isText = (request.headers.get("Content-Type") ?? "").trim().toLowerCase().startsWith("text/plain");
  const text = utf8(body);
  const fields = text === null ? null : isText ? plainFields(text) : urlencodedFields(text);
  if (fields === null || fields.length > FORM_FIELDS_MAX) return null;
  return { enctype: isText ? "text/plain" : "application/x-www-form-urlencoded", fields };
}

/** null if a field could not be sent again exactly as it was. */
function urlencodedFields(text: string): [string, string][] | null {
  const parts = text.split("&").filter((part) => part !== "");
  const fields: [string, string][] = [];
  for (const part of parts) {
    const at = part.includes("=") ? part.indexOf("=") : part.length;
    const name = decoded(part.slice(0, at));
    const value = decoded(part.slice(at + 1));
    if (name === null || value === null) return null;
    fields.push([name, value]);
  }
  return fields;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function plainFields(text: string): [string, string][] | null {
  const lines = text.split("\r\n").filter((line) => line !== "");
  const fields = lines.map((line): [string, string] => [line.split("=", 1)[0] ?? "", line.slice(line.indexOf("=") + 1)]);
  return lines.every((line) => line.includes("=") && !line.includes("\n")) ? fields : null;
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
