import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs } from '#modules/matching/jobs';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { computeMatchesForJobs } from './compute-job-matches.ts';
import type { Platform } from '#platform/platform.ts';

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
async function computeMatchesForActiveJobs(context: TaskContext, org_id?: string): Promise<undefined> {
  for (let after: string | undefined = nil_uuid; after !== undefined;) {
    context.signal.throwIfAborted();
    const jobs = await listActiveJobs(context.database, after, pass_jobs, org_id);
    await computeMatchesForJobs(context, jobs);
    after = jobs.length === pass_jobs ? jobs.at(-1)?.id : undefined;
  }
}

/** Queues a computation of the matches of all active jobs. For the operator. */
export async function recomputeAllMatches({
  database,
  queue,
}: Pick<Platform, 'database' | 'queue'>): Promise<{ readonly queued: true }> {
  await database.transaction((tx) => queue.send(tx, computeAllMatches, {}));
  return { queued: true };
}

/** Computes the matches of an organisation's active jobs again after a change of its culture profile. */
export const computeOrganisationMatches = task<{ readonly org_id: string }>({
  name: 'matches.computeOrganisationMatches',
  retry_seconds: [5, 30, 120],
  group_by: ({ org_id }) => org_id,
  merge_by: ({ org_id }) => org_id,
  run: (context, { org_id }) => computeMatchesForActiveJobs(context, org_id),
});
