import { expect, test } from 'vitest';
import { doesImitateService, findNameFault } from './rules.ts';

const host = 'talent.acme.org';

test.each([
  'Tessera',
  'TESSERA Support',
  'The Tessera Team',
  'T e s s e r a',
  'Tess Era',
  'T3sser4',
  'TesseraHealth',
  'mytessera',
  'tessera1',
  'Τessera',
  'Tésséra',
  '𝓣𝓮𝓼𝓼𝓮𝓻𝓪 payments',
  '🅃🄴🅂🅂🄴🅁🄰',
  'ᴛᴇꜱꜱᴇʀᴀ',
  'Ƭ€ʂʂɛra',
  'ꓔꓰꓢꓢꓰꓣꓮ',
  'Те\u200dѕѕега'.replace('г', 'r'),
  'Tesserra',
  'Tesera Jobs',
  'Teessera',
  'Support',
  'Account Security',
  'The Official Support Team',
  'supp0rt team',
  'Talent.Acme.org',
  'Jobs at talent acme org',
])('%j imitates the service', (name) => {
  expect(doesImitateService(name, host)).toBe(true);
});

test.each([
  'Harbour Health',
  'Marites Serano',
  'Tess Erasmus',
  'Tesseract Robotics',
  'Tesserae Mosaics',
  'Wilson Security',
  'Talent Partners',
  'Acme',
  'Our Group',
  'Test Organisation',
  'Admin Solutions Pty Ltd',
  '株式会社',
  '🚢',
])('%j does not', (name) => {
  expect([doesImitateService(name, host), findNameFault(name, host)]).toEqual([false, undefined]);
});

test('a host of one word is a name that others may have', () => {
  expect(doesImitateService('Localhost Labs', 'localhost:8420')).toBe(false);
});

test.each(['\u202earesset', 'Harbour \u2067htlaeH\u2069', 'Pay\u202d Quay'])(
  '%j turns the direction of writing, so that it is not shown as it is compared',
  (name) => {
    expect(findNameFault(name, host)?.reason).toContain('direction of writing');
  },
);

test('says what is wrong', () => {
  expect(findNameFault('Hаrbour', host)?.code).toBe('field_invalid');
  expect(findNameFault('Tessera', host)?.code).toBe('organisation_name_taken');
});
