/**
 * `npm run preview`: every state of the waiting page in the browser, from wrangler.toml and the files that are named, on this computer alone.
 * Nothing is stored or sent; files are read anew with every load. Ctrl-C ends it.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { numberOf } from "./lib/number-option.mjs";
import { indexPage, loadPreview, readRoom, stateReply, WIDTHS } from "./lib/preview-site.mjs";
import { installIfNeeded, root } from "./setup.mjs";

const USAGE = `npm run preview [-- options]
  --room NAME       a room of the configuration; the first that is not demo unless told otherwise
  --config FILE     instead of wrangler.toml
  --settings FILE   JSON with settings to put over the room's, as in a PATCH
  --template FILE   a page of your own (docs/own-page.md)
  --logo FILE       a logo
  --port N          1 to 65535, or 0 for any (default 8790)`;

function readOptions() {
  const text = { type: "string" };
  const options = { room: text, config: text, settings: text, template: text, logo: text, port: text, help: { type: "boolean" } };
  try {
    const { values } = parseArgs({ options, strict: true });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const port = numberOf(values, "port", 8_790, 0, 65_535);
    return { ...values, port, config: values.config ?? join(root, "wrangler.toml") };
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    return process.exit(1);
  }
}

const options = readOptions();
installIfNeeded();
const code = await loadPreview(root);

async function answer(url) {
  const read = await readRoom(code, options);
  const query = url.searchParams;
  const lang = code.LANGS.includes(query.get("lang")) ? query.get("lang") : read.settings.defaultLanguage;
  const theme = ["light", "dark"].includes(query.get("theme")) ? query.get("theme") : "auto";
  const width = Object.hasOwn(WIDTHS, query.get("width") ?? "") ? query.get("width") : "phone";
  const state = /^\/state\/([a-z-]+)$/.exec(url.pathname)?.[1];
  if (state !== undefined && code.isKind(state)) return stateReply(root, code, read, { state, lang, theme, now: Date.now() });
  if (read.logo !== null && url.pathname.endsWith(`/files/${read.logo.name}`)) return code.fileReply(read.logo.bytes, read.logo.type);
  if (url.pathname !== "/") return new Response("There is nothing at this address.", { status: 404 });
  return new Response(indexPage(code, read, { lang, theme, width }), { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/** What is wrong with a file is said where it is looked at: it can be mended and loaded again. */
async function answerOrSay(url) {
  try {
    return await answer(url);
  } catch (error) {
    return new Response(error.message, { status: 500, headers: { "Content-Type": "text/plain; charset=utf-8" } });
  }
}

const server = createServer(async (request, response) => {
  const reply = await answerOrSay(new URL(request.url, "http://localhost"));
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  response.end(Buffer.from(await reply.arrayBuffer()));
});
server.on("error", (error) => {
  console.error(error.code === "EADDRINUSE" ? `Port ${options.port} is taken: choose another with --port.` : error.message);
  process.exit(1);
});
// What is wrong now is said at once.
await readRoom(code, options).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(options.port, "127.0.0.1", () => console.log(`Preview: http://127.0.0.1:${server.address().port}/  (Ctrl-C ends it)`));
