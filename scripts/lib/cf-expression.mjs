/**
 * Expressions of Cloudflare's rules language, as far as bypass rules of waiting rooms commonly use it: read into alternatives, each a list
 * of conditions that must all hold. Pure: text in, conditions out. Grammar and precedence (not, and, xor, or) after Cloudflare's public
 * description of operators; what is not known is kept as text, never guessed at.
 */

const TOKEN =
  /\s*(?:(?<string>"(?:[^"\\]|\\.)*"|r(?<hash>#*)"[\s\S]*?"\k<hash>)|(?<op>==|!=|<=|>=|&&|\|\||\^\^|[(){},!~<>[\]])|(?<word>[$\w][\w.:/*-]*))/y;
const WORD_OPERATORS = new Map([
  ["==", "eq"],
  ["!=", "ne"],
  ["~", "matches"],
  ["&&", "and"],
  ["||", "or"],
  ["^^", "xor"],
  ["!", "not"],
]);
const COMPARISONS = new Set([
  "eq",
  "ne",
  "in",
  "contains",
  "matches",
  "wildcard",
  "strict wildcard",
  "lt",
  "le",
  "gt",
  "ge",
  "<",
  "<=",
  ">",
  ">=",
]);
/** Text with `\x61` and the like, which is another text than it looks. */
const ODD_ESCAPE = /^"(?:[^"\\]|\\["\\])*\\[^"\\]/;
/** More alternatives than this are no rule that anybody wrote by hand. */
const ALTERNATIVES_MAX = 64;

/** Something in an expression that this reader does not know. */
export class NotRead extends Error {}

function tokensOf(text) {
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    if (text.slice(at).trim() === "") break;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new NotRead(`cannot be read at ${JSON.stringify(text.slice(at, at + 20).trim())}`);
    at = TOKEN.lastIndex;
    const { string, op, word } = match.groups;
    if (string !== undefined) tokens.push({ value: unquoted(string), isOdd: ODD_ESCAPE.test(string) });
    else tokens.push({ word: WORD_OPERATORS.get(op ?? word) ?? op ?? word });
  }
  return tokens;
}

function unquoted(text) {
  if (text.startsWith("r")) return text.replace(/^r(#*)"([\s\S]*)"\1$/, "$2");
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

/** `{ or }`, `{ and }`, `{ not }`, or a condition `{ field, is, value }`. */
class Reader {
  #tokens;
  #at = 0;

  constructor(text) {
    this.#tokens = tokensOf(text);
  }

  whole() {
    const read = this.#or();
    if (this.#peek() !== undefined) throw new NotRead(`goes on with ${this.#shown()} where it should end`);
    return read;
  }

  #peek() {
    return this.#tokens[this.#at];
  }

  #shown() {
    const token = this.#peek();
    return token === undefined ? "nothing" : JSON.stringify(token.word ?? token.value);
  }

  #takes(word) {
    if (this.#peek()?.word !== word) return false;
    this.#at += 1;
    return true;
  }

  #expect(word) {
    if (!this.#takes(word)) throw new NotRead(`has ${this.#shown()} where ${JSON.stringify(word)} should be`);
  }

  #or() {
    const parts = [this.#and()];
    while (this.#takes("or")) parts.push(this.#and());
    if (this.#peek()?.word === "xor") throw new NotRead("uses xor");
    return parts.length === 1 ? parts[0] : { or: parts };
  }

  #and() {
    const parts = [this.#not()];
    while (this.#takes("and")) parts.push(this.#not());
    return parts.length === 1 ? parts[0] : { and: parts };
  }

  #not() {
    if (this.#takes("not")) return { not: this.#not() };
    if (!this.#takes("(")) return this.#condition();
    const inner = this.#or();
    this.#expect(")");
    return inner;
  }

  #condition() {
    const field = this.#field();
    let is = this.#peek()?.word;
    if (is === "strict") {
      this.#at += 1;
      is = `strict ${this.#peek()?.word}`;
    }
    // A field that is true or false, and functions that are, stand alone.
    if (!COMPARISONS.has(is)) return field.call === undefined ? { field: field.name, is: "true", value: null } : called(field);
    this.#at += 1;
    if (field.call !== undefined) throw new NotRead(`compares ${field.name}(…)`);
    return { field: field.name, is, value: this.#value(is) };
  }

  #field() {
    const token = this.#peek();
    if (token?.word === undefined || !/^[a-z]/.test(token.word)) throw new NotRead(`has ${this.#shown()} where a field should be`);
    this.#at += 1;
    if (this.#takes("(")) {
      const args = [this.#argument()];
      while (this.#takes(",")) args.push(this.#argument());
      this.#expect(")");
      return { name: token.word, call: args };
    }
    let name = token.word;
    while (this.#takes("[")) {
      const key = this.#peek();
      this.#at += 1;
      this.#expect("]");
      name += `[${JSON.stringify(key?.value ?? key?.word)}]`;
    }
    return { name };
  }

  #argument() {
    const token = this.#peek();
    if (token === undefined) throw new NotRead("ends within a function");
    if (token.isOdd) throw new NotRead("uses an escape that is not known");
    this.#at += 1;
    return token.value !== undefined ? { text: token.value } : { field: token.word };
  }

  #value(is) {
    if (!this.#takes("{")) return this.#one(is);
    const list = [];
    while (!this.#takes("}")) list.push(this.#one(is));
    return list;
  }

  #one(is) {
    const token = this.#peek();
    if (token === undefined) throw new NotRead("ends where a value should be");
    // A regular expression is taken over nowhere, and full of them.
    if (token.isOdd && is !== "matches") throw new NotRead("uses an escape that is not known");
    this.#at += 1;
    return token.value ?? token.word;
  }
}

function called({ name, call }) {
  const [first, second] = call;
  if (name !== "starts_with" && name !== "ends_with") throw new NotRead(`uses the function ${name}`);
  if (call.length !== 2 || first.field === undefined || second.text === undefined)
    throw new NotRead(`uses ${name} otherwise than with a field and a text`);
  return { field: first.field, is: name, value: second.text };
}

/**
 * The alternatives of an expression: `[[condition, …], …]`, a condition being `{ field, is, value, not }`.
 * @throws NotRead with the reason, as a phrase after "the expression"
 */
export function alternativesOf(text) {
  const alternatives = spread(new Reader(text).whole(), false);
  if (alternatives.length > ALTERNATIVES_MAX) throw new NotRead(`has more than ${ALTERNATIVES_MAX} alternatives`);
  return alternatives;
}

/** Into "any of: all of", with every not at a single condition. */
function spread(read, negated) {
  if (read.not !== undefined) return spread(read.not, !negated);
  const any = negated ? read.and : read.or;
  if (any !== undefined) return any.flatMap((part) => spread(part, negated));
  const all = negated ? read.or : read.and;
  if (all === undefined) return single({ ...read, not: negated });
  return all
    .map((part) => spread(part, negated))
    .reduce(
      (left, right) => {
        if (left.length * right.length > ALTERNATIVES_MAX) throw new NotRead(`has more than ${ALTERNATIVES_MAX} alternatives`);
        return left.flatMap((one) => right.map((other) => [...one, ...other]));
      },
      [[]],
    );
}

/** A path in a list is one of several. */
function single(condition) {
  const { field, is, value, not } = condition;
  if (field !== "http.request.uri.path" || is !== "in" || not || !Array.isArray(value)) return [[condition]];
  return value.map((one) => [{ ...condition, is: "eq", value: one }]);
}
