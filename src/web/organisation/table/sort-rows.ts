import type { tableSorts } from '#modules/matching/matches';
import type { TableRow } from './table-rows.ts';

/** What is above average comes first, then what is open, and last what says nothing. */
const states = ['strength', 'unclear', 'growth', 'not_described'] as const;

type DescribedPriority = NonNullable<TableRow['priorities']>[number];

/** The place of a trait in an order: what is likely stands between what is clear and what is open. */
function findPlace({ state, standing, side }: DescribedPriority): number {
  const likely = standing !== 'likely' ? 0 : side === 'above' ? -0.5 : 0.5;
  return states.indexOf(state) + likely;
}

/** One number or text a row, by which an order compares; lower comes first. */
const keys: Readonly<Record<(typeof tableSorts)[number], (row: TableRow) => readonly (number | string)[]>> = {
  fit: () => [],
  asked: ({ priorities }) => (priorities ?? []).map(findPlace),
  new: ({ is_new }) => [is_new ? 0 : 1],
  waiting: ({ waits_for }) => [waits_for === 'organisation' ? 0 : 1, waits_for === null ? 1 : 0],
  // Those without a label come last.
  labels: ({ labels }) => [labels.length === 0 ? 1 : 0, ...labels.map((label) => label.toLowerCase())],
};

/**
 * Sorts the people of a page by words that the page shows. People with the same words stay in the order of the list, which is random within a
 * tier, so that a place says nothing that the words do not say.
 */
export function sortRows(rows: readonly TableRow[], sort: (typeof tableSorts)[number]): readonly TableRow[] {
  const readKey = keys[sort];
  return rows.toSorted((one, other) => compareKeys(readKey(one), readKey(other)));
}

function compareKeys(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  for (let place = 0; place < Math.max(one.length, other.length); place++) {
    const [left, right] = [one[place], other[place]];
    // A row whose reasons are still being written has nothing to compare, and comes last.
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
