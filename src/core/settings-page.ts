/** Settings of the waiting page: words, look, a page of one's own. A part of the one list (settings-schema.ts). Pure. */
import { isTemplateName, readLogoName } from "./page-files";
import { colour, oneOf, optional, origins, pageFile, type Setting, text } from "./settings-kinds";
import { templateLanguage, textsByLanguage, wordsByLanguage } from "./settings-words";

export const PAGE_SETTINGS = {
  title: optional(text(80, false), "", "The heading of the waiting page; the host's name if empty."),
  message: optional(text(280, true), "", "A message to everybody in line."),
  messages: optional(
    textsByLanguage(280),
    {},
    "The same message in other languages: who reads one of them sees its text in place of message.",
  ),
  default_template_language: optional(
    templateLanguage(),
    "en-US",
    "The language of the waiting page for visitors whose own it does not have, as Cloudflare names it.",
  ),
  words: optional(wordsByLanguage(), {}, "Texts of the waiting page in place of ours, by language and name (docs/page.md)."),
  position_display: optional(
    oneOf("exact", "rounded", "capped", "hidden"),
    "exact",
    "How the page shows the number of people ahead. rounded: two figures, rounded up; capped: as exact, but 2,000+ from there on; hidden: the estimate alone. What programs are told is always exact.",
  ),
  accent_color: optional(
    colour(),
    "",
    "The waiting page's colour for buttons, links and the number. It must read well on the page: a contrast of 4.5 (WCAG AA), or it is refused with what would do.",
  ),
  accent_color_dark: optional(colour(), "", "The same where visitors prefer dark pages; follows from accent_color if empty."),
  background_color: optional(colour(), "", "The waiting page's ground."),
  background_color_dark: optional(colour(), "", "The same where visitors prefer dark pages."),
  color_scheme: optional(
    oneOf("auto", "light", "dark"),
    "auto",
    "Light or dark pages: auto as each visitor prefers, else always the same.",
  ),
  logo: optional(
    pageFile("logo", (name) => readLogoName(name) !== null),
    "",
    "The logo above the waiting page. Set by the upload itself; by name, one of the last that were uploaded holds again.",
  ),
  logo_alt: optional(
    text(120, false),
    "",
    "What the logo says, for those who cannot see it; the logo then stands in place of the title. If empty it stands beside the title.",
  ),
  template: optional(
    pageFile("template", isTemplateName),
    "",
    "A waiting page of your own, with the variables of Cloudflare's custom_page_html (docs/own-page.md). Set by the upload itself, as logo is.",
  ),
  template_origins: optional(
    origins(16),
    [],
    "Origins that scripts and frames of the template may be of, and that its scripts may ask, besides the site itself.",
  ),
} as const satisfies Record<string, Setting<unknown>>;
