/**
 * `npm run doctor` asks a deployed address: at most 12 requests, one after another, each within ten seconds, all to the one host that was given,
 * none followed. Takes no place: it asks like a browser that opens the page once, and never comes back with the cookie it got.
 * `fetch` and `now` are handed in.
 */
import { parseCookie, roomOfCookie } from "./doctor-cookies.mjs";
import { isGated, ownCookies } from "./doctor-reply.mjs";

const REQUESTS_MAX = 12;
const TIMEOUT_MS = 10_000;
/** More of a body is not read. */
const BODY_MAX_BYTES = 262_144;
const BROWSER = {
  Accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "none",
};
const PROGRAM = { Accept: "application/json" };

/**
 * @param url the address, with its path
 * @param room name of its room by the file; null = the cookie tells
 * @param roomPath path of that room on this host
 * @param adminToken null = the admin API is not asked
 * @returns replies by name, as `judgeReplies` reads them
 */
export async function probe({ url, room, roomPath, adminToken }, world) {
  const target = new URL(url);
  let left = REQUESTS_MAX;
  const ask = (path, headers = PROGRAM) => {
    if (left-- === 0) throw new Error(`more than ${REQUESTS_MAX} requests`);
    return askOnce(new URL(path, target), headers, world);
  };
  const first = await ask("/__vestibule/health");
  if (first.failed) return { health: [first] };
  const page = await ask(target.href, BROWSER);
  const own = ownCookies(page)
    .map(parseCookie)
    .filter(({ value }) => value !== "");
  const name = room ?? own.map((cookie) => roomOfCookie(cookie.name))[0] ?? null;
  const way = `/__vestibule/check?to=${encodeURIComponent(target.href)}`;
  const blank = await ask(way, BROWSER);
  const cookies = (own.length > 0 ? own : ownCookies(blank).map(parseCookie)).map((cookie) => `${cookie.name}=${cookie.value}`);
  const withCookies = cookies.length === 0 ? {} : { Cookie: cookies.join("; ") };
  const check = cookies.length === 0 ? undefined : await ask(way, { ...BROWSER, ...withCookies });
  const api = name === null ? null : `/__vestibule/rooms/${name}`;
  const askStatus = () => ask(`${api}/status`, { ...PROGRAM, ...withCookies });
  const status = api === null ? [] : [await askStatus()];
  const manifest = api === null ? undefined : await ask(`${api}/manifest`);
  const second = await ask("/__vestibule/health");
  if (api !== null) status.push(await askStatus());
  const spellings = [];
  if (isGated(page) && roomPath !== "/") for (const path of otherSpellings(roomPath)) spellings.push(await ask(path, BROWSER));
  const isPlainAsked = target.protocol === "https:" && target.port === "";
  const plain = isPlainAsked ? await ask(`http://${target.hostname}/__vestibule/health`) : undefined;
  const isAdminAsked = adminToken !== null && name !== null;
  const authorization = { ...PROGRAM, Authorization: `Bearer ${adminToken}` };
  const admin = isAdminAsked ? await ask(`/__vestibule/admin/api/rooms/${name}`, authorization) : undefined;
  return { health: [first, second], page, blank, check, status, manifest, spellings, plain, admin };
}

/** What a route that compares letter by letter, and with the query, may miss. */
function otherSpellings(path) {
  const first = path.search(/[a-z]/);
  const other = first < 0 ? [] : [path.slice(0, first) + path[first].toUpperCase() + path.slice(first + 1)];
  return [`${path}?vestibule-doctor=1`, ...other];
}

async function askOnce(url, headers, { fetch, now }) {
  const askedMs = now();
  try {
    const init = {
      headers: { "User-Agent": "Vestibule-Doctor/1", ...headers },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    const reply = await fetch(url.href, init);
    const atMs = (askedMs + now()) / 2;
    return { url: url.href, status: reply.status, headers: [...reply.headers], body: await textOf(reply), atMs };
  } catch (error) {
    return { url: url.href, failed: error.cause?.message || error.cause?.code || error.message };
  }
}

async function textOf(reply) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of reply.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > BODY_MAX_BYTES) break;
  }
  return text;
}
