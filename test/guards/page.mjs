/** Guards of what the page says and shows (PAGE). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const script = "test/core/page-script.test.ts";

export const guards = [
  ...guardsOf("src/core/settings-bindings.ts", "test/core/look.test.ts", [
    [
      "colours: what cannot be read is refused",
      "LOOK-1",
      "if (found === null) return null;",
      "return null;",
      "[LOOK-1] by name, with the ratio",
    ],
  ]),
  ...guardsOf("static/wait.ts", "test/e2e/look.test.ts", [
    ["look: asked for once", "LOOK-2", "look = found.look;", "", "[LOOK-2] title, colours, words and numbers"],
  ]),
  ...guardsOf("durable/store.ts", "test/durable/config.test.ts", [
    [
      "message: its time is its own",
      "PAGE-25",
      ", 0) ORDER BY revision LIMIT 1`",
      ", 0) ORDER BY revision DESC LIMIT 1`",
      "[PAGE-25] the message's time",
    ],
  ]),
  ...guardsOf("static/wait/glide.ts", script, [
    ["number: never less than what was told", "PAGE-23", "Math.min(1, share)", "share", "ends at what was told, never less"],
  ]),
  ...guardsOf("static/wait/rise.ts", script, [
    ["estimate: explained once in ten minutes", "PAGE-24", " && now - this.#saidAt > QUIET_MS", "", "not again within ten"],
    ["estimate: another place explains nothing", "PAGE-24", "slot !== this.#slot", "false", "not again within ten"],
  ]),
  ...guardsOf("src/core/languages.ts", "test/core/languages.test.ts", [
    [
      "languages: the one that weighs most",
      "PAGE-20",
      "toSorted((a, b) => b.weight - a.weight)",
      "slice()",
      "then the browser's languages by weight",
    ],
  ]),
];
