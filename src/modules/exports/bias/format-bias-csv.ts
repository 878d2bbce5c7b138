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
  'is_excluded',
  'ratio_from',
  'ratio_to',
  'fisher_p',
  'mid_p',
  'holm_p',
  'detectable_ratio',
  'flag',
];

/** What a cell says that is not shown. An empty cell is a value that does not exist. */
const hidden = 'hidden';

/** The columns that a total does not have. */
const empty = header.slice(7).map(() => '');

/** Writes a bias report as CSV: the totals, then each selection by each group. */
export function formatBiasCsv({ totals, comparisons }: BiasReport): string {
  const all = biasStages.map((stage) => ['all', 'all', stage, '', '', '', totals[stage], ...empty]);
  const rows = comparisons.flatMap(({ attribute, selection, of, decided_by, groups }) =>
    groups.map((row) => [
      attribute,
      row.group,
      selection,
      of,
      decided_by,
      row.people ?? hidden,
      row.selected ?? hidden,
      row.rate,
      row.impact_ratio,
      row.below_four_fifths === null ? '' : formatBoolean(row.below_four_fifths),
      formatBoolean(row.is_excluded),
      row.ratio_from,
      row.ratio_to,
      row.fisher_p,
      row.mid_p,
      row.holm_p,
      row.detectable_ratio,
      row.flag,
    ]),
  );
  return [...formatCsv(header, [...all, ...rows])].join('');
}

function formatBoolean(value: boolean): string {
  return value ? 'yes' : 'no';
}
