import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildAddress, readSelection, statuses, tiers } from './selection.ts';

test('an address leads to the selection that it was built from', () => {
  const word = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
  const selection = fc.record({
    job_id: fc.uuid(),
    status: fc.constantFrom(...statuses),
    quality: fc.constantFrom(undefined, ...tiers),
    cursor: word,
    match: word,
  });
  fc.assert(
    fc.property(selection, (each) => {
      const { pathname, searchParams } = new URL(buildAddress(each), 'http://localhost');
      const params = { job_id: pathname.split('/').at(-1)! };
      expect(readSelection({ params, query: Object.fromEntries(searchParams) })).toEqual(each);
    }),
  );
});

test('what is no status and no tier is as usual', () => {
  const query = { status: 'withdrawn', quality: 'best', cursor: '', match: '' };
  expect(readSelection({ params: { job_id: 'x' }, query })).toEqual({
    job_id: 'x',
    status: 'pending_review',
    quality: undefined,
    cursor: undefined,
    match: undefined,
  });
});
