import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import {
  computeHandleSkeleton,
  handlePattern,
  isHandle,
  isReservedHandle,
  toCanonicalHandle,
} from './rules.ts';

test('a handle has 3 to 32 small letters, digits, hyphens and underscores, with a letter or digit at both ends', () => {
  for (const handle of ['ada', 'a1b', 'ada-lind', 'ada_lind', 'x'.repeat(32), '007'])
    expect([handle, isHandle(handle)]).toEqual([handle, true]);
  for (const handle of [
    '',
    'ab',
    '-ada',
    'ada-',
    '_ada',
    'Ada',
    'ad a',
    'adä',
    'x'.repeat(33),
    'a.b',
    'a@b',
    'ada\n',
  ])
    expect([handle, isHandle(handle)]).toEqual([handle, false]);
});

test('the script of the page for choosing a handle knows the same form', () => {
  const script = readFileSync(new URL('../../../../web/assets/handle.js', import.meta.url), 'utf8');
  expect(script).toContain(`/${handlePattern}/`);
});

test('names of the staff, of the service and of programs are reserved, even if they are disguised', () => {
  for (const handle of [
    'admin',
    'adm1n',
    'a-d-m-i-n',
    'the-admin',
    'admin2',
    'support',
    '5upport',
    'supp0rt',
    'tessera',
    'te55era',
    'tessera-help',
    'mytessera',
    'security_team',
    'staff',
    'stafff-staff',
    'rnoderator',
    'api',
    'nobody',
    'null',
    'oauth',
    'rncp',
    'adminteam',
    'team-admin',
    'thesupport',
    'adm1nsupp0rt',
    'officialhelpdesk',
  ])
    expect([handle, isReservedHandle(handle)]).toEqual([handle, true]);
  for (const handle of [
    'ada',
    'falstaff',
    'helpful',
    'kim',
    'adminton-fan',
    'badminton',
    'staffan',
    'supporter',
    'theo',
    'teamwork',
  ])
    expect([handle, isReservedHandle(handle)]).toEqual([handle, false]);
});

test('handles that look alike read the same, and others do not', () => {
  for (const [one, other] of [
    ['paul', 'pau1'],
    ['bob', 'b0b'],
    ['marn', 'mam'],
    ['ada-lind', 'ada_lind'],
    ['wvvw', 'www'],
  ])
    expect(computeHandleSkeleton(one!)).toBe(computeHandleSkeleton(other!));
  for (const [one, other] of [
    ['ian', 'lan'],
    ['ada', 'adam'],
    ['adalind', 'ada-lind'],
  ])
    expect(computeHandleSkeleton(one!)).not.toBe(computeHandleSkeleton(other!));
});

test('what is typed becomes canonical once and for all, and the skeleton of a skeleton is itself', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (typed) => {
      const handle = toCanonicalHandle(typed);
      if (!isHandle(handle)) return;
      expect(toCanonicalHandle(handle)).toBe(handle);
      expect(toCanonicalHandle(`@${handle.toUpperCase()} `)).toBe(handle);
    }),
  );
});
