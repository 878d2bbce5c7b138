import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatUuid } from './format-uuid.ts';

test('the digits of an id become the id again', () => {
  const id = randomUUID();
  expect(formatUuid(id.replaceAll('-', ''))).toBe(id);
});
