import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findUnstorableText } from './unstorable-text.ts';

test('finds a NUL and half a character anywhere in the value, keys included', () => {
  expect(findUnstorableText({ a: ['x', 'y\0'] })).toBe('/a/1');
  expect(findUnstorableText({ 'a/b~': '\ud800' })).toBe('/a~1b~0');
  expect(findUnstorableText({ outer: { 'k\0': 1 } })).toBe('/outer');
  expect(findUnstorableText('\udc00')).toBe('');
});

const halves = fc
  .array(fc.oneof(fc.constantFrom(0, 0x5c, 0x75, 0xd83d, 0xde00), fc.integer({ min: 1, max: 0xffff })), {
    maxLength: 4,
  })
  .map((units) => String.fromCharCode(...units));

test('finds exactly the characters that JSON.stringify escapes as NUL or as a lone surrogate', () => {
  fc.assert(
    fc.property(
      fc.dictionary(halves, fc.oneof(halves, fc.array(halves)), { noNullPrototype: true }),
      (value) => {
        const escaped = /(?<!\\)(\\\\)*\\u(0000|d[89a-f]..)/i.test(JSON.stringify(value));
        expect(findUnstorableText(value) !== undefined).toBe(escaped);
      },
    ),
  );
});
