import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysLeft, relayStatePattern, serviceProvider, tierHasSso } from './rules.ts';

const relayState = new RegExp(relayStatePattern);

test('a RelayState that is taken never leaves the origin, whatever a browser makes of it', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    ':',
    '@',
    'evil.example',
    '\t',
    '\n',
    '%2f',
    '%5c',
    '?',
    '#',
    'a',
    '//',
    ' ',
    'javascript:',
    '\u0000',
    'é',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', '/'), (pieces, start) => {
      const text = start + pieces.join('');
      if (!relayState.test(text)) return;
      expect(new URL(text, 'https://tessera.example/api/v1/auth/sso/1/acs').origin).toBe(
        'https://tessera.example',
      );
    }),
    { numRuns: 5_000 },
  );
});

test.each(['', '/', '/a/b', '/a//b', '/?a=b&c=%2F#d', '/~user/a.b-c_d'])('a path is taken: %j', (text) => {
  expect(relayState.test(text)).toBe(true);
});

test('single sign-on begins at E3 Operator', () => {
  const tiers = ['E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner'] as const;
  expect(tiers.map(tierHasSso)).toEqual([false, false, true, true]);
});

test('each organisation has an audience of its own', () => {
  const [one, other] = ['1', '2'].map((org_id) => serviceProvider('https://tessera.example', org_id));
  for (const key of Object.keys(one!) as (keyof typeof one)[]) expect(one![key]).not.toBe(other![key]);
});

test('days are counted whole, and never below none', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  expect([-100, 0, 23, 24, 47, 48].map((hours) => daysLeft(after(hours), now))).toEqual([0, 0, 0, 1, 1, 2]);
});
