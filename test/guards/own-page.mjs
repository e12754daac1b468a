/** Guards of the logo and of pages of one's own (LOOK, OWN). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const core = "test/core/own-page.test.ts";
const worker = "test/worker/look.test.ts";

export const guards = [
  ...guardsOf("src/routes/preview-link.ts", worker, [
    [
      "preview: of one room, for an hour",
      "LOOK-4",
      "sealed.room !== room || sealed.exp * 1_000 < Date.now()",
      "false",
      "[LOOK-4] a link that was changed",
    ],
  ]),
  ...guardsOf("src/template/check.ts", core, [
    ["template: unknown variables", "OWN-2", "if (!isCf(name) && !isOwn(name)) {", "if (false) {", "[OWN-2] unknown variables"],
    ["template: raw texts of people", "OWN-2", 'kind === "&" && isOwn(name)', "false", "[OWN-2] partials, raw texts of people"],
  ]),
  ...guardsOf("src/template/parse.ts", "test/core/template-parse.test.ts", [
    ["template: read in little memory", "OWN-2", 'if (as === "is" || ', "if (true || ", "[OWN-2] of 1 MiB between two tags"],
    [
      "template: white space as mustache has it",
      "OWN-2",
      '(as === "line" && !/\\S/.test(part))',
      "false",
      "[OWN-2] what it comes to is what mustache alone",
    ],
  ]),
  ...guardsOf("src/template/contexts.ts", "test/core/template-parse.test.ts", [
    ["template: no texts in scripts", "OWN-4", 'return "in a script";', "return null;", "[OWN-4] W3 do not stand"],
    ["template: no texts in handlers", "OWN-4", "DANGEROUS.test(name)", "false", "[OWN-4] W3 do not stand"],
  ]),
  ...guardsOf("src/room/file-book.ts", "test/core/file-book.test.ts", [
    ["files: guesses have a budget of their own", "LOOK-5", "this.#isNamed(name) ?", "true ?", "[LOOK-5] names that anybody"],
  ]),
  ...guardsOf("src/room/file-shelf.ts", "test/core/file-book.test.ts", [
    ["files: of all rooms, within bounds", "LOOK-5", "this.#chars <= this.#max", "true", "[LOOK-5] all rooms together"],
  ]),
  ...guardsOf("src/template/render.ts", core, [
    [
      "template: nothing but variables",
      "OWN-4",
      "Object.assign(Object.create(null), values)",
      "{ ...values }",
      "[OWN-4] W3 texts of people",
    ],
    [
      "template: not where there is something to do",
      "OWN-1",
      'if (telling.act !== null || telling.kind === "challenge") return false;',
      "",
      "[OWN-1] none where",
    ],
  ]),
  ...guardsOf("src/routes/admin-files.ts", worker, [
    ["logo: its size", "LOOK-3", "readUpload(c, LOGO_MAX_BYTES)", "readUpload(c, 2 * LOGO_MAX_BYTES)", "[LOOK-3] 100 KB are taken"],
  ]),
  ...guardsOf("durable/page-file-names.ts", "test/durable/files.test.ts", [
    ["files: a name that is not kept", "LOOK-3", "known.has(name) || files.has(name)", "true", "a name of no file that is kept"],
    ["files: what was in force is kept first", "LOOK-3", "files.touch(name, now);", "void name;", "what was in force until now"],
  ]),
  ...guardsOf("src/http/replies.ts", "test/e2e/look.test.ts", [
    [
      "own page: connections of this origin alone",
      "OWN-5",
      "`connect-src 'self'${others}`",
      "`connect-src *`",
      "[OWN-5] W3 its own code runs",
    ],
  ]),
  ...guardsOf("src/routes/preview-link.ts", "test/worker/look.test.ts", [
    [
      "previews: what is not asked for is as it is in force",
      "LOOK-4",
      "SHOWN.filter((name) => !own.ok || ",
      "SHOWN.filter((name) => name.length > 0 || ",
      "[LOOK-4] [EVENT-3] during an event",
    ],
  ]),
];
