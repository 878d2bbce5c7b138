import type { Transaction } from '#platform/database/database.ts';
import type { Job, NewJob } from './resource.ts';
import { insertJob } from './store.ts';
import { recordVersion } from './versions/record-version.ts';

/** Adds an active job with its first version. Emit `job.created` in the same transaction so that it is matched. */
export async function addJob(tx: Transaction, job: Omit<NewJob, 'id'>): Promise<Job> {
  const added = await insertJob(tx, job);
  recordVersion(tx, added, job.created_at);
  return added;
}
