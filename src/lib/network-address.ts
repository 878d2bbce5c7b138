import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Reads a network address as sockets and reverse proxies write it, and returns its one canonical spelling, so that addresses can be compared
 * and counted as text: without port, brackets and zone, IPv6 as in RFC 5952, and IPv4 that is mapped into IPv6 as IPv4.
 *
 * @returns undefined for text that is not an address, such as `unknown` (RFC 7239 section 6.2).
 */
export function readAddress(text: string): string | undefined {
  const bare = text.trim();
  // A port follows a colon. An IPv6 address that ends with such a part is complete without a port, and is read as it is.
  const address = toAddress(bare) ?? toAddress(bare.replace(/:\d{1,5}$/, ''));
  if (address === undefined || isIP(address) === 4) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.toRFC5952String() : parsed.toString();
}

function toAddress(text: string): string | undefined {
  const [address = ''] = text.replace(/^\[(.*)\]$/, '$1').split('%', 1);
  return isIP(address) === 0 ? undefined : address;
}

/** Whether a text is an address or a network in CIDR notation, such as `192.0.2.0/24`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const bits_max = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bits_max));
}

/** Builds the check whether a canonical address is one of these addresses and networks (CIDR). */
export function buildNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const known = networks.map(parseNetwork);
  return (address) => ipaddr.subnetMatch(ipaddr.parse(address), { known }, 'unknown') === 'known';
}

/** A network of mapped IPv4 addresses is the network of these. */
function parseNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address = '', length] = text.split('/');
  const parsed = ipaddr.parse(address);
  const bits = Number(length ?? parsed.toByteArray().length * 8);
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [parsed.toIPv4Address(), bits - 96] : [parsed, bits];
}
