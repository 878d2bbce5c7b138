import { judgeItem, toKeyedCategory, type ItemClass, type Stratum } from '@tessera/psychometrics';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import type { ItemBank } from '../items/bank.ts';
import { isSkipped, type Answer, type GradedItem } from '../items/item.ts';
import { computeMarginals } from '../measurement/posterior.ts';
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
const levels = 10;
const rounds_max = 5;

/**
 * Compares how the statements of a bank work for the groups that a column of a file names: each group with the largest one, among people with the same estimate
 * of the trait (tenths), by the two methods of `judgeItem`. Statements that differ are left out of the estimates of the others, until the same ones
 * differ (Lord 1980). Groups of fewer than 100 people are not compared, and a line says so.
 *
 * @throws OperatorError for an unknown bank or version, a file that cannot be read, or fewer than two groups that are large enough.
 */
export async function compareGroups(
  platform: Pick<Platform, 'database' | 'memory'>,
  { csv = '', group: column = '', ...input }: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<readonly ComparedItem[]> {
  const { form, items } = await loadBankVersion(platform, input);
  const table = await readAnswerTable(csv, listAnswerRanges(form), column);
  const [reference, ...others] = selectGroups(csv, column, table, output);
  const drawProgress = createProgressBar('comparing', output);
  const answered = items.graded.filter(({ id }) => table.item_ids.includes(id));
  const scales = [...Map.groupBy(answered, ({ trait }) => trait)];
  return others.flatMap((group, index) =>
    scales.flatMap(([scale, statements], place) => {
      const compared = compareScale(readScale(items, scale, statements), table, [reference!, group]);
      drawProgress(index * scales.length + place + 1, others.length * scales.length);
      return compared;
    }),
  );
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

/** The statements of a scale, in a bank that measures nothing else. */
type Scale = { readonly bank: ItemBank<string>; readonly statements: readonly GradedItem<string>[] };

function readScale(bank: ItemBank<string>, scale: string, statements: Scale['statements']): Scale {
  return { bank: { ...bank, traits: [scale], covariance: [[1]], slots: new Map([[scale, 0]]) }, statements };
}

type Person = { readonly isFocal: boolean; readonly answers: ReadonlyMap<string, Answer> };

function compareScale(
  scale: Scale,
  { listAnswers }: AnswerTable,
  [reference, focal]: readonly [Group, Group],
): readonly ComparedItem[] {
  const ids = new Set(scale.statements.map(({ id }) => id));
  const people = [reference, focal].flatMap(({ rows }, index) =>
    rows.map((row): Person => {
      const answers = listAnswers(row).filter(({ item_id }) => ids.has(item_id));
      return { isFocal: index === 1, answers: new Map(answers.map((answer) => [answer.item_id, answer])) };
    }),
  );
  let differing: ReadonlySet<string> = new Set();
  for (let round = 1; ; round++) {
    const compared = scale.statements.map((item) => {
      const judged = judgeItem(countStrata(scale, people, item, differing));
      return {
        item_id: item.id,
        class: judged?.item_class ?? 'small',
        effect: judged?.effect ?? null,
        probability: judged?.probability ?? null,
        group: focal.name,
        compared_with: reference.name,
      };
    });
    const next = new Set(compared.filter((each) => each.class !== 'small').map(({ item_id }) => item_id));
    const isStable = next.size === differing.size && [...next].every((id) => differing.has(id));
    if (round === rounds_max || isStable) return compared;
    differing = next;
  }
}

/** Counts the keyed answers to a statement at each tenth of the trait, which is estimated from this statement and those that do not differ. */
function countStrata(
  { bank }: Scale,
  people: readonly Person[],
  item: GradedItem<string>,
  differing: ReadonlySet<string>,
): readonly Stratum[] {
  const placed = people.flatMap(({ isFocal, answers }) => {
    const own = answers.get(item.id);
    if (own === undefined || isSkipped(item, own.option)) return [];
    const counted = [...answers.values()].filter(
      ({ item_id }) => item_id === item.id || !differing.has(item_id),
    );
    const category = toKeyedCategory(item, own.option);
    return [{ isFocal, category, estimate: computeMarginals(counted, bank)[0]!.mean }];
  });
  const sorted = placed.map(({ estimate }) => estimate).toSorted((one, other) => one - other);
  const ends = Array.from(
    { length: levels - 1 },
    (_, level) => sorted[Math.floor(((level + 1) * sorted.length) / levels)]!,
  );
  const createCounts = () => Array.from({ length: item.thresholds.length + 1 }, () => 0);
  const strata = Array.from({ length: levels }, () => ({ reference: createCounts(), focal: createCounts() }));
  for (const { isFocal, category, estimate } of placed) {
    const stratum = strata[ends.filter((end) => estimate >= end).length]!;
    stratum[isFocal ? 'focal' : 'reference'][category]!++;
  }
  return strata;
}
