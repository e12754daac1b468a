/**
 * Client addresses: the network prefix that limits count, hashes of it, and lists of trusted networks. Pure (ipaddr.js).
 * The address comes from whoever the platform vouches for; this file only reads it.
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const IPV4_PREFIX = 24;
const IPV6_PREFIX = 64;
const IPV6_WIDE_PREFIX = 48;

/** Reads an address strictly (no octal, no short forms); IPv4 inside IPv6 is IPv4; zone ids are dropped. null = not an address. */
function readAddress(text: string): Address | null {
  const bare = text.trim().replace(/%.*$/, "");
  if (!bare.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return null;
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

/** What limits count of a client. The hashes are u32, never 0 for what there is: 0 means "not counted" in a `JoinRequest`. */
export interface ClientNetwork {
  /** `"192.0.2.0/24"` or `"2001:db8::/64"`: one customer or one carrier's NAT, as nearly as an address tells. */
  readonly prefix: string;
  readonly network: number;
  /** Of one IPv4 address alone. */
  readonly address: number;
  /** Of the IPv6 /48, as one customer may have it whole. */
  readonly wide: number;
}

/** An IPv4 address as the platform writes it, which is nearly every one that is not IPv6: read without taking it apart further. */
const PLAIN_IPV4 = /^(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\.){3}(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;

/** null = unknown. */
export function clientNetwork(ip: string | null): ClientNetwork | null {
  if (ip === null) return null;
  if (PLAIN_IPV4.test(ip)) {
    const prefix = `${ip.slice(0, ip.lastIndexOf("."))}.0/${IPV4_PREFIX}`;
    return { prefix, network: networkHash(prefix), address: networkHash(ip), wide: 0 };
  }
  const address = readAddress(ip);
  if (!address) return null;
  const isV4 = address.kind() === "ipv4";
  const prefix = prefixOf(address, isV4 ? IPV4_PREFIX : IPV6_PREFIX);
  return {
    prefix,
    network: networkHash(prefix),
    address: isV4 ? networkHash(address.toString()) : 0,
    wide: isV4 ? 0 : networkHash(prefixOf(address, IPV6_WIDE_PREFIX)),
  };
}

/** The prefix alone; null if unknown. */
export function networkPrefix(ip: string | null): string | null {
  return clientNetwork(ip)?.prefix ?? null;
}

function prefixOf(address: Address, bits: number): string {
  return `${networkOf(address, bits)}/${bits}`;
}

function networkOf(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, i) => byte & (0xff << Math.min(8, Math.max(0, 8 - (bits - i * 8)))));
  return ipaddr.fromByteArray(bytes.map((byte) => byte & 0xff));
}

/** 32-bit FNV-1a with murmur3's finish: even spread for tables, no secrecy. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** u32 of a network prefix, never 0. */
export function networkHash(prefix: string): number {
  return hash32(prefix) || 1;
}

/** `"2001:db8:1::/48"`; null = not an IPv6 address. */
export function widePrefix(ip: string): string | null {
  const address = readAddress(ip);
  return address?.kind() === "ipv6" ? prefixOf(address, IPV6_WIDE_PREFIX) : null;
}

/** u16 that tells one client from another well enough for the pass chain (DESIGN §7 renew). */
export function clientTag(prefix: string | null, userAgent: string): number {
  return hash32(`${prefix ?? ""}\n${userAgent}`) & 0xffff;
}

/** Compiled by `compileNetworks`. */
export type NetworkList = readonly (readonly [Address, number])[];

/** What is wrong with a CIDR, as a phrase after "must be"; null = fine. One address stands for itself. */
export function networkProblem(cidr: string): string | null {
  const [text = "", bitsText, ...rest] = cidr.split("/");
  const shape = 'a network such as "192.0.2.0/24" or "2001:db8::/32", or one address';
  const address = rest.length === 0 && text === text.trim() && !text.includes("%") ? readAddress(text) : null;
  if (!address) return shape;
  if (address.kind() === "ipv4" && text.includes(":"))
    return `written as IPv4 (${address.toString()}…), which is how such visitors are seen`;
  if (bitsText === undefined) return null;
  const width = address.kind() === "ipv4" ? 32 : 128;
  const bits = Number(bitsText);
  if (!/^\d{1,3}$/.test(bitsText) || bits > width) return shape;
  const network = networkOf(address, bits).toString();
  return network === address.toString() ? null : `the network itself: "${network}/${bits}"`;
}

/** Compiles validated CIDRs (`networkProblem` is null for each); throws a TypeError on any other. */
export function compileNetworks(cidrs: readonly string[]): NetworkList {
  return cidrs.map((cidr) => {
    const [text = "", bits] = cidr.split("/");
    const address = networkProblem(cidr) === null ? readAddress(text) : null;
    if (!address) throw new TypeError(`not a network: ${cidr}`);
    return [address, bits === undefined ? address.toByteArray().length * 8 : Number(bits)] as const;
  });
}

/** Is the address in one of the networks? Text that is not an address is in none. */
export function contains(list: NetworkList, ip: string): boolean {
  if (list.length === 0) return false;
  const address = readAddress(ip);
  if (!address) return false;
  return list.some(([network, bits]) => sameKind(address, network) && networkOf(address, bits).toString() === network.toString());
}

function sameKind(a: Address, b: Address): boolean {
  return a.kind() === b.kind();
}

/** A list of settings, compiled once for as long as it is the same. */
export class CompiledNetworks {
  #of: readonly string[] = [];
  #list: NetworkList = [];

  contain(cidrs: readonly string[], ip: string): boolean {
    if (this.#of !== cidrs) this.#list = compileNetworks(cidrs);
    this.#of = cidrs;
    return contains(this.#list, ip);
  }
}
