/**
 * The page that a staff link leads to: one button, so that programs which open links in mails use nothing up. Plain HTML, no script.
 */
import { constant, html } from "./html";

const STYLE =
  ":root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto 0;padding:0 1.25rem}button{font:inherit;padding:.6em 1.2em}";

/** @param key what makes a second press, or a reload, the same pass */
export function staffPage(nonce: string, fields: { readonly token: string; readonly key: string; readonly to: string }): string {
  const inputs = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return `<!doctype html>${html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Staff entrance</title><style nonce="${nonce}">${constant(STYLE)}</style></head><body><main><h1>Staff entrance</h1><p>This link lets you in past the line, in this browser, until it ends. Each browser that goes in uses it once.</p><form method="post">${inputs}<button>Go in</button></form></main></body></html>`}`;
}
