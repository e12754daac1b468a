/** Visitors as requests: what a browser sends, and cookies that prove something. */
import { loadSource } from "../../scripts/lib/load-source.mjs";
import { root } from "../../scripts/setup.mjs";

/** A page load as Chrome makes it, but for the cookie. */
export const PAGE_LOAD = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "Accept-Encoding": "gzip, deflate, br, zstd",
  "Accept-Language": "en-GB,en;q=0.9",
  "Cache-Control": "max-age=0",
  "CF-Connecting-IP": "203.0.113.7",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "same-origin",
  "Sec-Fetch-User": "?1",
  "Upgrade-Insecure-Requests": "1",
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36",
};

/** A request by the page's own script. */
export const BY_SCRIPT = {
  ...PAGE_LOAD,
  Accept: "*/*",
  "Sec-Fetch-Dest": "empty",
  "Sec-Fetch-Mode": "cors",
};

/** Lets `count` visitors in, one page load after the other. @returns their `Cookie` headers, ticket and pass */
export async function admit(worker, count) {
  const { Visitor } = await loadSource(root, "test/support/jar.ts");
  const cookies = [];
  while (cookies.length < count) {
    const visitor = new Visitor(worker.url, { headers: { "User-Agent": PAGE_LOAD["User-Agent"] } });
    const deadline = Date.now() + 30_000;
    while (![...visitor.cookies.keys()].some((name) => name.startsWith("vestibule-pass."))) {
      if (Date.now() > deadline) throw new Error("a visitor was not let in for half a minute");
      const reply = await visitor.navigate("/");
      await reply.arrayBuffer();
      if (reply.status >= 500) throw new Error(`${reply.status}: ${worker.output.join("")}`);
    }
    cookies.push(visitor.cookieHeader());
  }
  return cookies;
}
