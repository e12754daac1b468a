/**
 * The least that can be done for a newcomer: one signature checked, a place in an object that stores it in one row together with the places
 * of all who came meanwhile, one signature made, one cookie set, one number told. Whoever says anything else gets the same 200.
 */
import { DurableObject } from "cloudflare:workers";

const KEY = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
const text = new TextEncoder();
const HEADERS = { "Content-Type": "application/json", "Cache-Control": "private, no-store" };

export class Room extends DurableObject {
  #next = 0;

  give(count) {
    const first = this.#next;
    this.#next += count;
    this.ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS places (id INTEGER PRIMARY KEY, next INTEGER NOT NULL)");
    this.ctx.storage.sql.exec("INSERT OR REPLACE INTO places (id, next) VALUES (0, ?)", this.#next);
    return first;
  }
}

let waiting = [];
let isCalling = false;

export default {
  async fetch(request, env, ctx) {
    const signed = text.encode(request.headers.get("Cookie") ?? "");
    const mac = signed.subarray(0, 32);
    await crypto.subtle.verify("HMAC", KEY, mac, signed); // Whatever it says.
    const slot = await place(env, ctx);
    const ticket = btoa(`{"r":"shop","g":1,"s":${slot},"j":1790000000,"exp":1790086400}`);
    const made = new Uint8Array(await crypto.subtle.sign("HMAC", KEY, text.encode(ticket)));
    const headers = new Headers(HEADERS);
    headers.append("Set-Cookie", `vestibule.shop=${ticket}.${btoa(String.fromCharCode(...made))}; Path=/; HttpOnly; Secure`);
    return new Response(`{"v":1,"state":"waiting","slot":${slot}}`, { headers });
  },
};

/** With all who came while a call was under way, in the next one. */
async function place(env, ctx) {
  const mine = { slot: null, wake: null };
  waiting.push(mine);
  while (mine.slot === null) {
    if (isCalling) {
      await sleepUntil(mine);
      continue;
    }
    isCalling = true;
    const all = waiting;
    waiting = [];
    const calling = env.ROOM.getByName("shop").give(all.length);
    ctx.waitUntil(calling);
    const first = await calling;
    isCalling = false;
    for (const [i, each] of all.entries()) each.slot = first + i;
    for (const each of [...all, ...waiting.slice(0, 1)]) each.wake?.();
  }
  return mine.slot;
}

/** A timer of its own: without one the runtime takes the request for dead. src/room/wait.ts says why it is no `new Promise`. */
async function sleepUntil(mine) {
  const { promise, resolve } = Promise.withResolvers();
  mine.wake = resolve;
  let timer = setTimeout(() => {
    timer = setTimeout(() => undefined, 2_000);
    resolve();
  }, 2_000);
  await promise;
  clearTimeout(timer);
}
