/** The part of mustache 4.2 that is used here: it brings no types of its own. */
declare module "mustache" {
  /** Kind, what the tag says, where it begins and ends, what is inside a section, and where that ends. */
  export type Token = [kind: string, value: string, start: number, end: number, inside?: Token[], insideEnd?: number];
  export class Writer {
    parse(template: string): Token[];
    renderTokens(tokens: Token[], context: Context, partials: undefined, template: string): string;
  }
  export class Context {
    constructor(view: object);
  }
  const mustache: { readonly Writer: typeof Writer; readonly Context: typeof Context; parse(template: string): Token[] };
  export default mustache;
}
