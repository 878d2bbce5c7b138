import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slices } from './slices.ts';

test('every id is in exactly one slice', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(slices.filter(({ first, last }) => first <= id && id <= last)).toHaveLength(1);
    }),
    { numRuns: 1_000 },
  );
  for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
    expect(slices.filter(({ first, last }) => first <= id && id <= last)).toHaveLength(1);
});
