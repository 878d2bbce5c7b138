import { formatCsv } from '#lib/csv.ts';
import { biasStages } from './rules.ts';
import type { BiasReport } from './wire.ts';

const header = [
  'attribute',
  'group',
  'selection',
  'of',
  'decided_by',
  'people',
  'selected',
  'rate',
  'impact_ratio',
  'below_four_fifths',
];

/** What a cell says that is not shown. An empty cell is a value that does not exist. */
const hidden = 'hidden';

/** Writes a bias report as CSV: the totals, then each selection by each group. */
export function formatBiasCsv({ totals, comparisons }: BiasReport): string {
  const all = biasStages.map((stage) => ['all', 'all', stage, '', '', '', totals[stage], '', '', '']);
  const rows = comparisons.flatMap(({ attribute, selection, of, decided_by, groups }) =>
    groups.map(({ group, people, selected, rate, impact_ratio, below_four_fifths }) => [
      attribute,
      group,
      selection,
      of,
      decided_by,
      people ?? hidden,
      selected ?? hidden,
      rate,
      impact_ratio,
      below_four_fifths === null ? '' : below_four_fifths ? 'yes' : 'no',
    ]),
  );
  return [...formatCsv(header, [...all, ...rows])].join('');
}
