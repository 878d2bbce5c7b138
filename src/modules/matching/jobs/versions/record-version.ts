import type { Transaction } from '#platform/database/database.ts';
import type { Job } from '../resource.ts';
import { limitPriorities } from '../trait-shares.ts';
import { insertVersion } from './store.ts';

/** Records the current version of a job's requirements, and whether it is narrow. */
export function recordVersion(
  tx: Transaction,
  { id, version, org_id, trait_priorities }: Pick<Job, 'id' | 'version' | 'org_id' | 'trait_priorities'>,
  now: Date,
): void {
  const narrow_trait = limitPriorities(trait_priorities).limited[0] ?? null;
  insertVersion(tx, { job_id: id, version, org_id, trait_priorities, narrow_trait, created_at: now });
}
