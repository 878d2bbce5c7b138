import type { Transaction } from '#platform/database/database.ts';
import { settleChanges } from './boards/store.ts';
import type { Job, NewJob } from './resource.ts';
import { insertJob } from './store.ts';
import { limitPriorities } from './trait-shares.ts';
import { pickTerms } from './rules.ts';
import { insertVersion } from './versions/store.ts';

/** Adds an active job with its first version. Emit `job.created` in the same transaction so that it is matched. */
export async function addJob(tx: Transaction, job: Omit<NewJob, 'id' | 'updated_at'>): Promise<Job> {
  const added = await insertJob(tx, { ...job, updated_at: job.created_at });
  recordVersion(tx, added, job.created_at);
  settleChanges(tx, added.org_id, added.external_ref);
  return added;
}

/** Records the current version of a job's requirements, and whether it is narrow. */
export function recordVersion(tx: Transaction, job: Job, now: Date): void {
  const { id: job_id, version, org_id, trait_priorities } = job;
  const narrow_trait = limitPriorities(trait_priorities).limited[0] ?? null;
  const terms = pickTerms(job);
  insertVersion(tx, { job_id, version, org_id, trait_priorities, terms, narrow_trait, created_at: now });
}
