/**
 * One walk through each application, with everything that it does over HTTP: pages, validators, ranges, compression, redirects,
 * log-in, forms, uploads, WebSocket. The same requests with and without a room before it.
 */
import { createHash } from "node:crypto";
import { type AppName, PASSWORD, PIXEL } from "./apps";
import { headerOf, upload, type Walk } from "./walk";

export interface Journey {
  /** What differs between two runs of the same walk on its own: what matches is not compared. */
  readonly volatile: readonly RegExp[];
  walk(walk: Walk): Promise<void>;
}

const page = {
  Accept: "text/html,application/xhtml+xml",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "same-origin",
};
const encodings = { "Accept-Encoding": "gzip, deflate, br, zstd" };
const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };

/** A megabyte that does not compress. */
const noise = Buffer.concat(Array.from({ length: 32_768 }, (_, i) => createHash("sha256").update(String(i)).digest()));

/** In headers. */
const TIME = /\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g;

export const journeys: Readonly<Record<AppName, Journey>> = {
  tiddlywiki: { volatile: [], walk: tiddlywiki },
  hads: {
    // Names, times and validators of files stored a moment ago.
    volatile: [/\/images\/[\w-]+\.png/g, TIME, /-1[a-f][0-9a-f]{9}"/g, /W\/"17-[\w+/]{27}"/g],
    walk: hads,
  },
  droppy: {
    // Session, CSRF token and share link; validators of files, which hold their inode and time.
    volatile: [/s=[\w+/-]{40,}/g, /^[0-9a-f]{32}$/g, /"link":"\w+"/g, /"[0-9a-f]{2}-[\w+/]{27}"/g, TIME, /"noise.bin":"f\|\d+\|/g],
    walk: droppy,
  },
};

async function tiddlywiki(walk: Walk): Promise<void> {
  const auth = { Authorization: `Basic ${Buffer.from(`alice:${PASSWORD}`).toString("base64")}` };
  const own = { "X-Requested-With": "TiddlyWiki", ...json };
  await walk.ask("/", { headers: page });
  const front = await walk.ask("/", { headers: { ...page, ...encodings } }, "compressed");
  await walk.ask("/", { headers: { ...page, ...encodings, "If-None-Match": headerOf(front, "ETag") ?? "" } }, "known already");
  await walk.ask("/", { method: "HEAD" });
  await walk.ask("/status");
  await walk.ask("/favicon.ico");
  await walk.ask("/recipes/default/tiddlers.json?filter=[all[tiddlers]!is[system]sort[title]]");
  const title = "/recipes/default/tiddlers/A%20note%2Fwith%20%C3%BC";
  const note = JSON.stringify({ title: "A note/with ü", text: "Some *text*", created: "20261129120000000", modified: "20261129120000000" });
  await walk.ask(title, { method: "PUT", headers: own, body: note }, "nobody");
  await walk.ask("/login-basic", { headers: page }, "nobody");
  await walk.ask("/login-basic", { headers: { ...page, ...auth } }, "logged in");
  await walk.ask(title, { method: "PUT", headers: { ...own, ...auth }, body: note }, "logged in");
  await walk.ask(title);
  await walk.ask("/A%20note%2Fwith%20%C3%BC", { headers: page });
  const large = JSON.stringify({ title: "Large", text: noise.toString("base64") });
  await walk.ask("/recipes/default/tiddlers/Large", { method: "PUT", headers: { ...own, ...auth }, body: large }, "1.4 MB");
  await walk.ask("/recipes/default/tiddlers/Large", { headers: encodings }, "compressed");
  await walk.ask("/bags/default/tiddlers/Large", { method: "DELETE", headers: { ...own, ...auth } });
  await walk.ask("/recipes/default/tiddlers/Large");
  await walk.ask("/files/a%20file.txt");
  await walk.ask("/files/a%20file.txt", { headers: { Range: "bytes=7-20" } }, "bytes 7 to 20");
  await walk.ask("/no/such/page", { headers: page });
}

async function hads(walk: Walk): Promise<void> {
  await walk.ask("/", { headers: page });
  const front = await walk.ask("/", { headers: { ...page, ...encodings } }, "compressed");
  await walk.ask("/", { headers: { ...page, "If-None-Match": headerOf(front, "ETag") ?? "" } }, "known already");
  await walk.ask("/", { method: "HEAD" });
  await walk.ask("/roses", { headers: page });
  await walk.ask("/caf%C3%A9.md", { headers: page });
  await walk.ask("/?search=yellow+roses&x=%27%22", { headers: page });
  await walk.ask("/no-such-page", { headers: page });
  const css = await walk.ask("/_hads/css/style.css", { headers: encodings });
  await walk.ask("/_hads/css/style.css", { headers: { "If-None-Match": headerOf(css, "ETag") ?? "" } }, "known already");
  await walk.ask("/_hads/css/style.css", { headers: { "If-Modified-Since": headerOf(css, "Last-Modified") ?? "" } }, "known by its date");
  await walk.ask("/_hads/css", {}, "a folder");
  const script = "/_hads/mermaid/mermaid.min.js";
  for (const range of ["bytes=0-0", "bytes=1000-1999", "bytes=-100", "bytes=0-9,20-29", "bytes=99999999-", "lines=1-2"]) {
    await walk.ask(script, { headers: { Range: range } }, range);
  }
  await walk.ask(script, { headers: { Range: "bytes=0-9", "If-Range": headerOf(css, "ETag") ?? "" } }, "range if unchanged, and it is not");
  await walk.ask(script, { method: "HEAD" });
  await walk.ask("/beds?create=1", { headers: page });
  await walk.ask("/beds.md?create=1", { headers: page });
  const content = new URLSearchParams({ content: `# Beds\n\nÜber allen Gipfeln\n\n${"word ".repeat(20_000)}` }).toString();
  await walk.ask("/beds.md", { method: "POST", headers: { ...page, ...form, Origin: "http://site.test" }, body: content }, "a form");
  await walk.ask("/beds.md?raw=1");
  await walk.ask("/beds.md?edit=1", { headers: page });
  const stored = await walk.ask("/_hads/upload?route=/beds.md", upload("file", "a b.png", "image/png", PIXEL), "an upload");
  await walk.ask(String(JSON.parse(stored.body.toString())), { label: "GET the uploaded image" });
  await walk.ask("/roses.md", { method: "OPTIONS" });
  await walk.ask("/roses.md", { method: "DELETE" });
  await walk.ask("/%E0%A4%A", { headers: page }, "broken escapes");
}

async function droppy(walk: Walk): Promise<void> {
  const user = JSON.stringify({ username: "alice", password: PASSWORD, path: "/", remember: true });
  await walk.ask("/", { headers: page }, "never used before");
  await walk.ask("/!/adduser", { method: "POST", headers: json, body: user });
  await walk.ask("/!/logout", { method: "POST", headers: json, body: JSON.stringify({ path: "/" }) });
  await walk.ask("/", { headers: page }, "logged out");
  await walk.ask("/!/dl/hello.txt", { headers: page }, "logged out");
  await walk.ask("/!/file/hello.txt", {}, "logged out");
  await walk.ask("/!/login", { method: "POST", headers: json, body: user });
  const main = await walk.ask("/", { headers: { ...page, ...encodings } }, "logged in");
  await walk.ask("/", { headers: { ...page, ...encodings, "If-None-Match": headerOf(main, "ETag") ?? "" } }, "known already");
  await walk.ask("/", { method: "HEAD" });
  for (const encoding of ["br", "gzip", "identity"])
    await walk.ask("/!/res/client.js", { headers: { "Accept-Encoding": encoding } }, encoding);
  await walk.ask("/!/res/manifest.json");
  await walk.ask("/!/file/hello.txt");
  const wav = await walk.ask("/!/file/tone.wav");
  for (const range of ["bytes=0-", "bytes=44-1043", "bytes=-1000", "bytes=0-9,100-109", "bytes=99999999-"]) {
    await walk.ask("/!/file/tone.wav", { headers: { Range: range } }, range);
  }
  await walk.ask("/!/file/tone.wav", { headers: { Range: "bytes=0-9", "If-Range": headerOf(wav, "ETag") ?? "" } }, "range if unchanged");
  await walk.ask("/!/file/tone.wav", { headers: { "If-None-Match": headerOf(wav, "ETag") ?? "" } }, "known already");
  await walk.ask("/!/dl/folder/zwei%20%C3%BC.txt");
  await walk.ask("/!/dl/no-such-file");
  await walk.ask("/!/upload?vId=0&to=%2F", upload("file", "noise.bin", "application/octet-stream", noise), "1 MB");
  await walk.untilStored("/!/file/noise.bin", noise.length);
  await walk.ask("/!/file/noise.bin");
  await walk.ask("/!/file/noise.bin", { headers: { Range: "bytes=1000000-1000099" } }, "its end");
  const token = (await walk.ask("/!/token", { headers: { "X-App": "droppy" } })).body.toString();
  await walk.handshake("/!/socket");
  const say = (type: string, data?: unknown) => JSON.stringify({ type, data, vId: 0, token });
  await walk.untilTold("/!/socket", say("REQUEST_UPDATE", "/"), (answer) => answer.includes("noise.bin"));
  const answers = await walk.talk("/!/socket", [
    say("REQUEST_SETTINGS"),
    say("REQUEST_UPDATE", "/"),
    say("REQUEST_SHARELINK", { location: "/folder/shared", attachement: true }),
    say("SEARCH", { query: "zwei", dir: "/" }),
  ]);
  const link = /"link":"(\w+)"/.exec(answers.join())?.[1] ?? "";
  await walk.ask(`/$/${link}`, { headers: page, label: "GET the shared folder as a zip archive" });
  await walk.ask("/", { method: "PUT", body: "x" });
  await walk.ask("/!/logout", { method: "POST", headers: json, body: JSON.stringify({ path: "/" }) });
  await walk.handshake("/!/socket", { Origin: "http://site.test" });
}

/** Requests of each kind to a site that only notes what it gets. */
export async function echoWalk(walk: Walk): Promise<void> {
  const browser = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x64) Chrome/153.0.0.0",
    "Accept-Language": "de-CH,de;q=0.9",
    ...encodings,
    Cookie: `basket=7; theme="dark"; ${[...walk.cookies].map(([name, value]) => `${name}=${value}`).join("; ")}`.replace(/; $/, ""),
  };
  const from = { Origin: "http://site.test", Referer: "http://site.test/shop?a=1" };
  await walk.ask("/shop?a=%27b%27&c=d'e", { headers: { ...browser, ...page, "If-None-Match": '"x"', Range: "bytes=0-", DNT: "1" } });
  await walk.ask("/pay", { method: "POST", headers: { ...browser, ...page, ...form, ...from }, body: "card=1&name=%C3%BC" });
  await walk.ask("/api", {
    method: "PATCH",
    headers: { ...browser, ...json, ...from, "X-HTTP-Method-Override": "DELETE", "X-CSRF-Token": "t" },
    body: '{"a":1}',
  });
  await walk.handshake("/live", {
    ...browser,
    Origin: "http://site.test",
    "Sec-WebSocket-Protocol": "chat",
    "Sec-WebSocket-Extensions": "permessage-deflate",
  });
}
