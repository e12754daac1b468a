/**
 * `npm run screenshots`: every state of the waiting page as pictures in docs/images, photographed in the Chromium of the tests: one on a phone
 * for each state, and sheets with all of them in light, dark and Arabic. The samples stand at one instant, so an unchanged page gives the same pictures.
 * Writes docs/images and nothing else.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "./lib/load-source.mjs";
import { loadPreview, readRoom, stateReply } from "./lib/preview-site.mjs";
import { installIfNeeded, root } from "./setup.mjs";

const NOW = Date.UTC(2026, 10, 29, 9, 21, 7);
const SITE = "https://shop.test";
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1_120, height: 900 };
/** The sheets by name. `scale`: of a picture on its sheet. */
const SHEETS = {
  light: { lang: "en", theme: "light", viewport: DESKTOP, scale: 0.4, columns: 4 },
  dark: { lang: "en", theme: "dark", viewport: PHONE, scale: 0.6, columns: 8 },
  arabic: { lang: "ar", theme: "light", viewport: PHONE, scale: 0.6, columns: 8 },
};
const PER_SHEET = 32;
const QUALITY = { picture: 70, sheet: 60 };

installIfNeeded();
installIfNeeded("scripts/screenshots", ["--ignore-scripts"]);
const code = await loadPreview(root);
const { launchChromium } = await loadSource(root, "test/support/chromium.ts");
const fontFile = join(
  root,
  "scripts/screenshots/node_modules/@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2",
);
const FONT = `<style>@font-face{font-family:Arabic;font-weight:100 900;unicode-range:U+0600-06FF,U+FB50-FDFF,U+FE70-FEFC;src:url(data:font/woff2;base64,${readFileSync(fontFile).toString("base64")})}html{font-family:Arabic,"Open Sans",sans-serif}</style></head>`;
const read = await readRoom(code, { config: join(root, "wrangler.toml"), room: "demo" });
const images = join(root, "docs/images");

async function pageFor(browser, { lang, theme, viewport }) {
  // Pictures need a font, which no page of ours loads.
  const context = await browser.newContext({
    viewport,
    bypassCSP: true,
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  await context.route("**/*", async (route) => {
    const state = new URL(route.request().url()).pathname.slice(1);
    const reply = await stateReply(root, code, read, { state, lang, theme: "auto", now: NOW });
    const body = (await reply.text()).replace("</head>", lang === "ar" ? FONT : "</head>");
    return route.fulfill({ status: reply.status, headers: Object.fromEntries(reply.headers), body });
  });
  return context.newPage();
}

async function webp(page, quality, clip) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality,
    captureBeyondViewport: true,
    clip: { ...clip, x: 0, y: 0, scale: 1 },
  });
  return Buffer.from(data, "base64");
}

async function shoot(page, state) {
  await page.goto(`${SITE}/${state}`);
  return page.screenshot({ type: "png" });
}

/** Pictures with their names under them, as many as go on one sheet. */
async function sheet(browser, pictures, { viewport, scale, columns }) {
  const [width, height] = [viewport.width, viewport.height].map((side) => Math.round(side * scale));
  const cells = pictures.map(
    ([state, png]) =>
      `<figure><img width="${width}" height="${height}" src="data:image/png;base64,${png.toString("base64")}"><figcaption>${state}</figcaption></figure>`,
  );
  const all = { width: columns * (width + 16) + 16, height: Math.ceil(pictures.length / columns) * (height + 48) + 16 };
  const page = await browser.newPage({ viewport: all });
  await page.setContent(
    `<style>body{margin:16px 0 0 16px;display:flex;flex-wrap:wrap;gap:16px;background:#8a8f8c;font:14px/16px "Open Sans",sans-serif}figure{margin:0}img{display:block}figcaption{margin-top:6px;height:10px;color:#fff}</style>${cells.join("")}`,
  );
  const picture = await webp(page, QUALITY.sheet, all);
  await page.close();
  return picture;
}

rmSync(images, { recursive: true, force: true });
mkdirSync(images, { recursive: true });
const browser = await launchChromium();
try {
  const phone = await pageFor(browser, { lang: "en", theme: "light", viewport: PHONE });
  for (const state of code.KINDS) {
    await phone.goto(`${SITE}/${state}`);
    // All of it, however long.
    const height = await phone.evaluate("document.documentElement.scrollHeight");
    writeFileSync(
      join(images, `${state}.webp`),
      await webp(phone, QUALITY.picture, { width: PHONE.width, height: Math.min(height, 1_600) }),
    );
  }
  for (const [name, look] of Object.entries(SHEETS)) {
    const page = await pageFor(browser, look);
    const pictures = [];
    for (const state of code.KINDS) pictures.push([state, await shoot(page, state)]);
    for (let i = 0; i * PER_SHEET < pictures.length; i++) {
      const part = pictures.slice(i * PER_SHEET, (i + 1) * PER_SHEET);
      writeFileSync(join(images, `sheet-${name}-${i + 1}.webp`), await sheet(browser, part, look));
    }
    await page.context().close();
  }
} finally {
  await browser.close();
}
const bytes = readdirSync(images).reduce((sum, file) => sum + statSync(join(images, file)).size, 0);
console.log(`${readdirSync(images).length} pictures in docs/images, ${Math.round(bytes / 1_024)} KB`);
