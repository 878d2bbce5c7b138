import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLocalAddress, isPublicAddress } from './public-address.ts';

test.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is on the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.255.255'],
  ['carrier NAT', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local, with the metadata of clouds', '169.254.169.254'],
  ['protocol assignments', '192.0.0.170'],
  ['documentation', '192.0.2.1'],
  ['6to4 relays', '192.88.99.1'],
  ['benchmarks', '198.18.0.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['IPv4-compatible, in hexadecimal', '::7f00:1'],
  ['unassigned', '4000::1'],
  ['unassigned', 'e000::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1'],
  ['IPv4-mapped', '::ffff:8.8.8.8'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 of this network', '64:ff9b:1::7f00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001::1'],
  ['benchmarks', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['6to4', '2002:7f00:1::1'],
  ['documentation', '3fff::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456::1'],
  ['link-local', 'fe80::1'],
  ['link-local', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['not an address', 'localhost'],
  ['not an address', ''],
  ['not an address', '8.8.8.8 '],
])('%s is not on the public internet: %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('no IPv6 form of a private IPv4 address is public', () => {
  const inside = fc.tuple(fc.constantFrom('10.', '127.', '192.168.', '169.254.'), fc.nat(255), fc.nat(255));
  const prefixes = fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '::FFFF:');
  fc.assert(
    fc.property(inside, prefixes, ([start, one, other], prefix) => {
      const dotted = [...start.split('.').filter(Boolean), one, other, 1].slice(0, 4).join('.');
      expect([prefix, dotted, isPublicAddress(prefix + dotted)]).toEqual([prefix, dotted, false]);
    }),
  );
});

test.each(['127.0.0.1', '10.0.0.5', '172.17.0.1', '::1', 'fd12:3456::1', 'fe80::1', '::ffff:10.0.0.1'])(
  '%s is in this network',
  (address) => {
    expect(isLocalAddress(address)).toBe(true);
  },
);

test.each([
  '8.8.8.8',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '::ffff:0:8.8.8.8',
  '::8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
  'localhost',
  '',
])('%s is not in this network', (address) => {
  expect(isLocalAddress(address)).toBe(false);
});
