import { markHalves } from '#lib/mark.ts';
import {
  drawMark,
  finishPaper,
  writePageNumbers,
  openPaper,
  writeHeadline,
  writeOrigin,
  writeRows,
  writeSentence,
  type Paper,
} from '#platform/pdf/paper.ts';
import { writeTable, type TableColumn } from '#platform/pdf/table.ts';
import { biasStages, type GroupRate } from './rules.ts';
import type { BiasReport } from './wire.ts';
import {
  attributeWords,
  formatGroup,
  formatShare,
  hidden_words,
  nothing_shown_words,
  selectionWords,
  stageWords,
} from './words.ts';

const columns: readonly TableColumn[] = [
  { heading: 'Group', share: 3 },
  { heading: 'People', share: 1.4, isNumber: true },
  { heading: 'Selected', share: 1.4, isNumber: true },
  { heading: 'Rate', share: 1.2, isNumber: true },
  { heading: 'Impact ratio', share: 1.6, isNumber: true },
  { heading: 'Below 4/5', share: 1.6, isNumber: true },
];

/** Renders a bias report as a tagged PDF: the funnel, each comparison as a table, the method and the limits. */
export function renderBiasReport(report: BiasReport): Promise<Buffer> {
  const paper = openPaper({
    title: `Bias report ${report.year}: ${report.org_name}`,
    created_at: new Date(report.counted_on),
  });
  drawMark(paper, [
    { path: markHalves.left, colour: '#14665a' },
    { path: markHalves.right, colour: '#b4532f' },
  ]);
  writeOrigin(paper, report.org_name);
  writeHeadline(paper, `Bias report ${report.year}`);
  writeSentence(
    paper,
    `How groups of people pass from match to placement. People were counted on ${report.counted_on}. Numbers about fewer than ${report.smallest_cell} people are not shown.`,
  );
  writeRows(
    paper,
    'All people by stage',
    biasStages.map((stage) => ({ label: stageWords[stage], value: String(report.totals[stage]) })),
  );
  for (const comparison of report.comparisons) writeComparison(paper, comparison);
  writeStatements(paper, 'Method', report.method);
  writeStatements(paper, 'Limits', report.limits);
  writePageNumbers(paper, (page, pages) => `Page ${page} of ${pages}`);
  return finishPaper(paper);
}

function writeComparison(
  paper: Paper,
  { attribute, selection, groups }: BiasReport['comparisons'][number],
): void {
  if (selection === 'matched') return;
  if (selection === 'rated_strong') writeRows(paper, attributeWords[attribute], []);
  const rows = groups.filter(({ people }) => people !== null);
  if (rows.length > 0) writeTable(paper, selectionWords[selection], columns, rows.map(formatRow));
  else if (selection === 'rated_strong') writeSentence(paper, nothing_shown_words);
}

function formatRow(row: GroupRate): string[] {
  const { group, people, selected, rate, impact_ratio, below_four_fifths } = row;
  return [
    formatGroup(group),
    people === null ? hidden_words : String(people),
    selected === null ? hidden_words : String(selected),
    formatShare(rate),
    impact_ratio === null ? '–' : impact_ratio.toFixed(2),
    below_four_fifths === null ? '–' : below_four_fifths ? 'yes' : 'no',
  ];
}

function writeStatements(paper: Paper, heading: string, statements: readonly string[]): void {
  writeRows(paper, heading, []);
  for (const statement of statements) writeSentence(paper, statement);
}
