/**
 * Starts the Chromium that comes from the registry (@sparticuz/chromium): browser tests need no system package.
 * The package carries brotli archives; they are unpacked once into node_modules/.cache and used from there.
 * Node only; knows nothing of Vestibule.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflate } from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";
import { PATIENCE } from "./patience";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packageDir = join(root, "node_modules/@sparticuz/chromium");

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let unpacked: Promise<string> | undefined;

/** Directory with `chromium`, `fonts/` and `al2023/lib/`. Safe when several processes unpack at once. */
function unpackChromium(): Promise<string> {
  unpacked ??= unpack();
  return unpacked;
}

async function unpack(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8")) as { version: string };
  const home = join(root, "node_modules/.cache", `chromium-${version}-${process.arch}`);
  if (existsSync(home)) return home;
  await mkdir(dirname(home), { recursive: true });
  // inflate() writes under os.tmpdir() and takes any file it finds there for a whole one. A private directory,
  // renamed when complete, keeps a half-written browser of an interrupted run from being used.
  const part = await mkdtemp(`${home}.part-`);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = part;
  try {
    const names = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
    const jobs = names.map((name) => inflate(join(packageDir, "bin", name)));
    await Promise.all(jobs);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  // The configuration in the package looks for its fonts in /tmp; without fonts no text is drawn and no layout is real.
  const fonts = `<?xml version="1.0"?><fontconfig><dir>${home}/fonts/fonts</dir><cachedir>${home}/fonts/cache</cachedir></fontconfig>`;
  await writeFile(join(part, "fonts/fonts.conf"), fonts);
  try {
    await rename(part, home);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
  return home;
}

/**
 * Launch a headless browser, with some flags more, and without some of Playwright's own; close it in `afterAll`. Contexts (`browser.newContext()`) are separate visitors.
 * Rejects with the browser's own output when it cannot start.
 */
export async function launchChromium(extraFlags: readonly string[] = [], withoutFlags: readonly string[] = []): Promise<Browser> {
  const home = await unpackChromium();
  const libraries = [join(home, "al2023/lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  const browser = await chromium.launch({
    executablePath: join(home, "chromium"),
    args: [...flags, ...extraFlags],
    ignoreDefaultArgs: [...withoutFlags],
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(home, "fonts") },
  });
  browser.on("context", (context) => context.setDefaultTimeout(PATIENCE.timeout));
  return browser;
}
