import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is routed on the internet (IANA IPv6 address space). No address outside of it is public. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Checks whether a network address is on the public internet. All others belong to private networks or lead there: private, loopback,
 * link-local (cloud metadata), unique local, carrier NAT, multicast, broadcast, reserved and documentation ranges, and the IPv6 forms that
 * contain an IPv4 address (mapped, 6to4, Teredo, NAT64), to which a gateway may convert them.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}
