/**
 * The crowd's own room as a program: the built Worker on miniflare, as the tests run it, in front of the demo shop. Prints one line
 * of JSON, `{ url, adminToken }`, once it is up, and stops when its input ends. Needs Node 22. Started by crowd-own.mjs, with the room's settings as its argument.
 */
import { startShop } from "../demo-shop.mjs";
import { root } from "../setup.mjs";
import { OWN_ROOM } from "./crowd-own.mjs";
import { loadSource } from "./load-source.mjs";

process.env.WRANGLER_LOG ??= "error"; // It would tell where it found no secrets.
const isOurs = process.env.VESTIBULE_TEST_BUNDLE === undefined; // The tests have built the Worker, and remove it.
const inputEnds = new Promise((resolve) => process.stdin.on("end", resolve).on("error", resolve).resume());

const { startWorker } = await loadSource(root, "test/support/worker.ts");
const { removeBundle } = await loadSource(root, "test/support/bundle.ts");
const shop = await startShop();
try {
  const worker = await startWorker({ rooms: { [OWN_ROOM]: JSON.parse(process.argv[2]) }, origin: shop.url });
  console.log(JSON.stringify({ url: worker.url.href, adminToken: worker.adminToken }));
  await inputEnds;
  await worker.stop();
} finally {
  await shop.stop();
  if (isOurs) await removeBundle();
}
