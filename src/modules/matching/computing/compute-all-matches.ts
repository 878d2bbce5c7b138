import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs } from '#modules/jobs';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { computeMatchesForJobs } from './compute-job-matches.ts';

/**
 * Computes the matches of all active jobs anew, many in one pass over the members: for when what decides matches has changed for
 * everybody. An operator starts it.
 */
export const computeAllMatches = task({
  name: 'matching.computeAllMatches',
  retry_seconds: [60, 600],
  run: (context) => computeMatchesForActiveJobs(context),
});

/** So many jobs look at a strip of members while it is in the cache. */
const jobs_of_a_pass = 64;

/** Computes the active jobs of every organisation, or of one, pass after pass. */
export async function computeMatchesForActiveJobs(context: TaskContext, org_id?: string): Promise<undefined> {
  for (let after: string | undefined = nil_uuid; after !== undefined;) {
    context.signal.throwIfAborted();
    const jobs = await listActiveJobs(context.database, after, jobs_of_a_pass, org_id);
    await computeMatchesForJobs(context, jobs);
    after = jobs.length === jobs_of_a_pass ? jobs.at(-1)!.id : undefined;
  }
}
