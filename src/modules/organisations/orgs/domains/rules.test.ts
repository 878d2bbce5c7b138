import { expect, test } from 'vitest';
import { findRegistrableDomain, isUnownedName } from './rules.ts';

test.each([
  ['quay.org', 'quay.org'],
  ['a.b.quay.org', 'quay.org'],
  ['quay.com.au', 'quay.com.au'],
  ['jobs.quay.co.uk', 'quay.co.uk'],
  ['x.y.quay.or.jp', 'quay.or.jp'],
  ['a.bbc.uk', 'bbc.uk'],
  ['abc.de', 'abc.de'],
  ['a.x.de', 'x.de'],
  ['com.au', 'com.au'],
  ['org', 'org'],
  ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
])('%s was registered as %s', (domain, registered) => {
  expect(findRegistrableDomain(domain)).toBe(registered);
});

test('names that nobody can own are those of examples, tests and local networks', () => {
  for (const domain of [
    'a.example',
    'example.com',
    'a.example.org',
    'a.test',
    'x.localhost',
    'b.local',
    'c.internal',
  ])
    expect([domain, isUnownedName(domain)]).toEqual([domain, true]);
  for (const domain of ['example.io', 'myexample.com', 'test.org', 'local.net', 'quay.org'])
    expect([domain, isUnownedName(domain)]).toEqual([domain, false]);
});
