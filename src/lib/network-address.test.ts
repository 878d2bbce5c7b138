import { expect, test } from 'vitest';
import { buildNetworkCheck, readAddress } from './network-address.ts';

test.each([
  ['203.0.113.8', '203.0.113.8'],
  [' 203.0.113.8 ', '203.0.113.8'],
  ['203.0.113.8:5001', '203.0.113.8'],
  ['[203.0.113.8]:5001', '203.0.113.8'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['::FFFF:CB00:7108', '203.0.113.8'],
  ['[::ffff:203.0.113.8]:5001', '203.0.113.8'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:5001', '2001:db8::1'],
  ['[2001:DB8:0:0:0:0:0:1]:5001', '2001:db8::1'],
  ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ['2001:db8:1:2:3:4:5:6:5001', '2001:db8:1:2:3:4:5:6'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:80', 'fe80::1'],
])('an address has one spelling, however it is written: %s', (text, address) => {
  expect(readAddress(text)).toBe(address);
});

test.each([
  '',
  'unknown',
  '_hidden',
  '203.0.113',
  '0x7f.1',
  '203.0.113.8:port',
  '203.0.113.8:500001',
  'a.example:80',
  '[]:80',
])('text that is not an address is not taken for one: "%s"', (text) =>
  expect(readAddress(text)).toBeUndefined(),
);

test('networks contain their own addresses only, and mapped networks those of IPv4', () => {
  const isKnown = buildNetworkCheck(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::ffff:172.16.0.0/108']);
  expect(['10.9.8.7', '192.0.2.1', '2001:db8:1::1', '172.17.0.1'].every(isKnown)).toBe(true);
  expect(['11.0.0.1', '192.0.2.2', '2001:db9::1', '172.32.0.1'].some(isKnown)).toBe(false);
});
