import { expect, test } from 'vitest';
import { createFormToken, identifySending, isFormToken } from './form-token.ts';

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

test('a sending is the same only with the same view, address, form and values', () => {
  const sent = { address: '/app/agents', action: 'take', fields: { tool: 'a', grant: 'b' } };
  const same = identifySending('token', sent);
  expect(identifySending('token', { ...sent, fields: { grant: 'b', tool: 'a' } })).toBe(same);
  const others = [
    identifySending('other', sent),
    identifySending('token', { ...sent, address: '/app' }),
    identifySending('token', { ...sent, action: 'disconnect' }),
    identifySending('token', { ...sent, fields: { tool: 'a' } }),
    identifySending('token', { ...sent, fields: { tool: 'b', grant: 'a' } }),
  ];
  expect(new Set([same, ...others]).size).toBe(others.length + 1);
});
