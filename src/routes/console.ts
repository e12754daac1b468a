/**
 * The console's page: an empty shell with no secret and nothing of any room in it. What it shows it asks of the admin API, with the token
 * that somebody pastes.
 */
import { assets } from "../assets";
import { originOf } from "../core/safe-target";
import { html, jsonData } from "../http/html";
import { pageReply, redirectReply } from "../http/replies";
import { newNonce } from "../keys";
import type { AppContext } from "./context";

/** GET admin/. */
export function getConsole(): Response {
  const nonce = newNonce();
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Waiting room console</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" nonce="${nonce}" href="${assets["console-style"]}">
</head>
<body>
<header></header>
<main><noscript><p>The console needs JavaScript. The admin API does everything that it does.</p></noscript></main>
<script type="application/json" id="words">${jsonData(assets.words)}</script>
<script type="module" nonce="${nonce}" src="${assets.console}"></script>
</body>
</html>
`;
  return pageReply(String(page), nonce, { status: 200, noindex: true });
}

/** GET admin: relative addresses need the slash. */
export function getConsoleAddress(c: AppContext): Response {
  return redirectReply(`${originOf(c.env.url)}/__vestibule/admin/`);
}
