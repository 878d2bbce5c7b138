import { task } from '#platform/queue/task.ts';
import { computeMatchesForActiveJobs } from './compute-all-matches.ts';

/** Computes the matches of an organisation's active jobs again after a change of its culture profile. */
export const computeOrganisationMatches = task<{ readonly org_id: string }>({
  name: 'matches.computeOrganisationMatches',
  retry_seconds: [5, 30, 120],
  group_by: ({ org_id }) => org_id,
  merge_by: ({ org_id }) => org_id,
  run: (context, { org_id }) => computeMatchesForActiveJobs(context, org_id),
});
