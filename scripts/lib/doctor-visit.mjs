/**
 * `npm run doctor`: what a visitor gets from the Worker, and whether it is what the file says: cookies, page, clock, keys, live values. Pure: replies
 * (doctor-reply.mjs) in, findings out.
 */

import { kidOf, parseCookie, whyNotKept } from "./doctor-cookies.mjs";
import { problem, warning } from "./doctor-findings.mjs";
import { ageOf, csp, header, isFromCache, isHealthy, isOurs, jsonOf, ownCookies } from "./doctor-reply.mjs";

/** Tokens stand this much difference between clocks, ms. */
const CLOCK_MS = 30_000;

/** The page that asks for cookies always sets one; the same question with it is answered by the way back. */
export function judgeCookies({ replies: { page, blank, check } }) {
  const found = [];
  const asks = blank && !blank.failed && isOurs(blank);
  if (asks && ownCookies(blank).length === 0)
    found.push(
      problem(
        "cookies-stripped",
        "The Worker's Set-Cookie does not arrive.",
        "Nobody can keep a place: everybody reads “Please allow cookies”.",
        "a cache or proxy in front takes cookies out: let it pass them for every path with a room, and for /__vestibule/*",
      ),
    );
  else if (check && !check.failed && isOurs(check) && !isFromCache(check) && check.status !== 303)
    found.push(
      problem(
        "cookies-lost",
        "A cookie of the Worker, sent back to it, does not arrive there.",
        "Nobody can keep a place: everybody reads “Please allow cookies”.",
        "a proxy in front takes Cookie out, or the keys that sign differ between versions of the Worker",
      ),
    );
  for (const reply of [page, blank, check].filter(Boolean)) {
    for (const line of ownCookies(reply)) {
      const why = whyNotKept(line, reply.url);
      const { name } = parseCookie(line);
      if (why !== null)
        found.push(
          problem(
            "cookie-refused",
            `Browsers do not keep ${name}: it ${why}.`,
            "Nobody can keep a place.",
            "cookie_domain of the room; proxies that rewrite Set-Cookie",
          ),
        );
    }
  }
  return found;
}

/** A page of ours carries its nonce on every script and style; what has none was put in on the way. */
export function judgeHtml(blank) {
  if (!blank || blank.failed || !isOurs(blank) || !/html/.test(header(blank, "content-type") ?? "")) return [];
  const body = blank.body ?? "";
  const nonce = /'nonce-([^']+)'/.exec(csp(blank))?.[1];
  const why =
    "The policy of the page stops foreign scripts, or they run without ours: the line then works by reloading only, or not at all.";
  const fix =
    "Rocket Loader, Email Obfuscation, Auto Minify, Web Analytics and Snippets off for /__vestibule/* and waiting pages (a Configuration Rule)";
  if (nonce === undefined)
    return [
      problem(
        "policy-stripped",
        "The waiting page's Content-Security-Policy does not arrive.",
        "Nothing stops what others put into the page.",
        "rules that set or remove response headers",
      ),
    ];
  const foreign = [...body.matchAll(/<(script|style)\b([^>]*)>/gi)].filter(
    ([, , rest]) => !rest.includes(nonce) && !/type="?application\/json/.test(rest),
  );
  if (foreign.length > 0 || body.includes("/cdn-cgi/"))
    return [problem("html-injected", "Something was put into the waiting page on its way.", why, fix)];
  if (!/<html lang="/.test(body)) return [warning("html-rewritten", "The waiting page was rewritten on its way.", why, fix)];
  return [];
}

/** This computer, the edge (`Date`, `now`) and the Room (`at` of its manifest). */
export function judgeClock({ replies: { health = [], status = [], manifest } }) {
  const found = [];
  const fresh = health.find((reply) => isHealthy(reply) && ageOf(reply) === 0);
  const dateMs = Date.parse(header(fresh, "date") ?? "");
  const told = status.find((reply) => typeof jsonOf(reply)?.now === "number");
  const byDate = Number.isNaN(dateMs) ? null : dateMs - fresh.atMs;
  const byNow = told ? jsonOf(told).now - told.atMs : null;
  const off = [byDate, byNow].filter((ms) => ms !== null && Math.abs(ms) > CLOCK_MS);
  if (byDate !== null && byNow !== null && Math.abs(byDate - byNow) > CLOCK_MS)
    found.push(
      problem(
        "clock-differs",
        `Date and the room's own time differ by ${seconds(byDate - byNow)} s.`,
        "A reply out of a cache, or a proxy with a wrong clock.",
        "what stands in front of the Worker",
      ),
    );
  else if (off.length > 0)
    found.push(
      warning(
        "clock",
        `This computer's clock is ${seconds(off[0])} s ${off[0] > 0 ? "behind" : "ahead of"} the Worker's.`,
        "Starts that you plan by it, and invitations and staff links made on it, are off by as much.",
        "set this computer's clock by NTP",
      ),
    );
  const at = jsonOf(manifest)?.at;
  if (typeof at === "number" && off.length === 0 && Math.abs(at - manifest.atMs) > CLOCK_MS)
    found.push(
      problem(
        "manifest-old",
        `The room's manifest is ${seconds(manifest.atMs - at)} s old.`,
        "The line stands still for whoever is told this.",
        "a cache in front, or a Room that does not answer: docs/failure.md",
      ),
    );
  return found;
}

const seconds = (ms) => Math.round(Math.abs(ms) / 1_000);

/** The key that signed the cookies there, against the ring of the file. */
export function judgeKeys({ ring, replies: { page, blank } }) {
  if (!ring) return [];
  const kids = new Set([page, blank].flatMap(ownCookies).map((line) => kidOf(parseCookie(line).value)));
  kids.delete(null);
  const found = [];
  for (const kid of kids) {
    if (!ring.kids.includes(kid))
      found.push(
        problem(
          "key-unknown",
          `The Worker signs with ${kid}, which ${ring.where} has not.`,
          "The file is not what is deployed.",
          "npm run rotate-keys, with your own copy of the secrets",
        ),
      );
    else if (kid !== ring.signingKid)
      found.push(
        warning(
          "key-behind",
          `The Worker signs with ${kid}, ${ring.where} with ${ring.signingKid}.`,
          "A step of a change of keys has not been handed over.",
          "npm run rotate-keys says what comes next",
        ),
      );
  }
  if (kids.size > 1)
    found.push(
      warning(
        "keys-mixed",
        `Workers sign with ${[...kids].join(" and ")} at once.`,
        "Two versions are live: a gradual deployment, or one of seconds ago.",
        "end the gradual deployment before the sale",
      ),
    );
  return found;
}

/** What holds live, against the file. */
export function judgeLive({ fileSettings, replies: { admin } }) {
  if (!admin) return [];
  if (admin.status !== 200 || typeof jsonOf(admin)?.settings !== "object") {
    const what = `The admin API answers ${admin.failed ?? admin.status} to the token.`;
    return [problem("admin", what, "Nobody can steer the room with it.", "ADMIN_TOKEN of the deployment")];
  }
  const { settings, overrides = {}, switches = {}, warnings = [] } = jsonOf(admin);
  const shown = (value) => JSON.stringify(value) ?? "nothing";
  const differing = Object.keys(settings).filter((name) => fileSettings && shown(settings[name]) !== shown(fileSettings[name]));
  return [
    ...differing.map((name) => {
      const what = `${name} is ${shown(settings[name])} live and ${shown(fileSettings[name])} in wrangler.toml.`;
      return Object.hasOwn(overrides, name)
        ? warning(
            "live-differs",
            what,
            "Live values win over the file.",
            `PATCH {"${name}": null} takes it back, or write it into the file`,
          )
        : problem("file-not-deployed", what, "It is no live value: what is deployed is not this file.", "npm run deploy");
    }),
    ...Object.entries(switches)
      .filter(([, on]) => on === true)
      .map(([name]) => warning("switched", `The switch ${name} is on.`, "It holds until it is undone.", 'docs/operate.md, "The switches"')),
    ...warnings.map(({ setting, warning: text }) =>
      warning("live-settings", `${setting} ${text}.`, "Said by the room itself.", "docs/operate.md"),
    ),
  ];
}
