/** What cases need of a room besides requests of visitors: tokens for newcomers, and the operator's switches. */
import { hkdfSync } from "node:crypto";
import { join } from "node:path";
import { loadSource } from "../../scripts/lib/load-source.mjs";
import { root } from "../../scripts/setup.mjs";
import { BY_SCRIPT } from "./visitors.mjs";

/** The source of requests by which newcomers join this room, each with a fresh visitor token. */
export async function newcomers(room, options = {}) {
  const { TEST_KEYS } = await loadSource(root, "test/support/worker.ts");
  const [kid, encoded] = TEST_KEYS.split(":");
  const key = hkdfSync("sha256", Buffer.from(encoded, "base64url"), "", "vestibule-1 visitor", 32);
  return {
    file: join(root, "bench/sources/newcomers.mjs"),
    options: { room, kid, key: Buffer.from(key).toString("base64url"), headers: BY_SCRIPT, ...options },
  };
}

/** Each of these requests once. `names`: cookies that are kept of the replies. */
export function onceEach(requests, names = []) {
  return { file: join(root, "bench/sources/once-each.mjs"), options: { requests, names } };
}

/** Loaded once: building it takes longer than any question that is measured. */
let tokenLoading = null;

/** One request of the operator: `POST pause`, `GET stats`, … @returns the JSON of the reply */
export async function operate(worker, room, method, what) {
  tokenLoading ??= loadSource(root, "test/support/worker.ts").then(({ TEST_ADMIN_TOKEN }) => TEST_ADMIN_TOKEN);
  const token = await tokenLoading;
  const url = new URL(`/__vestibule/admin/api/rooms/${room}/${what}`, worker.url);
  const headers = { Authorization: `Bearer ${token}`, ...(method === "POST" && { "Content-Type": "application/json" }) };
  const reply = await fetch(url, { method, headers, ...(method === "POST" && { body: JSON.stringify({ reason: "measuring" }) }) });
  if (!reply.ok) throw new Error(`${method} ${what}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}
