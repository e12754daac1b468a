/**
 * Replies for when we ourselves cannot go on: refused hosts and methods, a wrong configuration, a fault of ours.
 * Depends on nothing that could fail as well. Never lets anybody in.
 */
import { isFormNavigation, isNavigation } from "../http/navigation";
import { pageReply, problem } from "../http/replies";
import { newNonce } from "../keys";

/** A page for people, a problem for programs. `detail` is one sentence of ours, never from a request. */
export function trouble(request: Request, status: number, code: string, detail: string, retryAfterS?: number): Response {
  const retry = retryAfterS === undefined ? {} : { retryAfterS };
  if (!isNavigation(request) && !isFormNavigation(request)) return problem(status, code, detail, retry);
  const nonce = newNonce();
  const again = retryAfterS === undefined ? "" : "<p>Please try again in a few seconds. If you have a place in line, you keep it.</p>";
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Waiting room</title><style nonce="${nonce}">:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto 0;padding:0 1.25rem}</style></head><body><main><h1>${detail}</h1>${again}</main></body></html>`;
  return pageReply(html, nonce, { status, ...retry });
}
