import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutSlices, whole_postings_max } from './slices.ts';

test.each([
  [whole_postings_max, 1],
  [whole_postings_max + 1, 64],
])('every id is in exactly one slice of a ledger with %s postings', (postings, count) => {
  const slices = cutSlices(postings);
  expect(slices).toHaveLength(count);
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(slices.filter(({ first, last }) => first <= id && id <= last)).toHaveLength(1);
    }),
    { numRuns: 1_000 },
  );
  for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
    expect(slices.filter(({ first, last }) => first <= id && id <= last)).toHaveLength(1);
});
