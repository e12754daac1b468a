/**
 * Judges a template before it is kept: read by mustache itself, as it will be when it is rendered. Reports every problem at once; renders
 * nothing, knows no visitor.
 */
/// <reference path="./mustache.d.ts" />
import type { Token } from "mustache";
import { nearest } from "../core/operator-text";
import { TEMPLATE_MAX_BYTES } from "../core/page-files";
import { CF_VARIABLES, OWN_VARIABLES } from "../core/template-values";
import { Contexts } from "./contexts";
import { DEPTH_MAX, type Parsed, parseTemplate } from "./parse";

const TAGS_MAX = 2_000;
/** Of a name, characters that are told back. */
const NAME_MAX = 64;

export interface Checked {
  /** Each a phrase that reads after "template". */
  readonly problems: readonly string[];
  /** Origins of scripts that it asks for from elsewhere. */
  readonly origins: readonly string[];
}

const isCf = (name: string) => Object.hasOwn(CF_VARIABLES, name);
const isOwn = (name: string) => Object.hasOwn(OWN_VARIABLES, name);

/** What anybody may have written into the settings: whoever may change those is not to run scripts by it. */
const WORDS: ReadonlySet<string> = new Set(["title", "message", "heading", "text", "estimate"] satisfies (keyof typeof OWN_VARIABLES)[]);

const BY_SMALL_LETTERS = new Map([...Object.keys(CF_VARIABLES), ...Object.keys(OWN_VARIABLES)].map((name) => [name.toLowerCase(), name]));

export function checkTemplate(text: string): Checked {
  const bytes = new TextEncoder().encode(text).byteLength;
  if (bytes > TEMPLATE_MAX_BYTES) return { problems: [`has ${bytes} bytes, but may have at most ${TEMPLATE_MAX_BYTES}`], origins: [] };
  if (text.trim() === "") return { problems: ["is empty: DELETE removes it"], origins: [] };
  let parsed: Parsed;
  try {
    parsed = parseTemplate(text);
  } catch (error) {
    return { problems: [`is not Mustache: ${error instanceof Error ? error.message : String(error)}`], origins: [] };
  }
  const { tokens, placeOf } = parsed;
  const tags = walk(tokens, 0, () => undefined);
  if (tags === "too-deep") return { problems: [`has sections more than ${DEPTH_MAX} deep`], origins: [] };
  if (tags > TAGS_MAX) return { problems: [`has ${tags} tags, but may have at most ${TAGS_MAX}`], origins: [] };
  const contexts = new Contexts(text);
  const problems = new Set<string>();
  walk(tokens, 0, (token) => {
    const problem = problemOf(token, () => contexts.at(placeOf(token)));
    if (problem !== null) problems.add(problem);
  });
  return { problems: [...problems], origins: originsIn(text) };
}

/** How many tags there are; visits each. */
function walk(tokens: readonly Token[], depth: number, visit: (token: Token) => void): number | "too-deep" {
  if (depth > DEPTH_MAX) return "too-deep";
  let tags = 0;
  for (const token of tokens) {
    const [kind, , , , inside] = token;
    if (kind === "text") continue;
    tags += 1;
    visit(token);
    const deeper = Array.isArray(inside) ? walk(inside, depth + 1, visit) : 0;
    if (deeper === "too-deep") return deeper;
    tags += deeper;
  }
  return tags;
}

function problemOf([kind, whole]: Token, context: () => string | null): string | null {
  const name = whole.length > NAME_MAX ? `${whole.slice(0, NAME_MAX)}…` : whole;
  if (kind === ">") return `has {{> ${name}}}: there are no partials`;
  if (kind === "=" || kind === "!") return null;
  if (!isCf(name) && !isOwn(name)) {
    const near = BY_SMALL_LETTERS.get(nearest(name, BY_SMALL_LETTERS.keys()) ?? "");
    return `has {{${name}}}, which is no variable${near === undefined ? "" : `; the nearest is ${near}`}`;
  }
  // Texts of people may hold anything; what Cloudflare has is numbers, switches and fixed words.
  if (kind === "&" && isOwn(name)) return `has {{{${name}}}} without escaping: write {{${name}}}`;
  const where = kind === "name" && WORDS.has(name) ? context() : null;
  return where === null ? null : `has {{${name}}} ${where}: it is a text, and is escaped for HTML alone`;
}

const FOREIGN_SCRIPT = /<script\b[^<>]*?\ssrc\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]+)/gi;

function originsIn(text: string): string[] {
  const urls = [...text.matchAll(FOREIGN_SCRIPT)].map(([, url = ""]) => (url.startsWith("//") ? `https:${url}` : url));
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))];
}
