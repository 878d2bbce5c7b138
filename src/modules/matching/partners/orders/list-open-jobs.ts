import { listActiveJobs, type Job } from '#modules/matching/jobs';
import type { Context } from '#platform/operation.ts';

/** A list of a system has no pages, and a person chooses from it. */
const jobs_max = 500;
const first_id = '00000000-0000-0000-0000-000000000000';

/** Lists the jobs to which a system can invite people: the active ones of the caller's organisation, by title. */
export async function listOpenJobs({ database, caller }: Context<'org_admin'>): Promise<readonly Job[]> {
  const jobs = await listActiveJobs(database, first_id, jobs_max, caller.org_id);
  return jobs.toSorted((one, other) => one.title.localeCompare(other.title));
}
