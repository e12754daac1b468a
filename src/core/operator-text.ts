/**
 * Hosts, paths and values as operators write them: reading them strictly, and naming what is wrong. Pure.
 */
import { canonicalUrl } from "./canonical-url";

export type Read = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly problem: string };

const HOST_SHAPE = 'a host name such as "shop.example.com", without scheme, port or path';

/** Reads a host. The problem completes "must be". Wildcards are the caller's business. */
export function readHost(text: string): Read {
  const url = canonicalUrl(`http://${text}/`);
  const plain = (/^[^\s/\\?#@:*]+$/.test(text) && !/^\.|\.\./.test(text)) || /^\[[0-9a-f:.]+\]$/i.test(text);
  if (!url || !plain || url.path !== "/") {
    return { ok: false, problem: text.includes("*") ? `${HOST_SHAPE}; name each host (wildcards cover too much)` : HOST_SHAPE };
  }
  return { ok: true, value: url.host };
}

/** Reads a path prefix into its canonical form without a trailing slash (`/` stays). The problem completes "must be". */
export function readPath(text: string): Read {
  const shape = 'a path such as "/" or "/checkout"';
  if (!text.startsWith("/") || /[?#\s]/.test(text)) return { ok: false, problem: `${shape}, without query` };
  if (text.includes("*")) return { ok: false, problem: `${shape} without "*": it covers everything below it anyway` };
  const url = canonicalUrl(`http://host${text}`);
  if (!url || url.ambiguous || /[;\\]|\.(?:\/|$)/.test(url.path)) {
    return { ok: false, problem: `${shape}, without ";", "\\", "%2f", escaped control characters, double escapes or a dot at the end` };
  }
  const path = url.path.length > 1 ? url.path.replace(/\/$/, "") : url.path;
  if (/^\/__vestibule(?:\/|$)/i.test(path)) return { ok: false, problem: `${shape}; /__vestibule is Vestibule's own` };
  return { ok: true, value: path };
}

/** How a value is shown in a refusal: short, and never mistaken for another type. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") return `the text ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Date) return "a bare date (quote it)";
  return typeof value === "object" ? "a table" : `a ${typeof value}`;
}

/** The known name nearest to a mistyped one, or null if none is near. */
export function nearest(name: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  const asked = name.toLowerCase().replaceAll("-", "_");
  for (const candidate of known) {
    const distance = editDistance(asked.slice(0, 64), candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
