/**
 * Renders a template that was judged (check.ts), and says which of its pages it can be. The values of one visitor go in, HTML comes out;
 * remembers templates that it has read.
 */
/// <reference path="./mustache.d.ts" />
import mustache, { type Token } from "mustache";
import { keepNewest } from "../core/keep-newest";
import type { Telling } from "../core/telling";
import type { TemplateValues } from "../core/template-values";
import { parseTemplate } from "./parse";

interface Read {
  readonly tokens: Token[];
  /** It speaks of states that Cloudflare's variables know nothing of. */
  readonly tells: boolean;
}

/** Of a few rooms and events. */
const READ_MAX = 4;
const read = new Map<string, Read>();
const writer = new mustache.Writer();

function readTemplate(template: string): Read {
  const known = read.get(template);
  if (known !== undefined) return known;
  const { tokens } = parseTemplate(template);
  const made = { tokens, tells: namesIn(tokens).some((name) => name === "heading" || name === "state" || name === "isOver") };
  keepNewest(read, template, made, READ_MAX);
  return made;
}

function namesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(([kind, name, , , inside]) => [
    ...(kind === "text" ? [] : [name]),
    ...(Array.isArray(inside) ? namesIn(inside) : []),
  ]);
}

/**
 * Can the template be this page? Not where the visitor has something to do: a button, a field, a check, a form to send again. And what is over
 * is told by a template that can tell it: most know nothing but waiting.
 */
export function canShow(template: string, telling: Telling): boolean {
  // Cloudflare's templates have words for it, and nobody can do more than come back.
  if (telling.kind === "rejected") return true;
  if (telling.act !== null || telling.kind === "challenge") return false;
  return telling.ask !== null || (!telling.kind.startsWith("invitation-") && readTemplate(template).tells);
}

export function renderTemplate(template: string, values: TemplateValues): string {
  // Without a prototype: no name but those of the values means anything.
  const view = Object.assign(Object.create(null), values) as object;
  return writer.renderTokens(readTemplate(template).tokens, new mustache.Context(view), undefined, template);
}
