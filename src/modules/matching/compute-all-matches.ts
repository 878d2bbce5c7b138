import { listActiveJobs, type Job } from '#modules/jobs';
import { task, type TaskContext } from '#platform/task.ts';
import { computeJobs } from './compute-job-matches.ts';
import { beforeFirst } from './store-vectors.ts';

/**
 * Computes the matches of all active jobs anew, many in one pass over the members: for when what decides matches has changed for
 * everybody. An operator starts it.
 */
export const computeAllMatches = task({
  name: 'matching.computeAllMatches',
  retry_seconds: [60, 600],
  run: (context) => inPasses(context, (after) => listActiveJobs(context.database, after, jobs_of_a_pass)),
});

/** So many jobs look at a strip of members while it is in the cache. */
export const jobs_of_a_pass = 64;

/** Computes jobs pass after pass; `next` lists those of a pass, by id after one. */
export async function inPasses(
  context: TaskContext,
  next: (after: string) => Promise<readonly Job[]>,
): Promise<undefined> {
  for (let after: string | undefined = beforeFirst; after !== undefined;) {
    context.signal.throwIfAborted();
    const jobs = await next(after);
    await computeJobs(context, jobs);
    after = jobs.length === jobs_of_a_pass ? jobs.at(-1)!.id : undefined;
  }
}
