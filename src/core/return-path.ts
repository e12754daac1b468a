/**
 * Where a page may lead people back to: a path of its own origin, never another site (attack W1). Pure.
 * A second line of defence: routes check their input (safe-target.ts); the page checks again what it writes into links.
 */

/** Path and query of `raw`, a path or an http(s) URL, whatever host it names; "/" for anything else. */
export function returnPath(raw: string): string {
  let url: URL;
  try {
    url = new URL(raw, "https://here.invalid");
  } catch {
    return "/";
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return "/";
  // "/.//evil.example" parses to the path "//evil.example", which a browser reads as another host.
  return url.pathname.replace(/^\/+/, "/") + url.search;
}
