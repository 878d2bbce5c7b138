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

const localRanges: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'unspecified',
  'carrierGradeNat',
]);

/**
 * Checks whether a network address is in this network. That is fewer than those that are not public: an IPv6 form that contains an IPv4 address may
 * lead to either.
 */
export function isLocalAddress(address: string): boolean {
  return ipaddr.isValid(address) && localRanges.has(ipaddr.process(address).range());
}
