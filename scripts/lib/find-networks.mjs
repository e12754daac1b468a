/** Which IPv4 networks have a hash. Pure. */

/**
 * The networks `a.b.c.0/24` with this hash.
 * @param hashOf the hash of a network's text. @param from,below of which 24-bit numbers
 */
export function findNetworks(hashOf, wanted, from = 0, below = 2 ** 24) {
  const found = [];
  for (let number = from; number < below; number++) {
    const network = `${number >>> 16}.${(number >>> 8) & 255}.${number & 255}.0/24`;
    if (hashOf(network) === wanted) found.push(network);
  }
  return found;
}
