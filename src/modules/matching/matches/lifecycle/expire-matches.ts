import { lockJob } from '#modules/matching/jobs';
import { task } from '#platform/queue/task.ts';
import { announceEnds } from '../announcing/announce-ends.ts';
import { buildEventData } from '../announcing/build-event-data.ts';
import { matchExpired, matchReopened } from '../events.ts';
import { expireJobMatches, forgetUnseenExpirations } from './store.ts';
import { computeJobMatches } from '../computing/compute-job-matches.ts';

/** Expires the open matches of a closed job. Does nothing if the job has been reopened. */
export const expireMatches = task<{ readonly job_id: string; readonly org_id: string }>({
  name: 'matches.expireMatches',
  retry_seconds: [5, 30, 120],
  group_by: ({ org_id }) => org_id,
  merge_by: ({ job_id }) => job_id,
  run: (context, { job_id }) =>
    context.database.transaction(async (tx) => {
      // The lock keeps computations from storing matches until the transaction ends. Later ones store none, because the job is closed.
      const job = await lockJob(tx, job_id);
      if (job?.status === 'closed')
        await announceEnds(context, tx, matchExpired, await expireJobMatches(tx, job_id));
    }),
});

/** Starts matching a job that is active again, including members whose match expired before anyone had acted on it. */
export const reopenJob = task<{ readonly job_id: string; readonly org_id: string }>({
  name: 'matches.reopenJob',
  retry_seconds: [5, 30, 120],
  group_by: ({ org_id }) => org_id,
  merge_by: ({ job_id }) => job_id,
  run: (context, { job_id }) =>
    context.database.transaction(async (tx) => {
      const job = await lockJob(tx, job_id);
      if (job?.status !== 'active') return;
      for (const match of await forgetUnseenExpirations(tx, job_id))
        await context.queue.emit(tx, matchReopened, {
          ...buildEventData(context, match, false),
          reopened_from: 'expired',
        });
      await context.queue.send(tx, computeJobMatches, { job_id, org_id: job.org_id });
    }),
});
