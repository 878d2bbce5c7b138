import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is routed on the internet (IANA IPv6 address space): nothing outside of it is anybody's public address. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether a network address is one of the public internet. Everything else is somebody's inside, or leads there: private, loopback,
 * link-local (cloud metadata), unique local, carrier NAT, multicast, broadcast, reserved and documentation ranges, and the IPv6 forms that
 * carry an IPv4 address (mapped, 6to4, Teredo, NAT64), which a gateway may unpack.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast);
}
