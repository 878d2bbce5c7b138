import { traitNames, isTraitCode } from '#modules/measurement/traits';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import { writeRows, writeSentence, writeTable, type Paper, type TableColumn } from '@tessera/pdf';
import type { BiasReport } from '../wire.ts';
import {
  attributeWords,
  formatGroup,
  formatShare,
  outcomeWords,
  reviewWords,
  selectionWords,
  useWords,
} from '../words.ts';
import { drawShares } from './draw-ratios.ts';

/** A table has at most this many rows on a page. */
const rows_max = 30;

/** Writes a table of any length, in parts that fit a page. */
export function writeLongTable(
  paper: Paper,
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): void {
  for (let start = 0; start < rows.length; start += rows_max)
    writeTable(paper, caption, columns, rows.slice(start, start + rows_max));
}

const buildNumberColumn = (heading: string, share = 1.2): TableColumn => ({ heading, share, isNumber: true });

const outcomeColumns: readonly TableColumn[] = [
  { heading: 'Group', share: 2.2 },
  buildNumberColumn('People', 0.9),
  buildNumberColumn('Good', 0.9),
  buildNumberColumn('True pos.'),
  buildNumberColumn('False pos.'),
  buildNumberColumn('Came true: strong', 2),
  buildNumberColumn('lower', 1),
];

/** Writes what became of people by group, and how the service had rated them. */
export function writeOutcomes(paper: Paper, { outcomes }: BiasReport): void {
  writeRows(paper, 'What became of people', []);
  writeSentence(
    paper,
    'True positives are people with a good outcome who were rated strong or exceptional, and false positives those with another outcome who were. Ratings fit all groups equally if both rates are about the same.',
  );
  const shown = outcomes.filter(({ groups }) => groups.some(({ people }) => people !== null));
  if (shown.length === 0)
    writeSentence(paper, 'There are not enough known outcomes in any two groups to show numbers.');
  for (const { attribute, outcome, groups, ...gaps } of shown) {
    const caption = `${attributeWords[attribute]}: ${outcomeWords[outcome]}`;
    const rows = groups.filter(({ people }) => people !== null);
    writeTable(
      paper,
      caption,
      outcomeColumns,
      rows.map((row) => [
        formatGroup(row.group),
        String(row.people),
        String(row.good),
        formatShare(row.true_positive_rate),
        formatShare(row.false_positive_rate),
        formatShare(row.good_of_strong),
        formatShare(row.good_of_lower),
      ]),
    );
    drawShares(
      paper,
      rows.map(({ group, true_positive_rate }) => ({
        name: formatGroup(group),
        share: true_positive_rate ?? 0,
      })),
      `${caption}. True positive rates: ${rows.map((row) => `${formatGroup(row.group)} ${formatShare(row.true_positive_rate)}`).join('; ')}.`,
    );
    if (gaps.true_positive_gap !== null)
      writeSentence(
        paper,
        `Gap of the true positive rates: ${formatShare(gaps.true_positive_gap)} (adjusted p ${formatProbability(gaps.true_positive_p)}); of the false positive rates: ${formatShare(gaps.false_positive_gap)} (${formatProbability(gaps.false_positive_p)}).`,
      );
  }
}

export function formatProbability(probability: number | null): string {
  if (probability === null) return '–';
  return probability < 0.001 ? '< 0.001' : probability.toFixed(3);
}

/** Writes the traits behind marked gaps; nothing if there are none. */
export function writeDrivers(paper: Paper, { drivers }: BiasReport): void {
  if (drivers.length === 0) return;
  writeRows(paper, 'What is behind the marked gaps of ratings', []);
  writeSentence(
    paper,
    'Each trait has a part of what widens the gap: the difference of the groups in it, times how much the jobs of the organisation ask for it.',
  );
  for (const { attribute, selection, group, reference, traits } of drivers) {
    const caption = `${formatGroup(group)}, compared with ${formatGroup(reference)} (${attributeWords[attribute]})`;
    const named = traits.map(({ trait, share }) => ({ name: nameTrait(trait), share }));
    writeRows(paper, caption, []);
    drawShares(
      paper,
      named,
      `${caption}, ${selectionWords[selection]}: ${named.map(({ name, share }) => `${name} ${formatShare(share)}`).join('; ')}.`,
    );
  }
}

function nameTrait(trait: string): string {
  return isTraitCode(trait) ? traitNames[trait] : trait;
}

/** Formats a day of the report, such as 2026-03-02, for a reader. */
function formatDay(day: string): string {
  return formatUtcDate(new Date(day));
}

/** Writes how precisely and how evenly groups are measured, in the whole service. */
export function writeMeasurement(paper: Paper, { measurement }: BiasReport): void {
  const { measured_on, precision, items } = measurement;
  writeRows(paper, 'How well groups are measured', []);
  writeSentence(
    paper,
    measured_on === null
      ? 'The members of the service have not been counted and measured yet. This happens once a month.'
      : `All members of the service, counted on ${formatDay(measured_on)}, whichever organisation they were matched with. The standard error is the mean of all traits, in standard deviations of the population.`,
  );
  writeLongTable(
    paper,
    'Precision by group',
    [
      { heading: 'Attribute', share: 2 },
      { heading: 'Group', share: 3 },
      buildNumberColumn('Standard error', 2),
      buildNumberColumn('Questions answered', 2),
    ],
    precision.map((row) => [
      attributeWords[row.attribute],
      formatGroup(row.group),
      row.standard_error.toFixed(2),
      row.items.toFixed(1),
    ]),
  );
  if (measured_on !== null && items.length === 0)
    writeSentence(
      paper,
      'Questions were not compared between groups: each needs 200 answers of either group, and 500 in all.',
    );
  writeLongTable(
    paper,
    'Questions that work differently (differential item functioning)',
    [
      { heading: 'Group', share: 3 },
      { heading: 'Compared with', share: 3 },
      buildNumberColumn('Compared', 1.5),
      buildNumberColumn('Moderate', 1.5),
      buildNumberColumn('Large'),
    ],
    items.map((row) => [
      `${attributeWords[row.attribute]}: ${formatGroup(row.group)}`,
      formatGroup(row.reference),
      String(row.compared),
      String(row.moderate),
      String(row.large),
    ]),
  );
}

/** Writes each human review of the year; nothing if there was none. */
export function writeReviewLog(paper: Paper, { oversight: { log } }: BiasReport): void {
  writeLongTable(
    paper,
    'Each human review',
    [
      { heading: 'Asked on', share: 1.5 },
      { heading: 'Due on', share: 1.5 },
      { heading: 'What became of it', share: 3 },
      { heading: 'Ended on', share: 1.5 },
      { heading: 'Late', share: 1 },
    ],
    log.map(({ requested_on, due_on, status, outcome, closed_on, is_late }) => [
      formatDay(requested_on),
      formatDay(due_on),
      reviewWords[outcome ?? status],
      closed_on === null ? '–' : formatDay(closed_on),
      is_late ? 'late' : 'no',
    ]),
  );
}

/** Writes which versions of the policy ranked jobs in the year. */
export function writePolicies(paper: Paper, { policy_changes }: BiasReport): void {
  writeLongTable(
    paper,
    'Versions of the policy that ranked jobs',
    [
      { heading: 'Version', share: 1.3 },
      { heading: 'How', share: 2.4 },
      { heading: 'On', share: 1.6 },
      buildNumberColumn('Gain'),
      buildNumberColumn('At least', 1.4),
      buildNumberColumn('Groups', 1.2),
      buildNumberColumn('Worse off', 1.6),
    ],
    policy_changes.map((each) => [
      String(each.version),
      useWords[each.action],
      formatDay(each.used_on),
      each.gain === null ? '–' : each.gain.toFixed(3),
      each.lower_bound === null ? '–' : each.lower_bound.toFixed(3),
      each.groups_compared === null ? '–' : String(each.groups_compared),
      each.groups_compared === null ? '–' : String(each.regressions.length),
    ]),
  );
  if (policy_changes.some(({ gain }) => gain !== null))
    writeSentence(
      paper,
      'Gain: by how much the evaluation expected the mean outcome to change, and at least, with 95 % confidence. Groups: how many were compared, and how many would have fared worse.',
    );
  for (const { version, regressions } of policy_changes)
    if (regressions.length > 0)
      writeSentence(paper, `Worse off with version ${version}: ${regressions.join(', ')}.`);
}
