import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs } from '#modules/matching/jobs';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { computeMatchesForJobs } from './compute-job-matches.ts';

/**
 * Computes the matches of all active jobs again, many jobs in one pass over the members. An operator starts it after a change that affects
 * all matches, such as new formulas.
 */
export const computeAllMatches = task({
  name: 'matches.computeAllMatches',
  retry_seconds: [60, 600],
  merge_by: () => 'all',
  run: (context) => computeMatchesForActiveJobs(context),
});

/** The number of jobs that share one pass, so that each strip of members is read into the cache once for all of them. */
const pass_jobs = 64;

/** Computes the matches of all active jobs, or of those of one organisation, pass by pass. */
export async function computeMatchesForActiveJobs(context: TaskContext, org_id?: string): Promise<undefined> {
  for (let after: string | undefined = nil_uuid; after !== undefined;) {
    context.signal.throwIfAborted();
    const jobs = await listActiveJobs(context.database, after, pass_jobs, org_id);
    await computeMatchesForJobs(context, jobs);
    after = jobs.length === pass_jobs ? jobs.at(-1)?.id : undefined;
  }
}
