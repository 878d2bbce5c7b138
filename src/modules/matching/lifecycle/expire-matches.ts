import { lockJob } from '#modules/jobs';
import { task } from '#platform/queue/task.ts';
import { expireJobMatches } from './store.ts';

/** Ends the open matches of a job that was closed, unless it has been opened again by now. */
export const expireMatches = task<{ readonly job_id: string }>({
  name: 'matching.expireMatches',
  retry_seconds: [5, 30, 120],
  run: ({ database }, { job_id }) =>
    database.transaction(async (tx) => {
      // No computation stores between this look and the end of the transaction, and none stores for a closed job afterwards.
      const job = await lockJob(tx, job_id);
      if (job?.status === 'closed') await expireJobMatches(tx, job_id);
    }),
});
