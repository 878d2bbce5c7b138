import { nil_uuid } from '#lib/nil-uuid.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { loadBankInUse, recordFindings, type NewFinding } from '#modules/measurement/traits';
import { addMembers, compareItems, startExamination, summarisePrecision } from './examine-members.ts';
import { countGroupPeople, isPopulationDue, type Population } from './rules.ts';
import { findPopulation, listCountedMembers, listMeasuredMembers, replacePopulation } from './store.ts';

const members_per_page = 500;
const members_max = 20_000;

/**
 * Counts all members by group at most once a month, and how precisely and how evenly they are measured, from the answers of at most 20,000 of them. Statements that work differently for a group
 * become findings for the operator. All bias reports
 * show this one count, so that no two reports differ by somebody who came in between.
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
    const { precision, items, findings, examined } = await examineMembers(context);
    await database.transaction(async (tx) => {
      await replacePopulation(tx, { people, precision, items }, { before: seen?.released_at, now: now() });
      await recordFindings(tx, ['differs'], { findings, ...examined, now: now() });
    });
  },
});

type Examined = Omit<Population, 'people'> & {
  readonly findings: readonly NewFinding[];
  readonly examined: { readonly parameter_version: string; readonly respondents: number };
};

async function examineMembers(context: TaskContext): Promise<Examined> {
  const { database, signal } = context;
  const bank = await loadBankInUse(context, database);
  const examination = startExamination(bank);
  let after: string | undefined = nil_uuid;
  for (let read = 0; after !== undefined && read < members_max; read += members_per_page) {
    signal.throwIfAborted();
    const members = await listMeasuredMembers(database, after, members_per_page);
    addMembers(examination, members);
    after = members.at(-1)?.member_id;
  }
  return {
    precision: summarisePrecision(examination),
    ...(await compareItems(examination)),
    examined: { parameter_version: bank.parameter_version, respondents: examination.people.length },
  };
}
