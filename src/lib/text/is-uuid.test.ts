import { expect, test } from 'vitest';
import { isUuid } from './is-uuid.ts';

test.each([
  ['0d4e8c1a-6b2f-4f37-9c85-7a1e3b5d9f20', true],
  ['0D4E8C1A-6B2F-4F37-9C85-7A1E3B5D9F20', true],
  ['urn:uuid:0d4e8c1a-6b2f-4f37-9c85-7a1e3b5d9f20', false],
  ['0d4e8c1a6b2f4f379c857a1e3b5d9f20', false],
  ['', false],
])('%s is an id: %s', (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});
