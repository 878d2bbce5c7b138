import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableSorts } from '#modules/matching/matches';
import { statuses, tiers } from '../shortlist/selection.ts';
import { buildTableAddress, readTableSelection } from './table-view.ts';

test('an address leads to the table that it was built from', () => {
  const word = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
  const selection = fc.record({
    job_id: fc.uuid(),
    status: fc.constantFrom(undefined, ...statuses),
    is_waiting: fc.boolean(),
    quality: fc.constantFrom(undefined, ...tiers),
    label: word,
    is_new: fc.boolean(),
    sort: fc.constantFrom(...tableSorts),
    cursor: word,
    match: word,
    pins: fc.uniqueArray(fc.uuid(), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(selection, (drawn) => {
      const each = { ...drawn, ...(drawn.is_waiting && { status: undefined }) };
      const { pathname, searchParams } = new URL(buildTableAddress(each), 'http://localhost');
      const params = { job_id: pathname.split('/').at(-2)! };
      expect(readTableSelection({ params, query: Object.fromEntries(searchParams) })).toEqual(each);
    }),
  );
});

test('without a filter those are shown who wait for a decision, and what is no filter is left out', () => {
  const query = { status: 'withdrawn', quality: 'best', sort: 'secret', pins: ',a,,a,b' };
  expect(readTableSelection({ params: { job_id: 'x' }, query })).toEqual({
    job_id: 'x',
    status: 'pending_review',
    is_waiting: false,
    quality: undefined,
    label: undefined,
    is_new: false,
    sort: 'fit',
    cursor: undefined,
    match: undefined,
    pins: ['a', 'b'],
  });
});
