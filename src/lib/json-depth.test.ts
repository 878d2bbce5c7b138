import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNestedDeeperThan } from './json-depth.ts';

const measureDepth = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(measureDepth))
    : 0;

test('agrees with the depth of the parsed value, regardless of its strings', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(9), (value, limit) => {
      expect(isNestedDeeperThan(limit, JSON.stringify(value))).toBe(measureDepth(value) > limit);
    }),
  );
});

test('ignores brackets inside strings and after escaped quotes', () => {
  expect(isNestedDeeperThan(1, '["[[[\\"[[["]')).toBe(false);
});
