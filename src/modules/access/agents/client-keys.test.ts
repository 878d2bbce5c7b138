import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { selectKeys } from './client-keys.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const usable = { ...publicKey.export({ format: 'jwk' }), kid: 'one' };

test.each<[string, unknown]>([
  ['of an unknown kind', { kty: 'XYZ', x: 'AA' }],
  ['of an unknown curve', { ...usable, crv: 'P-999' }],
  ['without a part', { kty: 'RSA', n: 'AQAB' }],
  ['that is not on its curve', { ...usable, y: usable.x }],
  ['that is symmetric', { kty: 'oct', k: 'AAAA' }],
  ['with its private part', { ...privateKey.export({ format: 'jwk' }), kid: 'two' }],
  ['that is null', null],
  ['that is a text', 'key'],
])('a key %s does not refuse the set', (_, other) => {
  expect(selectKeys({ keys: [other, usable] })).toEqual({ keys: [usable] });
});

test('empty members are left out', () => {
  const key = { ...usable, alg: null, use: '', x5c: [], key_ops: ['verify'] };
  expect(selectKeys({ keys: [key], more: 1 })).toEqual({ keys: [{ ...usable, key_ops: ['verify'] }] });
});

test.each<[unknown]>([
  [undefined],
  [null],
  ['keys'],
  [[]],
  [{}],
  [{ keys: {} }],
  [{ keys: [] }],
  [{ keys: [{ kty: 'oct', k: 'AA' }] }],
])('what has no usable key stays as it is: %j', (set) => {
  expect(selectKeys(set)).toBe(set);
});
