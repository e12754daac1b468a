/**
 * What a hostile day sends beside an honest crowd, at a steady pace: requests without cookies, jars from three networks that join, ask ten
 * times a second, claim ten at a time, copy their cookies, hang up, leave and come again. Elsewhere than on this computer all of them come
 * from one network: who somebody is there only Cloudflare says.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { atOnce, isThisComputer, openConnections, send } from "./crowd-http.mjs";

const CONNECTIONS = 64;
const NETWORKS = ["198.51.100.", "203.0.113.", "192.0.2."];
const TICK_MS = 50;
/** Jars with a place; further ones take the place of an older one. */
const JARS_MAX = 300;
const PAGE = { Accept: "text/html", "Sec-Fetch-Dest": "document" };
const SCRIPT = { Accept: "application/json", "Sec-Fetch-Site": "same-origin" };

/**
 * Until `signal` aborts: `{ target, room, perSecond, random, signal, pace?(signal) }`. Resolves with `{ requests, kinds, statuses }`, counts; a request
 * that fails is counted too.
 */
export async function intrude({ target, room, perSecond, random, signal, pace = atOnce }) {
  const { agent, close } = openConnections(target, CONNECTIONS);
  const isNear = isThisComputer(target);
  const from = (address) => (isNear ? { "CF-Connecting-IP": address } : {});
  const api = `/__vestibule/rooms/${room}`;
  const jars = [];
  const kinds = {};
  const statuses = {};
  let requests = 0;
  const ask = async (kind, method, path, headers, abortMs) => {
    requests += 1;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    const reply = await pace(signal)
      .then(() => {
        const ending = abortMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(abortMs)]);
        return send({ target, agent, signal: ending }, method, path, headers);
      })
      .catch(() => null);
    const status = reply?.status ?? "none";
    statuses[status] = (statuses[status] ?? 0) + 1;
    return reply;
  };
  const anyJar = () => jars[Math.floor(random() * jars.length)];
  const cookieOf = (jar) => [...jar.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const as = (jar, extra = {}) => ({ ...SCRIPT, Cookie: cookieOf(jar), ...from(jar.address), ...extra });
  const keep = (jar, reply) => {
    for (const line of reply?.headers["set-cookie"] ?? []) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined) jar.cookies.set(name, value);
    }
  };
  async function newJar() {
    const address = NETWORKS[Math.floor(random() * NETWORKS.length)] + Math.floor(random() * 256);
    const jar = { address, cookies: new Map() };
    keep(jar, await ask("farm", "GET", "/__vestibule/check", { ...PAGE, ...from(address) }));
    const reply = await ask("farm", "POST", `${api}/join`, as(jar));
    keep(jar, reply);
    if (reply?.status !== 200) return;
    if (jars.length < JARS_MAX) jars.push(jar);
    else jars[Math.floor(random() * JARS_MAX)] = jar;
  }
  async function deed() {
    const roll = random();
    const jar = anyJar();
    if (roll < 0.4) return ask("flood", "GET", "/", roll < 0.2 ? PAGE : {});
    if (roll < 0.55 || jar === undefined) return newJar();
    if (roll < 0.8) return ask("poll", "GET", `${api}/status`, as(jar));
    if (roll < 0.88)
      return Promise.all(Array.from({ length: 10 }, () => ask("storm", "POST", `${api}/claim`, as(jar)).then((reply) => keep(jar, reply))));
    if (roll < 0.94) return ask("copy", "GET", "/basket", as(jar, { ...PAGE, "User-Agent": `copy ${Math.floor(random() * 1_000)}` }));
    if (roll < 0.99) return ask("aborted", "POST", `${api}/join`, as(jar), 1 + Math.floor(random() * 30));
    return ask("leave", "POST", `${api}/leave`, as(jar)).then(() => jars.splice(jars.indexOf(jar), 1));
  }
  const under = new Set();
  const startedAt = performance.now();
  while (!signal.aborted) {
    // Never more under way than what two seconds bring: a room that is slow is not buried.
    while (requests < ((performance.now() - startedAt) / 1_000) * perSecond && under.size < 2 * perSecond) {
      const one = deed().finally(() => under.delete(one));
      under.add(one);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(under);
  close();
  return { requests, kinds, statuses };
}

/**
 * What honest visitors got alone and beside the hostile: `gotIn` shares and mean `waits` from place to entry in seconds, each [alone, beside].
 * `isShown`: nine requests in ten were hostile. `holds`: neither is worse by more than a tenth.
 */
export function compareCrowds(alone, beside, hostileRequests) {
  const share = hostileRequests / (hostileRequests + beside.requests);
  const gotIn = [alone, beside].map(({ diaries }) => diaries.filter(({ entries }) => entries.length > 0).length / diaries.length);
  const waits = [alone, beside].map(({ diaries }) => {
    const all = diaries.flatMap(({ places, entries }) => (places[0] && entries[0] ? [(entries[0].to - places[0].from) / 1_000] : []));
    return all.reduce((sum, each) => sum + each, 0) / all.length;
  });
  return { share, gotIn, waits, isShown: share >= 0.9, holds: gotIn[1] >= 0.9 * gotIn[0] && waits[1] <= 1.1 * waits[0] };
}
