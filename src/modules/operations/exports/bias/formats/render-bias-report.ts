import {
  finishPaper,
  writePageNumbers,
  writeHeadline,
  writeOrigin,
  writeRows,
  writeSentence,
  type Paper,
  type TableColumn,
} from '@tessera/pdf';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import { drawMark, openPaper } from '#platform/pdf/open-paper.ts';
import type { GroupRate } from '../compare-groups.ts';
import { drawRatios, drawShares } from './draw-ratios.ts';
import {
  formatProbability,
  writeDrivers,
  writeLongTable,
  writeMeasurement,
  writeOutcomes,
  writePolicies,
  writeReviewLog,
} from './write-details.ts';
import { biasStages, not_stated, other_groups } from '../rules.ts';
import type { BiasReport } from '../wire.ts';
import {
  approximate_words,
  attributeWords,
  flagWords,
  formatGroup,
  formatShare,
  hidden_words,
  left_out_words,
  not_counted_words,
  nothing_shown_words,
  others_words,
  selectionWords,
  stageWords,
  uncounted_words,
} from '../words.ts';

const columns: readonly TableColumn[] = [
  { heading: 'Group', share: 2.7 },
  { heading: 'People', share: 1.25, isNumber: true },
  { heading: 'Selected', share: 1.75, isNumber: true },
  { heading: 'Rate', share: 1.35, isNumber: true },
  { heading: 'Ratio', share: 1.1, isNumber: true },
  { heading: '95 % interval', share: 2.2, isNumber: true },
  { heading: 'p (Holm)', share: 1.65, isNumber: true },
  { heading: 'Finding', share: 2.3, isNumber: true },
];

/** Renders a bias report as a tagged PDF: the funnel, each comparison as a table, the method and the limits. */
export function renderBiasReport(report: BiasReport): Promise<Buffer> {
  const paper = openPaper({
    title: `Bias report ${report.year}: ${report.org_name}`,
    created_at: new Date(report.counted_on ?? `${report.year}-12-31`),
  });
  drawMark(paper);
  writeOrigin(paper, report.org_name);
  writeHeadline(paper, `Bias report ${report.year}`);
  writeSentence(
    paper,
    `How groups of people pass from match to placement. ${describePublication(report)} Numbers about fewer than ${report.smallest_cell} people are not shown.`,
  );
  writeSentence(paper, report.next_report.words);
  if (report.number !== null) writeCounts(paper, report);
  writeOversight(paper, report);
  writeReviewLog(paper, report);
  writePolicies(paper, report);
  writeTrend(paper, report);
  writeSentence(paper, report.provenance.purpose);
  if (report.number !== null) writeProvenance(paper, report);
  writeStatements(paper, 'Method', report.method);
  writeStatements(paper, 'Limits', report.limits);
  const published =
    report.counted_on === null ? '' : `Published on ${formatUtcDate(new Date(report.counted_on))} · `;
  writePageNumbers(paper, (page, pages) => `${published}page ${page} of ${pages}`);
  return finishPaper(paper);
}

/** Writes what was counted when the report was published. */
function writeCounts(paper: Paper, report: BiasReport): void {
  writeFindings(paper, report);
  writeFunnel(paper, report);
  for (const comparison of report.comparisons) writeComparison(paper, comparison);
  writeDrivers(paper, report);
  writeOutcomes(paper, report);
  writeMeasurement(paper, report);
}

function describePublication({ year, number, counted_on }: BiasReport): string {
  return counted_on === null
    ? `No report about ${year} was published yet.`
    : `This is report ${number} about ${year}, published on ${formatUtcDate(new Date(counted_on))}. It does not change.`;
}

/** Writes first what a reader looks for: the differences that chance does not explain. */
function writeFindings(paper: Paper, { comparisons }: BiasReport): void {
  const findings = comparisons.flatMap(({ attribute, selection, groups }) =>
    groups
      .filter(({ flag }) => flag === 'significant')
      .map(({ group, impact_ratio }) => ({
        label: `${attributeWords[attribute]}: ${formatGroup(group)}`,
        value: `${selectionWords[selection]}: ${formatShare(impact_ratio)} of the highest rate.`,
      })),
  );
  const tested = comparisons.flatMap(({ groups }) => groups).filter(({ flag }) => flag !== null);
  const unknown = tested.filter(({ flag }) => flag === 'insufficient').length;
  writeRows(paper, 'What stands out', findings);
  writeSentence(paper, describeFindings(findings.length, tested.length, unknown));
}

function describeFindings(found: number, tested: number, unknown: number): string {
  if (tested === 0) return 'No two groups are large enough to be compared.';
  const few =
    unknown === 0 ? '' : ` In ${unknown} of them, too few people prove nothing in either direction.`;
  const marked = found === 1 ? '1 difference is' : `${found === 0 ? 'No' : found} differences are`;
  return `${marked} significant, of ${tested} compared.${few} The tables have all of them.`;
}

/** Writes how many people reached each stage, as bars of the most people at a stage. */
function writeFunnel(paper: Paper, { totals }: BiasReport): void {
  const stages = ['assessed', ...biasStages] as const;
  writeRows(paper, 'All people by stage', []);
  const most = Math.max(1, ...stages.map((stage) => totals[stage] ?? 0));
  const bars = stages.map((stage) => ({
    name: stageWords[stage],
    share: (totals[stage] ?? 0) / most,
    words: String(totals[stage] ?? hidden_words),
  }));
  paper.pdf.y += chart_gap_points;
  drawShares(
    paper,
    bars,
    `All people by stage: ${bars.map(({ name, words }) => `${name} ${words}`).join('; ')}.`,
  );
  if (totals.assessed === null) writeSentence(paper, not_counted_words);
}

const chart_gap_points = 4;

function writeComparison(
  paper: Paper,
  { attribute, selection, is_approximate, groups }: BiasReport['comparisons'][number],
): void {
  const isFirst = selection === 'matched';
  if (isFirst) {
    // A heading stays with its first table.
    if (paper.pdf.y > paper.pdf.page.height - heading_points) paper.pdf.addPage();
    writeRows(paper, attributeWords[attribute], []);
  }
  const rows = groups.filter(({ people }) => people !== null && people > 0);
  if (rows.every(({ group }) => group.includes(not_stated) || group.includes(other_groups))) {
    if (selection === 'rated_strong') writeSentence(paper, nothing_shown_words);
    return;
  }
  if (rows.every(({ selected, flag }) => selected === null && flag === null)) {
    writeSentence(paper, `${selectionWords[selection]}. ${left_out_words}`);
    return;
  }
  // A table stays with its chart.
  const needed = table_points + 2 * row_points * rows.length;
  if (rows.length < rows_together_max && paper.pdf.y > paper.pdf.page.height - needed) paper.pdf.addPage();
  writeLongTable(paper, selectionWords[selection], columns, rows.map(formatRow));
  drawRatios(paper, rows, summariseRatios(selectionWords[selection], rows));
  if (is_approximate) writeSentence(paper, approximate_words);
  const detectable = summariseDetectable(rows);
  if (detectable !== undefined) writeSentence(paper, detectable);
}

/** The place that a caption, the heading of a table and the scale of a chart need, and what a line of each needs. */
const table_points = 150;
const row_points = 16;

/** A longer table and its chart may be on two pages. */
const rows_together_max = 15;

/** The place that a heading and a small table with its chart need. */
const heading_points = 260;

function formatRow(row: BiasReport['comparisons'][number]['groups'][number]): string[] {
  const { group, people, selected, rate, impact_ratio, ratio_from, ratio_to, holm_p, flag } = row;
  return [
    row.may_include_others ? `${formatGroup(group)}, ${others_words}` : formatGroup(group),
    people === null ? hidden_words : String(people),
    selected === null ? hidden_words : String(selected),
    formatShare(rate),
    impact_ratio === null ? '–' : impact_ratio.toFixed(2),
    ratio_from === null || ratio_to === null ? '–' : `${ratio_from.toFixed(2)} to ${ratio_to.toFixed(2)}`,
    formatProbability(holm_p),
    row.is_excluded ? 'below 2 %' : flag === null ? '–' : flagWords[flag],
  ];
}

/** Says which ratio so few people would show at all. Nothing is said where nobody is too few. */
function summariseDetectable(rows: readonly GroupRate[]): string | undefined {
  const parts = rows
    .filter(({ flag }) => flag === 'insufficient')
    .map(({ group, detectable_ratio }) =>
      detectable_ratio === null
        ? `${formatGroup(group)}: none`
        : `${formatGroup(group)}: ${detectable_ratio.toFixed(2)} or less`,
    );
  return parts.length === 0
    ? undefined
    : `Too few people prove nothing in either direction. Ratios that so few would show: ${parts.join('; ')}.`;
}

/** Says in words what a chart shows. */
function summariseRatios(selection: string, rows: readonly GroupRate[]): string {
  const ratios = rows
    .filter(({ impact_ratio }) => impact_ratio !== null)
    .map(({ group, impact_ratio, flag }) => {
      const words = flag === null ? 'the highest rate' : flagWords[flag];
      return `${formatGroup(group)} ${formatShare(impact_ratio)} (${words})`;
    });
  return `${selection}: rates as a share of the highest rate: ${ratios.join('; ')}.`;
}

function writeOversight(paper: Paper, { oversight }: BiasReport): void {
  writeRows(paper, 'Human oversight', [
    {
      label: 'People in whom an administrator was interested',
      value: String(oversight.human_decisions ?? uncounted_words),
    },
    { label: 'Human reviews that members asked for', value: String(oversight.reviews_requested) },
    { label: 'The decision stayed', value: String(oversight.reviews_upheld) },
    { label: 'The decision was changed', value: String(oversight.reviews_changed) },
    { label: 'Waiting for an answer', value: String(oversight.reviews_open) },
    { label: 'Overdue', value: String(oversight.reviews_overdue) },
    { label: 'Answered late', value: String(oversight.reviews_answered_late) },
    { label: 'Withdrawn', value: String(oversight.reviews_withdrawn) },
  ]);
}

function writeProvenance(paper: Paper, { provenance, coverage }: BiasReport): void {
  writeRows(paper, 'Where the numbers come from', [
    { label: 'Traits', value: provenance.taxonomy },
    { label: 'Version of the item parameters', value: provenance.parameter_version ?? 'the first' },
    { label: 'Version of the fit policy', value: String(provenance.policy_version ?? '–') },
    { label: 'Tier of the person in the middle', value: provenance.median_tier ?? '–' },
    { label: 'Hash of the numbers', value: provenance.input_hash.slice(0, 32) },
    ...coverage.map(({ attribute, stated, not_stated }) => ({
      label: `${attributeWords[attribute]}: stated / not stated`,
      value: `${stated ?? hidden_words} / ${not_stated ?? hidden_words}`,
    })),
  ]);
}

function writeTrend(paper: Paper, { trend }: BiasReport): void {
  if (new Set(trend.map(({ year }) => year)).size < 2) return;
  const rows = trend.map(({ year, attribute, selection, lowest_ratio }) => [
    String(year),
    attributeWords[attribute],
    stageWords[selection],
    lowest_ratio.toFixed(2),
  ]);
  writeLongTable(paper, 'Lowest impact ratio by year', trendColumns, rows);
}

const trendColumns: readonly TableColumn[] = [
  { heading: 'Year', share: 1 },
  { heading: 'Attribute', share: 3 },
  { heading: 'Selection', share: 3 },
  { heading: 'Lowest ratio', share: 1.5, isNumber: true },
];

function writeStatements(paper: Paper, heading: string, statements: readonly string[]): void {
  writeRows(paper, heading, []);
  for (const statement of statements) writeSentence(paper, statement);
}
