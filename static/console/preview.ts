/** What visitors read in each state, in each language, with the room's own words: the same telling as the page's, and no visitor is touched. */
import { LANGUAGES, type Lang } from "../../src/core/languages";
import { english } from "../../src/core/languages/en";
import type { PositionDisplay } from "../../src/core/settings-types";
import { type Telling, tell } from "../../src/core/telling";
import { withOverrides } from "../../src/core/word-overrides";
import type { Words } from "../../src/core/words";
import { card, field, fill, h } from "./dom";
import type { Bridge } from "./operator";
import { pageLink } from "./page-link";
import { sampleStatus, samples } from "./samples";
import type { View } from "./watch";

/** Paths of the catalogues, which the page of the console names. */
const files = JSON.parse(document.getElementById("words")?.textContent ?? "{}") as Readonly<Partial<Record<Lang, string>>>;
const catalogues = new Map<Lang, Words>([["en", english]]);

async function catalogue(lang: Lang): Promise<Words | null> {
  const known = catalogues.get(lang);
  const path = files[lang];
  if (known !== undefined || path === undefined) return known ?? null;
  const reply = await fetch(path).catch(() => null);
  if (!reply?.ok) return null;
  const words = (await reply.json()) as Words;
  catalogues.set(lang, words);
  return words;
}

export function preview({ name, api }: Bridge): { readonly node: HTMLElement; show(view: View): void } {
  const made = Date.now();
  const states = samples(made);
  const state = h("select", {}, ...Object.keys(states).map((each) => h("option", { value: each }, each)));
  const langs = Object.entries(LANGUAGES).filter(([code]) => code === "en" || code in files);
  const lang = h("select", {}, ...langs.map(([code, { name: own }]) => h("option", { value: code, lang: code }, own)));
  const page = h("div", { class: "page-preview" });
  let last: View | null = null;
  let shown = "";

  async function draw(): Promise<void> {
    const settings = last?.room?.settings ?? {};
    const code = lang.value as Lang;
    const words = await catalogue(code);
    // Another one was chosen while it came.
    if (lang.value !== code) return;
    if (words === null) return fill(page, h("p", { class: "bad" }, "These words cannot be had just now."));
    const overrides = (settings["words"] as Readonly<Partial<Record<Lang, Parameters<typeof withOverrides>[1]>>> | undefined)?.[code];
    const messages = settings["messages"] as Readonly<Partial<Record<Lang, string>>> | undefined;
    const message = messages?.[code] ?? String(settings["message"] ?? "");
    const said = tell(
      sampleStatus(name, message, made, states[state.value] ?? {}),
      overrides === undefined ? words : withOverrides(words, overrides),
      {
        title: String(settings["title"] || name),
        lang: code,
        auto: true,
        position: (settings["position_display"] as PositionDisplay | undefined) ?? "exact",
        own: { locale: code, zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      },
    );
    fill(page, ...parts(said));
    page.lang = code;
    page.dir = LANGUAGES[code].dir;
  }

  for (const select of [state, lang]) select.addEventListener("change", () => void draw());
  return {
    node: card(
      "What visitors read",
      h("div", { class: "row" }, field("State", state), field("Language", lang)),
      page,
      pageLink({ name, api }),
    ),
    show(view) {
      last = view;
      const { title, message, messages, words, position_display: position } = view.room?.settings ?? {};
      const now = JSON.stringify([title, message, messages, words, position]);
      if (now === shown || view.room === null) return;
      shown = now;
      void draw();
    },
  };
}

/** In the order of the page. */
function parts({ title, heading, count, estimate, body, message, reference }: Telling): HTMLElement[] {
  const text = (tag: "p" | "strong", className: string, said: string | null | undefined) =>
    said ? [h(tag, { class: className }, said)] : [];
  return [
    h("p", { class: "hint" }, title),
    h("h3", {}, heading),
    ...(count === null ? [] : [...text("strong", "number", count.number), ...text("p", "hint", count.label)]),
    ...text("p", "estimate", estimate),
    ...body.map((paragraph) => h("p", {}, paragraph)),
    ...text("p", "said", message),
    ...text("p", "hint", reference),
  ];
}
