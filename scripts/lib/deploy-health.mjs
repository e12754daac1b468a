/**
 * Asks a deployed host whether the Worker answers there. `fetch` and `wait` are handed in.
 */

const TRIES = 20;
/** New routes take seconds to reach every data centre. */
const WAIT_MS = 3_000;

/** null = healthy; else what the last answer was, as a sentence. */
export async function askHealth(host, { fetch, wait }) {
  const url = `https://${host}/__vestibule/health`;
  let last = "";
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    last = await askOnce(url, fetch);
    if (last === null) return null;
    if (attempt < TRIES) await wait(WAIT_MS);
  }
  return last;
}

async function askOnce(url, fetch) {
  try {
    const reply = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
    const body = await reply.text();
    if (reply.status === 200 && isOurs(body)) return null;
    if (body.includes('"misconfigured"')) return `${url}: the Worker runs but refuses its settings or secrets: see \`npx wrangler tail\`.`;
    return `${url}: answered ${reply.status}, not by the Worker: is the host's DNS record proxied (orange cloud), and the route there?`;
  } catch (error) {
    return `${url}: ${error.cause?.message ?? error.message}`;
  }
}

/** A site with a page for every path would answer 200 as well. */
function isOurs(body) {
  try {
    return JSON.parse(body).status === "ok";
  } catch {
    return false;
  }
}
