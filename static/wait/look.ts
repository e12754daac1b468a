/** Puts the operator's look and words on a page that is open (LOOK-2): what the server would write into it now. Keeps everything else. */
import type { PageData, PageLook } from "../../src/core/page-data";
import { byId, write } from "./show";

const TIMEOUT_MS = 10_000;

/** null = not to be had just now; the next answer asks again. */
export async function newLook({ api, lang }: Pick<PageData, "api" | "lang">): Promise<PageLook | null> {
  try {
    const reply = await fetch(`${api}/look?lang=${lang}`, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const found = reply.ok ? ((await reply.json()) as Partial<PageLook>) : {};
    return found.words && typeof found.sheet === "string" ? (found as PageLook) : null;
  } catch {
    return null;
  }
}

export function putOn({ title, position, sheet, words, logo }: PageLook, data: PageData): void {
  Object.assign(data, { title, position });
  // Others hold the same object.
  Object.assign(data.words, words);
  // An element that carries the nonce of its page may be filled anew.
  byId("look").textContent = sheet;
  write("title", title);
  const heading = byId("title");
  heading.hidden = (logo?.alt ?? "") !== "";
  const [mark, image] = ["svg", "img"].map((name) => heading.parentElement?.querySelector(name));
  image?.remove();
  mark?.toggleAttribute("hidden", logo !== null);
  if (logo !== null) heading.before(Object.assign(new Image(logo.width, logo.height), { src: logo.src, alt: logo.alt }));
}
