import type { Transaction } from '#platform/database/database.ts';
import { insertJob, type Job, type NewJob } from './store.ts';
import { recordVersion } from './versions/record-version.ts';

/** Adds an active job with its first version. Emit `job.created` in the same transaction so that it is matched. */
export async function addJob(tx: Transaction, job: NewJob): Promise<Job> {
  const added = await insertJob(tx, job);
  recordVersion(tx, added, job.now);
  return added;
}
