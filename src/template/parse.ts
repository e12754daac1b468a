/**
 * Reads a template with mustache, in little memory: mustache makes an array of every character between two tags, more than an isolate has for a
 * template of 1 MiB. So each stretch of text goes through it as one character, and takes its place again afterwards. Renders nothing.
 */
/// <reference path="./mustache.d.ts" />
import mustache, { type Token } from "mustache";

/** Stands for a stretch of text. It is no white space, which alone means something to mustache: lines of nothing but a section's tag go. */
const STAND_IN = "\uE000";

/** Sections deeper than this are no template that is kept (check.ts). */
export const DEPTH_MAX = 32;

interface Part {
  /** Where it begins in what mustache reads, and in the template. */
  readonly at: number;
  readonly from: number;
}

export interface Shortened {
  readonly text: string;
  /** What the stand-ins stand for, in order. */
  readonly stretches: readonly string[];
  readonly parts: readonly Part[];
}

export interface Parsed {
  readonly tokens: Token[];
  /** Where in the template a token begins. */
  readonly placeOf: (token: Token) => number;
}

/** @throws if it is not Mustache; says in which line. */
export function parseTemplate(template: string): Parsed {
  const short = shortened(template);
  const placeOf = (at: number) => {
    const part = short.parts.findLast((each) => each.at <= at);
    return part === undefined ? 0 : Math.min(template.length, part.from + at - part.at);
  };
  let tokens: Token[];
  try {
    tokens = new mustache.Writer().parse(short.text);
  } catch (error) {
    const line = (at: string) => template.slice(0, placeOf(Number(at))).split("\n").length;
    throw new SyntaxError(String((error as Error).message).replace(/ at (\d+)$/, (_, at: string) => ` in line ${line(at)}`));
  }
  restore(tokens, short.stretches[Symbol.iterator](), 0);
  return { tokens, placeOf: ([, , at]) => placeOf(at) };
}

/** In the order of the template. */
function restore(tokens: readonly Token[], stretches: Iterator<string>, depth: number): void {
  for (const token of tokens) {
    const [kind, text, , , inside] = token;
    if (kind === "text") token[1] = text.replaceAll(STAND_IN, () => stretches.next().value ?? "");
    else if (Array.isArray(inside) && depth <= DEPTH_MAX) restore(inside, stretches, depth + 1);
  }
}

/** The tags as they are, and at most five characters between two of them, unless they are white space. */
export function shortened(template: string): Shortened {
  let text = "";
  const stretches: string[] = [];
  const parts: Part[] = [];
  const add = (from: number, to: number, as: "is" | "stretch" | "line") => {
    if (from >= to) return;
    const part = template.slice(from, to);
    parts.push({ at: text.length, from });
    if (as === "is" || (as === "line" && !/\S/.test(part))) text += part;
    else {
      stretches.push(part);
      text += STAND_IN;
    }
  };
  let delimiters: readonly [open: string, close: string] = ["{{", "}}"];
  for (let from = 0; from < template.length; ) {
    const found = template.indexOf(delimiters[0], from);
    const open = found === -1 ? template.length : found;
    // The rest of the line before, whole lines, and the line that the next tag stands in.
    const first = template.indexOf("\n", from);
    const last = template.lastIndexOf("\n", open - 1);
    if (first === -1 || first >= open) add(from, open, "line");
    else {
      add(from, first, "line");
      add(first, first + 1, "is");
      add(first + 1, last, "stretch");
      add(Math.max(first + 1, last), last + 1, "is");
      add(last + 1, open, "line");
    }
    const tag = tagAt(template, open, delimiters);
    add(open, tag.end, "is");
    delimiters = tag.delimiters;
    from = tag.end;
  }
  return { text, stretches, parts };
}

/** Where the tag ends that begins here, and how those after it are written. One that does not end is mustache's to refuse. */
function tagAt(template: string, open: number, delimiters: readonly [string, string]) {
  const [opening, closing] = delimiters;
  let begin = open + opening.length;
  while (/\s/.test(template[begin] ?? "")) begin += 1;
  const kind = template[begin];
  const endOf = (mark: string, from: number) => {
    const at = from === -1 ? -1 : template.indexOf(mark, from);
    return at === -1 ? template.length : at + mark.length;
  };
  if (kind === "{") return { end: endOf(closing, endOf(`}${closing}`, begin + 1) - closing.length), delimiters };
  if (kind !== "=") return { end: endOf(closing, begin), delimiters };
  const equals = template.indexOf("=", begin + 1);
  const [newOpening, newClosing] =
    equals === -1
      ? []
      : template
          .slice(begin + 1, equals)
          .trim()
          .split(/\s+/);
  const changed: readonly [string, string] = newOpening && newClosing ? [newOpening, newClosing] : delimiters;
  return { end: endOf(closing, equals), delimiters: changed };
}
