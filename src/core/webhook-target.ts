/**
 * Where a webhook may be sent (SSRF, attack class W): https to a public host, nothing else. Pure; never throws.
 * A name that leads to a private address cannot be told here: on Cloudflare's network a Worker reaches only the public Internet.
 */
import ipaddr from "ipaddr.js";

const TARGET_MAX = 1_024;
/** Names that mean this computer or this network wherever they are read (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion|test|invalid|example)$/;

const TARGET_SHAPE = 'an address such as "https://hooks.example.com/room", https only, of a public host, without user name or fragment';

/**
 * null = it may be called.
 * @param local this computer's own addresses may be called too, by http as well: for local development
 */
export function targetProblem(text: string, local: boolean): string | null {
  if (text.length > TARGET_MAX || !/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return TARGET_SHAPE;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== "" || password !== "" || hash !== "") return TARGET_SHAPE;
  if (isLoopback(hostname)) return local ? null : `${TARGET_SHAPE}; this computer is allowed only with LOCAL_WEBHOOKS = "allow"`;
  return protocol === "https:" && isPublic(hostname) ? null : TARGET_SHAPE;
}

/** As URL writes it: lower case, IPv4 in four decimal parts whatever spelling was given, IPv6 in brackets. */
function isPublic(hostname: string): boolean {
  const host = hostname.replace(/\.$/, "");
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  // Ranges such as 6to4 or IPv4 within IPv6 carry other addresses in them: plain unicast alone is public for certain.
  if (ipaddr.isValid(bare)) return ipaddr.parse(bare).range() === "unicast";
  return host.includes(".") && !LOCAL_NAME.test(host);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
