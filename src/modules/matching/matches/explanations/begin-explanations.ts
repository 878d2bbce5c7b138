import type { Job } from '#modules/matching/jobs';
import type { TaskContext } from '#platform/queue/task.ts';
import { explainMatches } from './explain-matches.ts';
import { listUnexplained } from './store.ts';

/** The people at the head of a list, whose reasons are written before anyone opens them: the first page of the table. */
const first_people = 100;

/** Begins to write the explanations of the people at the head of the list of a job, as far as there are none. */
export async function beginExplanations(
  { database, queue }: TaskContext,
  { id, org_id, version }: Pick<Job, 'id' | 'org_id' | 'version'>,
): Promise<void> {
  const matches = await listUnexplained(database, { job_id: id, version, limit: first_people });
  if (matches.length > 0)
    await database.transaction((tx) => queue.send(tx, explainMatches, { matches, job_id: id, org_id }));
}
