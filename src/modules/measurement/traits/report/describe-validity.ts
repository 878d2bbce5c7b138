import { empty, formatFigure, type ReportSection, type ReportTable } from './report-document.ts';
import type { RespondentReport } from './score-respondents.ts';
import { fewest_of_criterion, type CriterionReport } from './validity.ts';

/** What no column of a file can show. */
const always_missing =
  'Correlations with other questionnaires, with what others observe, and with outcomes at work, unless a column above is one of them. Nothing that this service stores can show them for a bank; a study with its own consent can.';

/** Says what goes together with the scores of the people of a file, and what that does not show. */
export function describeValidity({
  respondents_of_file: found,
  report_command,
}: {
  readonly respondents_of_file: RespondentReport | undefined;
  readonly report_command: string;
}): ReportSection {
  const criteria = found?.criteria ?? [];
  const told = criteria.filter(({ scales }) => scales.length > 0);
  if (!found || told.length === 0)
    return {
      ...empty,
      heading: 'Validity',
      missing: [
        ...describeUntold(criteria),
        '`items report … --csv FILE --criteria COLUMN,COLUMN` compares scores with columns of numbers, such as age, education or health.',
        always_missing,
      ],
    };
  return {
    ...empty,
    heading: 'Validity',
    sentences: [
      `The scores of ${found.people} respondents of ${found.file} beside other columns of it; ${found.careless} with a signal of careless answers are left out. Rank correlations (Spearman 1904) with 95 % intervals, not corrected for the errors of either side.`,
      `${countIntervals(told)} intervals are in these tables: about one in twenty of them misses the true value. A correlation says that two things go together among these people, neither why nor for whom else.`,
    ],
    tables: [...told.map(buildCriterionTable), ...buildTablesTogether(told)],
    command: report_command,
    missing: [...describeUntold(criteria), always_missing],
  };
}

function describeUntold(criteria: readonly CriterionReport[]): readonly string[] {
  return criteria
    .filter(({ scales }) => scales.length === 0)
    .map(({ criterion, people }) =>
      people < fewest_of_criterion
        ? `What goes together with ${criterion}: ${people} people have a number in this column, and ${fewest_of_criterion} are needed.`
        : `What goes together with ${criterion}: everybody has the same number.`,
    );
}

function countIntervals(criteria: readonly CriterionReport[]): number {
  return criteria.reduce((sum, { scales, together }) => sum + scales.length + (together ? 1 : 0), 0);
}

function buildCriterionTable({ criterion, people, scales }: CriterionReport): ReportTable {
  return {
    caption: `${criterion}, ${people} people`,
    columns: ['Scale', 'Correlation', 'From', 'To'],
    rows: scales.map(({ scale, correlation, lower, upper }) => [
      scale,
      ...[correlation, lower, upper].map(formatFigure),
    ]),
  };
}

function buildTablesTogether(criteria: readonly CriterionReport[]): readonly ReportTable[] {
  const rows = criteria.flatMap(({ criterion, people, together }) =>
    together
      ? [
          [
            criterion,
            String(people),
            ...[together.correlation, together.lower, together.upper].map(formatFigure),
          ],
        ]
      : [],
  );
  if (rows.length === 0) return [];
  return [
    {
      caption: 'All scales together: correlation with what they predict for people left out of the estimate',
      columns: ['Column', 'People', 'Correlation', 'From', 'To'],
      rows,
    },
  ];
}
