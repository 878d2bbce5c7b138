import { nil_uuid } from '#lib/nil-uuid.ts';
import type { Reader } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import { addAnswers, compareItems, createAnswerSums, summarisePrecision } from './add-up-answers.ts';
import { countGroupPeople, isPopulationDue, type Population } from './rules.ts';
import { findPopulation, listCountedMembers, listMeasuredMembers, replacePopulation } from './store.ts';

const members_per_page = 500;
const members_max = 20_000;

/**
 * Counts all members by group at most once a month, and how precisely and how evenly they are measured, from the answers of at most 20,000 of them. All bias reports
 * show this one count, so that no two reports differ by somebody who came in between.
 */
export const measurePopulation = task({
  name: 'exports.measurePopulation',
  // The next night replaces a retry.
  retry_seconds: [],
  every: '17 3 * * *',
  run: async ({ database, now, signal }) => {
    const seen = await findPopulation(database);
    const people = countGroupPeople(await listCountedMembers(database));
    if (seen && !isPopulationDue(seen, people, now())) return;
    const counts: Population = { people, ...(await measureGroups(database, signal)) };
    await database.transaction((tx) =>
      replacePopulation(tx, counts, { before: seen?.released_at, now: now() }),
    );
  },
});

async function measureGroups(db: Reader, signal: AbortSignal): Promise<Omit<Population, 'people'>> {
  const sums = createAnswerSums();
  let after: string | undefined = nil_uuid;
  for (let read = 0; after !== undefined && read < members_max; read += members_per_page) {
    signal.throwIfAborted();
    const members = await listMeasuredMembers(db, after, members_per_page);
    for (const member of members) addAnswers(sums, member);
    after = members.at(-1)?.member_id;
  }
  return { precision: summarisePrecision(sums), items: compareItems(sums) };
}
