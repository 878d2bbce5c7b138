import { expect, test } from 'vitest';
import { formatHandle } from './format-handle.ts';

test('a handle has only letters, and differs for different aliases', () => {
  const one = formatHandle('Person', '5e1f0a77-0c1d-8a2b-8f00-00000000000f');
  expect(one).toBe('Person BBBBT');
  expect(formatHandle('Person', '5e1f0a77-0c1d-8a2b-8f00-00000000001f')).not.toBe(one);
});
