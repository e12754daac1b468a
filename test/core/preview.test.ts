/** `npm run preview`: what it reads, and what it makes of it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { indexPage, loadPreview, type PreviewCode, readRoom, stateReply } from "../../scripts/lib/preview-site.mjs";
import { root } from "../support/bundle";
import { NOW } from "../support/page-states";

let code: PreviewCode;
let directory: string;
beforeAll(async () => {
  code = await loadPreview(root);
  directory = mkdtempSync(join(tmpdir(), "vestibule-preview-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

const write = (name: string, text: string) => {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
};
const config = join(root, "wrangler.toml");
const look = { lang: "en", theme: "auto", now: NOW } as const;

test("[LOOK-4] the room of the configuration with settings, a template and a logo of files, in every state", async () => {
  const settings = write("own.json", '{ "title": "Own shop", "message": "Hello", "accent_color": "#7a1f5c" }');
  const template = write("page.html", "<p>{{title}}: {{waitTimeFormatted}}</p>");
  const logo = write("logo.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="10"></svg>');
  const read = await readRoom(code, { config, room: "demo", settings, template, logo });
  expect(indexPage(code, read, { ...look, width: "phone" }).match(/<iframe/g)).toHaveLength(code.KINDS.length);
  const own = await stateReply(root, code, read, { ...look, state: "waiting" });
  expect(await own.text()).toBe("<p>Own shop: 14 minutes</p>");
  expect(own.headers.get("Refresh")).toBeNull();
  const ours = await (await stateReply(root, code, read, { ...look, state: "left", theme: "dark" })).text();
  expect(ours).toContain(`files/${read.logo?.name}`);
  expect(ours).toContain(":root{color-scheme:dark;--accent:");
  expect(ours).not.toMatch(/<script|http-equiv/);
});

test("[LOOK-4] what is wrong in a file is said, all of it", async () => {
  const settings = write("bad.json", '{ "accent_color": "#ffcc00", "totle": "x" }');
  await expect(readRoom(code, { config, settings })).rejects.toThrow(/totle is not a setting[\s\S]*accent_color is #ffcc00/);
  const template = write("bad.html", "{{waitTimes}}");
  await expect(readRoom(code, { config, template })).rejects.toThrow("has {{waitTimes}}, which is no variable; the nearest is waitTime.");
  await expect(readRoom(code, { config, logo: template })).rejects.toThrow("must be a PNG, JPEG, WebP or SVG file");
});
