/**
 * Uploading files of the waiting page. Synchronous, inside the Room's transaction; what is in a file was judged by
 * the edge, which is of the same version.
 */
import type { AdminResult, Changed, FileUpload } from "../src/core/admin";
import { type Acted, grant, wishOfChange } from "./operate";
import { namesIn } from "./page-file-names";

/** Keeps the file and puts it into force, or does neither. */
export function putFile(on: Acted, { kind, name, body, ifRevision, actor }: FileUpload): AdminResult<Changed> {
  const { files } = on.store;
  const isNew = !files.has(name);
  files.save(name, kind, body, on.memory.line.counters.now);
  const result = grant(on, {
    ...wishOfChange({ changes: { [kind]: name }, ifRevision, replace: false, actor }),
    action: `${kind} uploaded`,
  });
  if (result.as !== "ok" && isNew) files.forget(name);
  const used = new Set(namesIn(on.memory.config.operator).map((each) => each.name));
  files.tidy(kind, used);
  return result;
}
