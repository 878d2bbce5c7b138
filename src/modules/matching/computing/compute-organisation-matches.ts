import { task } from '#platform/queue/task.ts';
import { computeMatchesForActiveJobs } from './compute-all-matches.ts';

/** Computes the matches of an organisation's active jobs anew, because what its people say of it has changed. */
export const computeOrganisationMatches = task<{ readonly org_id: string }>({
  name: 'matching.computeOrganisationMatches',
  retry_seconds: [5, 30, 120],
  run: (context, { org_id }) => computeMatchesForActiveJobs(context, org_id),
});
