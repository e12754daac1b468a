/**
 * `npm run network-hash -- ADDRESS`: the hashes by which `stats` names the prefixes of an address, for looking through the site's own logs.
 * `npm run network-hash -- --find HASH`: the IPv4 networks (/24) that have this hash, all 16.7 million tried; of IPv6 there are too many.
 */
import { parseArgs } from "node:util";
import { findNetworks } from "./lib/find-networks.mjs";
import { loadSource } from "./lib/load-source.mjs";
import { installIfNeeded, root } from "./setup.mjs";

const usage = "Usage: npm run network-hash -- ADDRESS…   or   npm run network-hash -- --find HASH";

function fail(message) {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ options: { find: { type: "string" } }, allowPositionals: true });
  } catch (error) {
    return fail(error.message);
  }
}

const { values, positionals } = readArguments();
if ((values.find === undefined) === (positionals.length === 0)) fail("An address, or --find with a hash.");
if (values.find !== undefined && !/^[0-9a-f]{8}$/i.test(values.find)) fail(`${values.find} is no hash: 8 hex digits, as in stats.`);
installIfNeeded();
const { networkHash, networkPrefix, widePrefix } = await loadSource(root, "src/core/network.ts");
const hex = (prefix) => networkHash(prefix).toString(16).padStart(8, "0");

for (const address of positionals) {
  const prefixes = [networkPrefix(address), widePrefix(address)].filter((prefix) => prefix !== null);
  if (prefixes.length === 0) fail(`${address} is no address.`);
  for (const prefix of prefixes) console.log(`${hex(prefix)}  ${prefix}`);
}
if (values.find !== undefined) {
  const found = findNetworks(networkHash, Number.parseInt(values.find, 16));
  console.log(found.length > 0 ? found.join("\n") : "no IPv4 network has this hash: it is one of IPv6");
}
