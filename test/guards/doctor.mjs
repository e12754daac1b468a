/** Guards of `npm run doctor` (DOCTOR): what it may not do, and what it may not overlook. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const TEST = "test/core/doctor.test.ts";

export const guards = [
  ...guardsOf("scripts/lib/doctor-run.mjs", TEST, [
    [
      "doctor: the admin token goes to https or this computer",
      "DOCTOR-3",
      "maySendSecret(url) ? token : null",
      "token",
      "[DOCTOR-3] the admin token goes to https",
    ],
  ]),
  ...guardsOf("scripts/lib/secret-way.mjs", TEST, [
    [
      "doctor: what is secret goes by https, or to this computer",
      "DOCTOR-3",
      'protocol === "http:" && isLoopback(hostname)',
      'protocol === "http:"',
      "[DOCTOR-3] the admin token goes to https",
    ],
  ]),
  ...guardsOf("scripts/lib/doctor-probe.mjs", TEST, [
    [
      "doctor: the page is never opened with a cookie",
      "DOCTOR-3",
      "const page = await ask(target.href, BROWSER);",
      'const page = await ask(target.href, { ...BROWSER, Cookie: "x=y" });',
      "[DOCTOR-3] at most 12 requests",
    ],
  ]),
  ...guardsOf("scripts/lib/doctor-config.mjs", TEST, [
    [
      "doctor: what deployments refuse is a problem",
      "DOCTOR-2",
      '...problems.map((what) => problem("routes", what,',
      '...problems.map((what) => warning("routes", what,',
      "[DOCTOR-2] the bare path",
    ],
    [
      "doctor: the shop's other name needs a room",
      "DOCTOR-2",
      ".filter((host) => !own.has(host) && !passHosts.includes(host) && !routed.includes(host))",
      ".filter((host) => own.has(host))",
      "[DOCTOR-2] the bare host without www",
    ],
    [
      "doctor: secrets that are missing there",
      "DOCTOR-2",
      "needed.filter((name) => !listed.includes(name))",
      "needed.filter((name) => listed.length === 0 && name)",
      "[DOCTOR-2] settings that are refused, and secrets",
    ],
  ]),
  ...guardsOf("scripts/lib/doctor-reply.mjs", TEST, [
    [
      "doctor: a reply out of a cache is seen by Age",
      "DOCTOR-4",
      "return ageOf(reply) > 0 || said.some(",
      "return said.some(",
      "[DOCTOR-4] Age",
    ],
  ]),
  ...guardsOf("scripts/lib/doctor-way.mjs", TEST, [
    [
      "doctor: Cache-Control of ours must arrive whole",
      "DOCTOR-4",
      "if (!/\\bno-store\\b/.test(control) || !/\\bprivate\\b/.test(control))",
      "if (!/\\bno-store\\b/.test(control))",
      "[DOCTOR-4] Cache-Control",
    ],
    [
      "doctor: a page without a sign of the Worker is a problem",
      "DOCTOR-4",
      "if (!isGated(page)) {",
      "if (!isGated(page) && room === null) {",
      "[DOCTOR-4] a page without a sign",
    ],
    [
      "doctor: another spelling that goes past",
      "DOCTOR-4",
      "if (reply.failed || isGated(reply) || reply.status === 404",
      "if (reply.status < 300 || isGated(reply) || reply.status === 404",
      "[DOCTOR-4] another spelling goes past",
    ],
    [
      "doctor: now the Worker, now the site",
      "DOCTOR-4",
      "if (new Set(told.map(isOurs)).size < 2) return [];",
      "if (new Set(told.map(isOurs)).size < 3) return [];",
      "[DOCTOR-4] the site answers the second time",
    ],
  ]),
  ...guardsOf("scripts/lib/doctor-visit.mjs", TEST, [
    [
      "doctor: Set-Cookie that does not arrive",
      "DOCTOR-4",
      "if (asks && ownCookies(blank).length === 0)",
      "if (asks && ownCookies(blank).length < 0)",
      "[DOCTOR-4] Set-Cookie taken out",
    ],
    [
      "doctor: a script put into the page",
      "DOCTOR-4",
      'if (foreign.length > 0 || body.includes("/cdn-cgi/"))',
      'if (body.includes("/cdn-cgi/"))',
      "[DOCTOR-4] a script put in",
    ],
    [
      "doctor: a key that the file has not",
      "DOCTOR-4",
      "if (!ring.kids.includes(kid))",
      "if (ring.kids.length === 0)",
      "[DOCTOR-4] a key that the file has not",
    ],
  ]),
];
