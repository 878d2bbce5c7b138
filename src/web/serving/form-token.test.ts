import { expect, test } from 'vitest';
import { createFormToken, isFormToken } from './form-token.ts';

test('a token belongs to the cookie that it was created with, and to no other', () => {
  const token = createFormToken('cookie');
  expect(isFormToken('cookie', token)).toBe(true);
  expect(isFormToken('other', token)).toBe(false);
  expect(createFormToken('cookie')).not.toBe(token);
});

test('a changed, shortened, extended or missing token is none', () => {
  const token = createFormToken('cookie');
  const [number, mac] = token.split('.');
  for (const wrong of [
    undefined,
    '',
    '.',
    number,
    `${number}.`,
    `x${token}`,
    `${number}.${mac}.`,
    `${number}.${mac}x`,
  ])
    expect([wrong, isFormToken('cookie', wrong)]).toEqual([wrong, false]);
});
