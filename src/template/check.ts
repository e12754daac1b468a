/**
 * Judges a template before it is kept: read by mustache itself, as it will be when it is rendered. Reports every problem at once; renders
 * nothing, knows no visitor.
 */
/// <reference path="./mustache.d.ts" />
import mustache, { type Token } from "mustache";
import { nearest } from "../core/operator-text";
import { TEMPLATE_MAX_BYTES } from "../core/page-files";
import { CF_VARIABLES, OWN_VARIABLES } from "../core/template-values";

const TAGS_MAX = 2_000;
const DEPTH_MAX = 32;

export interface Checked {
  /** Each a phrase that reads after "template". */
  readonly problems: readonly string[];
  /** Origins of scripts that it asks for from elsewhere. */
  readonly origins: readonly string[];
}

const isCf = (name: string) => Object.hasOwn(CF_VARIABLES, name);
const isOwn = (name: string) => Object.hasOwn(OWN_VARIABLES, name);

const BY_SMALL_LETTERS = new Map([...Object.keys(CF_VARIABLES), ...Object.keys(OWN_VARIABLES)].map((name) => [name.toLowerCase(), name]));

export function checkTemplate(text: string): Checked {
  const bytes = new TextEncoder().encode(text).byteLength;
  if (bytes > TEMPLATE_MAX_BYTES) return { problems: [`has ${bytes} bytes, but may have at most ${TEMPLATE_MAX_BYTES}`], origins: [] };
  if (text.trim() === "") return { problems: ["is empty: DELETE removes it"], origins: [] };
  let tokens: Token[];
  try {
    tokens = new mustache.Writer().parse(text);
  } catch (error) {
    return { problems: [`is not Mustache: ${error instanceof Error ? error.message : String(error)}`], origins: [] };
  }
  const problems = new Set<string>();
  const tags = walk(tokens, 0, (kind, name) => {
    const problem = problemOf(kind, name);
    if (problem !== null) problems.add(problem);
  });
  if (tags === "too-deep") problems.add(`has sections more than ${DEPTH_MAX} deep`);
  else if (tags > TAGS_MAX) problems.add(`has ${tags} tags, but may have at most ${TAGS_MAX}`);
  return { problems: [...problems], origins: originsIn(text) };
}

/** How many tags there are; visits each. */
function walk(tokens: readonly Token[], depth: number, visit: (kind: string, name: string) => void): number | "too-deep" {
  if (depth > DEPTH_MAX) return "too-deep";
  let tags = 0;
  for (const [kind, name, , , inside] of tokens) {
    if (kind === "text") continue;
    tags += 1;
    visit(kind, name);
    const deeper = Array.isArray(inside) ? walk(inside, depth + 1, visit) : 0;
    if (deeper === "too-deep") return deeper;
    tags += deeper;
  }
  return tags;
}

function problemOf(kind: string, name: string): string | null {
  if (kind === ">") return `has {{> ${name}}}: there are no partials`;
  if (kind === "=" || kind === "!") return null;
  if (!isCf(name) && !isOwn(name)) {
    const near = BY_SMALL_LETTERS.get(nearest(name, BY_SMALL_LETTERS.keys()) ?? "");
    return `has {{${name}}}, which is no variable${near === undefined ? "" : `; the nearest is ${near}`}`;
  }
  // Texts of people may hold anything; what Cloudflare has is numbers, switches and fixed words.
  return kind === "&" && isOwn(name) ? `has {{{${name}}}} without escaping: write {{${name}}}` : null;
}

const FOREIGN_SCRIPT = /<script\b[^>]*?\ssrc\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]+)/gi;

function originsIn(text: string): string[] {
  const urls = [...text.matchAll(FOREIGN_SCRIPT)].map(([, url = ""]) => (url.startsWith("//") ? `https:${url}` : url));
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))];
}
