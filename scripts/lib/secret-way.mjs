/** Where a secret may go. Pure. */

/** This computer: browsers keep Secure cookies there without https. */
export function isLoopback(hostname) {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** By https, or to this computer: on the way to any other it could be read. What is no address is nowhere. */
export function maySendSecret(address) {
  const { protocol, hostname } = URL.canParse(address) ? new URL(address) : {};
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
