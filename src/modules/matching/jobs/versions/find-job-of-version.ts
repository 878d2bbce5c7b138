import type { Reader } from '#platform/database/database.ts';
import type { Job } from '../resource.ts';
import type { JobTerms } from '../rules.ts';
import { findJob } from '../store.ts';
import { findVersion, type JobVersion } from './store.ts';

/**
 * Finds a job as it was in a version, for what is said of the matches that belong to it: texts and status are those of today, and everything that the job
 * asks for and offers is that of the version. Otherwise, each change of the job would ask the same people another question.
 *
 * A version from before terms were recorded asks for nothing.
 */
export async function findJobOfVersion(
  db: Reader,
  { job_id, version }: Pick<JobVersion, 'job_id' | 'version'>,
): Promise<Job | undefined> {
  const [job, stored] = await Promise.all([findJob(db, job_id), findVersion(db, { job_id, version })]);
  if (!job || !stored) return undefined;
  const { trait_priorities, terms } = stored;
  return { ...job, version, trait_priorities, ...(terms ?? unknownTerms) };
}

const unknownTerms: Pick<JobTerms, 'clearance_required' | 'constraints'> = {
  clearance_required: 'none',
  constraints: {},
};
