/**
 * The page on which anybody checks a draw. It says how the draw works without scripts; static/verify.ts computes on the visitor's device.
 * No I/O, no clock: what is known of draw and visitor is handed in.
 */
import { assets } from "../assets";
import type { PendingDraw } from "../core/draw";
import type { LookSettings } from "../core/settings-types";
import type { VerifyData } from "../core/verify-data";
import { englishVerify } from "../core/verify-words";
import { html, jsonData, nothing } from "../http/html";
import { apiOf, header, iconOf, styles } from "./page";

export interface VerifyView {
  readonly id: number | "latest";
  readonly room: string;
  /** Title of the room. */
  readonly title: string;
  /** The operator's colours and logo; ours unless told otherwise. */
  readonly look?: LookSettings;
  readonly nonce: string;
  /** null = it is drawn. */
  readonly pending: PendingDraw | null;
  readonly own: VerifyData["own"];
  /** For `npm run verify-draw -- --receipt`; null without an entry of one's own. */
  readonly receipt: string | null;
}

/** The page as HTML. Send it with `pageReply` and the same nonce. */
export function renderVerifyPage({ id, room, title, look, nonce, pending, own, receipt }: VerifyView): string {
  const words = englishVerify;
  const lang = "en";
  const record = `${apiOf(room)}/draws/${id}`;
  const batches = `${record}/batches`;
  const data: VerifyData = { record, batches, lang, words, own };
  const say = (text: string, values: Readonly<Record<string, string | number>>) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
  const { entry = 0, slot = null } = own ?? {};
  const ownLine = own === null ? nothing : html`<p>${say(slot === null ? words.ownPending : words.own, { entry, slot: slot ?? 0 })}</p>`;
  // Whoever has an entry comes to learn what became of it; whoever has none, how it works.
  const how = html`<ol>${words.how.map((line) => html`<li>${line}</li>`)}</ol>
`;
  const found =
    pending === null
      ? checking(words, own)
      : html`<p id="result" class="box">${say(words.pending, { commitment: pending.commitment })}</p>
`;
  return String(html`<!doctype html>
<html lang="${lang}" dir="ltr">
<head>
<meta charset="utf-8">
<title>${words.title} &ndash; ${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
${iconOf(look)}
${styles(look, nonce)}
</head>
<body>
<header>${header({ title, ...(look && { look }) }, apiOf(room))}</header>
<main>
<h1>${words.title}</h1>
${own === null ? [how, found] : [ownLine, found, how]}
${receipt === null ? nothing : html`<div class="box"><p>${words.receipt}</p><p><code id="receipt">${receipt}</code></p></div>`}
</main>
<footer><p>${words.limits}</p><p><a href="${record}">${words.record}</a> &middot; <a href="${batches}">${words.list}</a></p></footer>
${
  pending === null
    ? html`<script type="application/json" id="data">${jsonData(data)}</script>
<script type="module" nonce="${nonce}" src="${assets.verify}"></script>`
    : nothing
}
</body>
</html>
`);
}

function checking(words: VerifyData["words"], own: VerifyData["own"]) {
  return html`<div id="result" class="box" role="status"></div>
<noscript><p class="box">${words.noScript}</p></noscript>
<form id="ask" hidden><label for="entry">${words.entryLabel}</label><input id="entry" type="number" min="0" step="1" required value="${own?.entry ?? ""}"><button>${words.check}</button><button type="button" id="list" class="plain">${words.checkList}</button></form>`;
}
