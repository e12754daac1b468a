/** Settings of the waiting page: words, look, a page of one's own. A part of the one list (settings-schema.ts). Pure. */
import { isTemplateName, readLogoName } from "./page-files";
import { colour, oneOf, optional, origins, pageFile, type Setting, text } from "./settings-kinds";
import { templateLanguage, textsByLanguage, wordsByLanguage } from "./settings-words";

export const PAGE_SETTINGS = {
  title: optional(text(80, false), ""),
  message: optional(text(280, true), ""),
  messages: optional(textsByLanguage(280), {}),
  default_template_language: optional(templateLanguage(), "en-US"),
  words: optional(wordsByLanguage(), {}),
  position_display: optional(oneOf("exact", "rounded", "capped", "hidden"), "exact"),
  accent_color: optional(colour(), ""),
  accent_color_dark: optional(colour(), ""),
  background_color: optional(colour(), ""),
  background_color_dark: optional(colour(), ""),
  color_scheme: optional(oneOf("auto", "light", "dark"), "auto"),
  logo: optional(
    pageFile("logo", (name) => readLogoName(name) !== null),
    "",
  ),
  logo_alt: optional(text(120, false), ""),
  template: optional(pageFile("template", isTemplateName), ""),
  template_origins: optional(origins(16), []),
} as const satisfies Record<string, Setting<unknown>>;
