import { expect, test } from 'vitest';
import { formatReachableOrigin } from './reachable-origin.ts';

const describe = (address: string, internal: boolean, scopeid?: number) => ({
  address,
  netmask: '',
  mac: '',
  cidr: null,
  internal,
  ...(scopeid === undefined ? { family: 'IPv4' as const } : { family: 'IPv6' as const, scopeid }),
});
const interfaces = {
  lo: [describe('127.0.0.1', true)],
  eth0: [describe('fe80::1', false, 2), describe('2001:db8::5', false, 0), describe('10.0.0.5', false)],
};
const six = { eth0: interfaces.eth0.slice(0, 2) };

test.each([
  ['192.0.2.1', interfaces, 'http://192.0.2.1:8421'],
  ['2001:db8::9', interfaces, 'http://[2001:db8::9]:8421'],
  ['0.0.0.0', interfaces, 'http://10.0.0.5:8421'],
  ['::', six, 'http://[2001:db8::5]:8421'],
  ['0.0.0.0', { lo: interfaces.lo }, 'http://127.0.0.1:8421'],
])('a server that listens at %s is reached at an address of the machine', (address, found, origin) => {
  expect(formatReachableOrigin({ address, port: 8421, family: 'IPv4' }, found)).toBe(origin);
});
