/** Prefixes of client addresses, and lists of trusted networks. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findNetworks } from "../../scripts/lib/find-networks.mjs";
import { clientNetwork, clientTag, compileNetworks, contains, networkHash, networkPrefix, networkProblem } from "../../src/core/network";
import { root } from "../support/bundle";

describe("networks", () => {
  test.each([
    ["192.0.2.77", "192.0.2.0/24"],
    ["::ffff:192.0.2.77", "192.0.2.0/24"],
    ["::FFFF:c000:24d", "192.0.2.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["::1", "::/64"],
  ])("[SET-8] %s is counted as %s", (ip, prefix) => {
    expect(networkPrefix(ip)).toBe(prefix);
  });

  test.each([null, "", "unknown", "1", "1.2.3", "010.1.1.1", "0x7f.0.0.1", "256.0.0.1", "1.2.3.4, 5.6.7.8", "1.2.3.4:80", "[::1]"])(
    "[SET-8] %j is no address",
    (ip) => {
      expect(networkPrefix(ip)).toBeNull();
    },
  );

  test("[SET-8] S3 any number of addresses of one /64 or /24 count as one, of another one as another", () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), group, (groups, other) => {
        const hex = groups.map((n) => n.toString(16));
        const inside = [...hex.slice(0, 7), other.toString(16)].join(":");
        expect(networkPrefix(inside)).toBe(networkPrefix(hex.join(":")));
        const outside = [...hex.slice(0, 3), ((groups[3] ?? 0) ^ 1).toString(16), ...hex.slice(4)].join(":");
        if (!hex.join(":").startsWith("0:0:0:")) expect(networkPrefix(outside)).not.toBe(networkPrefix(hex.join(":")));
      }),
    );
  });

  test("[SET-8] an IPv4 address is the same client in whatever way it is written, and an IPv6 address has a /48", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const ip = [a, b, c, d].join(".");
        const client = clientNetwork(ip);
        expect(client).toEqual(clientNetwork(`::ffff:${ip}`));
        expect(client).toEqual({
          prefix: `${a}.${b}.${c}.0/24`,
          network: networkHash(`${a}.${b}.${c}.0/24`),
          address: networkHash(ip),
          wide: 0,
        });
      }),
    );
    const wide = networkHash("2001:db8:1::/48");
    expect(clientNetwork("2001:db8:1:2:3:4:5:6")).toMatchObject({ prefix: "2001:db8:1:2::/64", address: 0, wide });
  });

  test("[SET-8] hashes of networks are 32-bit, never 0, and spread: no two of 20,000 neighbours agree by more than chance", () => {
    const hashes = Array.from({ length: 20_000 }, (_, i) => networkHash(`10.${i >> 8}.${i & 255}.0/24`));
    for (const hash of hashes) expect(hash > 0 && hash < 2 ** 32 && Number.isInteger(hash)).toBe(true);
    expect(new Set(hashes).size).toBeGreaterThan(19_995);
  });

  test("[SET-8] a client tag is 16-bit and depends on both network and user agent", () => {
    const tags = [clientTag("a", "x"), clientTag("b", "x"), clientTag("a", "y"), clientTag(null, "x"), clientTag("a", "")];
    expect(new Set(tags).size).toBe(tags.length);
    for (const tag of tags) expect(tag >= 0 && tag <= 0xffff && Number.isInteger(tag)).toBe(true);
    expect(clientTag("a", "x")).toBe(tags[0]);
  });

  test("[SET-8] trusted networks hold exactly their addresses, however these are written", () => {
    const list = compileNetworks(["10.0.0.0/8", "192.0.2.7", "2001:db8::/33", "::1"]);
    for (const ip of ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8:7fff:ffff::", "::1", "0:0:0:0:0:0:0:1"]) {
      expect(contains(list, ip)).toBe(true);
    }
    for (const ip of ["11.0.0.0", "9.255.255.255", "192.0.2.8", "2001:db8:8000::", "::2", "", "10", "10.0.0.1, 1.1.1.1"]) {
      expect(contains(list, ip)).toBe(false);
    }
    expect(contains(compileNetworks([]), "10.0.0.1")).toBe(false);
    expect(contains(compileNetworks(["0.0.0.0/0"]), "255.255.255.255")).toBe(true);
    expect(contains(compileNetworks(["0.0.0.0/0"]), "::1")).toBe(false);
  });

  test.each([
    ["192.0.2.1/24", '"192.0.2.0/24"'],
    ["2001:db8::1/64", '"2001:db8::/64"'],
    ["::ffff:10.0.0.0/104", "IPv4"],
    ["10.0.0.0/33", "a network such as"],
    ["::/129", "a network such as"],
    ["10.0.0.0/", "a network such as"],
    ["10.0.0.0/-1", "a network such as"],
    ["10.0.0.0/8/8", "a network such as"],
    ["10/8", "a network such as"],
    [" 10.0.0.0/8", "a network such as"],
    ["fe80::1%eth0", "a network such as"],
    ["localhost", "a network such as"],
  ])("[SET-8] %j is refused as a network, with what to write", (cidr, help) => {
    expect(networkProblem(cidr)).toContain(help);
    expect(() => compileNetworks([cidr])).toThrow(TypeError);
  });
});

test("[ASK-4] stats name a prefix by its hash, and npm run network-hash says which it is", () => {
  const wanted = networkHash("192.0.2.0/24");
  const from = (192 << 16) - 1_000;
  expect(findNetworks(networkHash, wanted, from, from + 3_000)).toEqual(["192.0.2.0/24"]);
  expect(findNetworks(networkHash, wanted, from, from + 1_000)).toEqual([]);
  const told = execFileSync(process.execPath, ["scripts/network-hash.mjs", "192.0.2.77", "2001:db8:1:2::3"], {
    cwd: root,
    encoding: "utf8",
  });
  const hex = (prefix: string) => networkHash(prefix).toString(16).padStart(8, "0");
  const prefixes = ["192.0.2.0/24", "2001:db8:1:2::/64", "2001:db8:1::/48"];
  expect(told.trim().split("\n")).toEqual(prefixes.map((prefix) => `${hex(prefix)}  ${prefix}`));
});
