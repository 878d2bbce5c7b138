import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNestedDeeperThan } from './json-depth.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('agrees with the depth of the parsed value, whatever the strings in it contain', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(9), (value, limit) => {
      expect(isNestedDeeperThan(limit, JSON.stringify(value))).toBe(depthOf(value) > limit);
    }),
  );
});

test('brackets inside strings and behind escaped quotes do not count', () => {
  expect(isNestedDeeperThan(1, '["[[[\\"[[["]')).toBe(false);
});
