import { listActiveJobsOf } from '#modules/jobs';
import { task } from '#platform/task.ts';
import { inPasses, jobs_of_a_pass } from './compute-all-matches.ts';

/** Computes the matches of an organisation's active jobs anew, because what its people say of it has changed. */
export const computeOrganisationMatches = task<{ readonly org_id: string }>({
  name: 'matching.computeOrganisationMatches',
  retry_seconds: [5, 30, 120],
  run: (context, { org_id }) =>
    inPasses(context, (after) => listActiveJobsOf(context.database, org_id, after, jobs_of_a_pass)),
});
