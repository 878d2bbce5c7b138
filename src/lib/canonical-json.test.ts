import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeCanonicalJson } from './canonical-json.ts';

test('keys are sorted and nothing is between the parts', () => {
  expect(writeCanonicalJson({ b: [1, { d: null, c: 'x' }], a: true, 10: 1, 9: 2 })).toBe(
    '{"10":1,"9":2,"a":true,"b":[1,{"c":"x","d":null}]}',
  );
});

test('it is JSON of the same value, and the same text for every order of the keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = writeCanonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(writeCanonicalJson(reverseKeys(value))).toBe(text);
      expect(writeCanonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reverseKeys(inner)]),
  );
}
