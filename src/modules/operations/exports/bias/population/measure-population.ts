import { nil_uuid } from '#lib/nil-uuid.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { startGroupExamination } from '#modules/measurement/traits';
import {
  addMembers,
  summariseItems,
  summarisePrecision,
  type GroupExamination,
  type PrecisionSums,
} from './examine-members.ts';
import { countGroupPeople, isPopulationDue, type Population } from './rules.ts';
import { findPopulation, listCountedMembers, listMeasuredMembers, replacePopulation } from './store.ts';

const members_per_page = 500;
const members_max = 20_000;

/**
 * Counts all members by group at most once a month, and how precisely and how evenly they are measured, from the answers of at most 20,000 of
 * them. All bias reports show this one count, so that no two reports differ by somebody who came in between. Statements that work
 * differently for a group become findings for the operator.
 */
export const measurePopulation = task({
  name: 'exports.measurePopulation',
  // The next night replaces a retry.
  retry_seconds: [],
  every: '17 3 * * *',
  run: async (context) => {
    const { database, now } = context;
    const seen = await findPopulation(database);
    const people = countGroupPeople(await listCountedMembers(database));
    if (seen && !isPopulationDue(seen, people, now())) return;
    const examination = await startGroupExamination(context, database);
    const precision = summarisePrecision(await readMembers(context, examination));
    const comparisons = await examination.compareGroups();
    const counts: Population = { people, precision, items: summariseItems(comparisons) };
    await database.transaction(async (tx) => {
      await replacePopulation(tx, counts, { before: seen?.released_at, now: now() });
      await examination.recordDifferences(tx, comparisons, now());
    });
  },
});

/** Reads members page by page into the examination. @returns the sums from which the precision of groups follows. */
async function readMembers(
  { database, signal }: Pick<TaskContext, 'database' | 'signal'>,
  examination: GroupExamination,
): Promise<PrecisionSums> {
  const precision: PrecisionSums = new Map();
  let after: string | undefined = nil_uuid;
  for (let read = 0; after !== undefined && read < members_max; read += members_per_page) {
    signal.throwIfAborted();
    const members = await listMeasuredMembers(database, after, members_per_page);
    addMembers(members, precision, examination);
    after = members.at(-1)?.member_id;
  }
  return precision;
}
