import { formatCsv } from '#lib/csv.ts';
import { biasStages } from '../rules.ts';
import type { BiasReport } from '../wire.ts';

const header = [
  'section',
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
  'is_approximate',
  'may_include_others',
  'is_excluded',
  'ratio_from',
  'ratio_to',
  'fisher_p',
  'mid_p',
  'holm_p',
  'detectable_ratio',
  'flag',
  'measure',
  'value',
];

type Cell = string | number | null;
type Row = readonly Cell[];

/** What a cell says that is not shown. An empty cell is a value that does not exist. */
const hidden = 'hidden';

/** Writes a bias report as CSV: the totals, each selection by each group, and further sections with one value a row. */
export function formatBiasCsv(report: BiasReport): string {
  const rows = [
    ...listProvenance(report),
    ...listTotals(report),
    ...listComparisons(report),
    ...listOutcomes(report),
    ...listMeasurement(report),
    ...listDrivers(report),
    ...listPolicyChanges(report),
    ...listOversight(report),
    ...listTrend(report),
  ];
  return [...formatCsv(header, rows)].join('');
}

/** Builds a row of some columns; the others are empty. */
function buildCells(cells: Readonly<Record<string, Cell | boolean>>): Row {
  return header.map((name) => {
    const cell = cells[name] ?? '';
    return typeof cell === 'boolean' ? formatBoolean(cell) : cell;
  });
}

function buildRow(section: string, names: Row, measure: string, value: Cell): Row {
  const named = Object.fromEntries(names.map((name, place) => [header[place + 1]!, name]));
  return buildCells({ section, ...named, measure, value: value ?? hidden });
}

function listProvenance({ provenance, coverage, measurement, ...report }: BiasReport): readonly Row[] {
  const facts = {
    year: report.year,
    number: report.number,
    counted_on: report.counted_on,
    next_report: report.next_report.words,
    ...provenance,
    measured_on: measurement.measured_on,
  };
  return [
    ...Object.entries(facts).map(([name, value]) => buildRow('provenance', [], name, value ?? '')),
    ...coverage.flatMap(({ attribute, stated, not_stated }) => [
      buildRow('coverage', [attribute], 'stated', stated),
      buildRow('coverage', [attribute], 'not_stated', not_stated),
    ]),
  ];
}

function listTotals({ totals }: BiasReport): readonly Row[] {
  return (['assessed', ...biasStages] as const).map((selection) =>
    buildCells({
      section: 'total',
      attribute: 'all',
      group: 'all',
      selection,
      selected: totals[selection] ?? hidden,
    }),
  );
}

function listComparisons({ comparisons }: BiasReport): readonly Row[] {
  return comparisons.flatMap(({ groups, ...comparison }) =>
    groups.map((row) =>
      buildCells({
        section: 'comparison',
        ...comparison,
        ...row,
        people: row.people ?? hidden,
        selected: row.selected ?? hidden,
      }),
    ),
  );
}

function listOutcomes({ outcomes }: BiasReport): readonly Row[] {
  return outcomes.flatMap(({ attribute, outcome, groups, ...gaps }) => [
    ...Object.entries(gaps).map(([name, value]) =>
      buildRow('outcome', [attribute, '', outcome], name, value ?? ''),
    ),
    ...groups.flatMap(({ group, ...rates }) =>
      Object.entries(rates).map(([name, value]) =>
        buildRow('outcome', [attribute, group, outcome], name, value),
      ),
    ),
  ]);
}

function listMeasurement({ measurement: { precision, items } }: BiasReport): readonly Row[] {
  return [
    ...precision.flatMap(({ attribute, group, ...values }) =>
      Object.entries(values).map(([name, value]) => buildRow('precision', [attribute, group], name, value)),
    ),
    ...items.flatMap(({ attribute, group, reference, compared, moderate, large, items: flagged }) => [
      ...Object.entries({ reference, compared, moderate, large }).map(([name, value]) =>
        buildRow('item_functioning', [attribute, group], name, value),
      ),
      ...flagged.map(({ item_id, item_class, effect }) =>
        buildRow('item_functioning', [attribute, group], `${item_id} (${item_class})`, effect),
      ),
    ]),
  ];
}

function listDrivers({ drivers }: BiasReport): readonly Row[] {
  return drivers.flatMap(({ attribute, group, selection, reference, traits }) =>
    traits.map(({ trait, share }) =>
      buildRow('driver', [attribute, group, selection, reference], trait, share),
    ),
  );
}

function listPolicyChanges({ policy_changes }: BiasReport): readonly Row[] {
  return policy_changes.flatMap(({ version, used_on, regressions, ...findings }) =>
    Object.entries({ used_on, ...findings, regressions: regressions.join(' ') }).map(([name, value]) =>
      buildRow('policy_change', [], `version ${version}: ${name}`, value ?? ''),
    ),
  );
}

function listOversight({ oversight: { log, ...counts } }: BiasReport): readonly Row[] {
  return [
    ...Object.entries(counts).map(([name, value]) => buildRow('oversight', [], name, value)),
    ...log.flatMap((entry, place) =>
      Object.entries(entry).map(([name, value]) =>
        buildRow(
          'oversight_log',
          [],
          `${place + 1}: ${name}`,
          typeof value === 'boolean' ? formatBoolean(value) : (value ?? ''),
        ),
      ),
    ),
  ];
}

function listTrend({ trend }: BiasReport): readonly Row[] {
  return trend.map(({ year, attribute, selection, lowest_ratio }) =>
    buildRow('trend', [attribute, '', selection], `lowest_ratio ${year}`, lowest_ratio),
  );
}

function formatBoolean(value: boolean): string {
  return value ? 'yes' : 'no';
}
