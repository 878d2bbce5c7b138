import type { ItemClass } from '@tessera/psychometrics';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { compareFunctioning, createPacker } from '../functioning/compare-functioning.ts';
import { readAnswerTable, type AnswerTable } from './answer-table.ts';
import { listAnswerRanges, loadBankVersion } from './bank-version.ts';

/** How a statement works for a group, compared with the largest one. */
export type ComparedItem = {
  readonly item_id: string;
  readonly class: ItemClass;
  /** In standard deviations of the answers, above zero if the group answers as people with more of the trait do. Null if nothing can be compared. */
  readonly effect: number | null;
  readonly probability: number | null;
  readonly group: string;
  readonly compared_with: string;
};

const fewest_people = 100;
const groups_max = 20;

/**
 * Compares how the statements of a bank work for the groups that a column of a file names, as {@link compareFunctioning} does: each group with the largest
 * one. Groups of fewer than 100 people are not compared, and a line says so.
 *
 * @throws OperatorError for an unknown bank or version, a file that cannot be read, or fewer than two groups that are large enough.
 */
export async function compareGroups(
  platform: Pick<Platform, 'database' | 'memory'>,
  { csv = '', group: column = '', ...input }: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<readonly ComparedItem[]> {
  const { form, items } = await loadBankVersion(platform, input);
  const table = await readAnswerTable(csv, listAnswerRanges(form), { group: column });
  const groups = selectGroups(csv, column, table, output);
  const packPerson = createPacker(items);
  const people = groups.flatMap(({ name, rows }) =>
    rows.map((row) => packPerson({ group: name }, table.listAnswers(row))),
  );
  const comparisons = await compareFunctioning(people, items, {
    fewest: { of_group: fewest_people, of_both: 2 * fewest_people },
    showProgress: createProgressBar('comparing', output),
  });
  const answered = items.graded.filter(({ id }) => table.item_ids.includes(id));
  const [reference, ...others] = groups;
  return others.flatMap(({ name }) => {
    const judged = comparisons.find(({ group }) => group === name)?.judged ?? [];
    const judgedById = new Map(judged.map((each) => [each.item_id, each]));
    return answered.map(({ id }) => ({
      item_id: id,
      class: judgedById.get(id)?.item_class ?? 'small',
      effect: judgedById.get(id)?.effect ?? null,
      probability: judgedById.get(id)?.probability ?? null,
      group: name,
      compared_with: reference!.name,
    }));
  });
}

type Group = { readonly name: string; readonly rows: readonly number[] };

/** Lists the groups that are large enough, the largest first. */
function selectGroups(
  file: string,
  column: string,
  { groups }: AnswerTable,
  output: ProgressOutput,
): readonly Group[] {
  const byName = Map.groupBy(groups.keys(), (row) => groups[row]!);
  const named = [...byName].filter(([name]) => name !== '' && name !== 'NA');
  const large = named.filter(([, rows]) => rows.length >= fewest_people);
  const people = large.reduce((sum, [, rows]) => sum + rows.length, 0);
  if (large.length < 2 || large.length > groups_max)
    throw new OperatorError(
      `${file}, column ${column}: 2 to ${groups_max} groups of at least ${fewest_people} people are needed, but there are ${large.length}`,
    );
  if (people < groups.length)
    output.write(
      `not compared: ${groups.length - people} respondents without a group or in groups of fewer than ${fewest_people}\n`,
    );
  return large
    .map(([name, rows]) => ({ name, rows }))
    .toSorted((one, other) => other.rows.length - one.rows.length);
}
