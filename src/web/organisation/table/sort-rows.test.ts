import { expect, test } from 'vitest';
import { sortRows } from './sort-rows.ts';
import type { TableRow } from './table-rows.ts';

type Changes = Partial<Pick<TableRow, 'is_new' | 'waits_for' | 'labels'>> & {
  readonly states?: readonly string[];
};

/** A row of which only what sorts is filled in. */
function buildRow(id: string, { states, ...changes }: Changes): TableRow {
  const priorities = states?.map((state) => ({ trait: 'persistence', state, reason: 'Words.' })) ?? null;
  return {
    match: { id },
    is_new: false,
    waits_for: null,
    labels: [],
    priorities,
    ...changes,
  } as unknown as TableRow;
}

const listIds = (rows: readonly TableRow[]) => rows.map(({ match }) => match.id).join('');

test('each order follows the words that are shown, and equal people stay in the order of the list', () => {
  const rows = [
    buildRow('a', {}),
    buildRow('b', { states: ['growth', 'strength'], labels: ['Zebra'] }),
    buildRow('c', { states: ['strength', 'unclear'], is_new: true, waits_for: 'member', labels: ['apple'] }),
    buildRow('d', { states: ['strength', 'strength'], waits_for: 'organisation' }),
    buildRow('e', { states: ['strength', 'unclear'], is_new: true }),
  ];
  expect(listIds(sortRows(rows, 'fit'))).toBe('abcde');
  expect(listIds(sortRows(rows, 'asked'))).toBe('dceba');
  expect(listIds(sortRows(rows, 'new'))).toBe('ceabd');
  expect(listIds(sortRows(rows, 'waiting'))).toBe('dcabe');
  expect(listIds(sortRows(rows, 'labels'))).toBe('cbade');
});
