import { readFileSync } from 'node:fs';
import type { Distribution } from '#platform/distribution/distribute.ts';
import { placements } from '../tables/placements.ts';

/** What a distributed database needs besides the migrations. */
export const distribution: Distribution = {
  places: placements,
  nameKey,
  // A transaction that has written members writes their organisations' jobs next, or removes both: Citus refuses it if jobs refer to them.
  unreferred: ['organisations'],
  functions: readFileSync(new URL('../tables/distributed.sql', import.meta.url), 'utf8'),
};

/**
 * Names the key of a distributed table, so that rows of the same key are on one node. Members and jobs are found by `id`, and everything of theirs by
 * `member_id` or `job_id`. What the ledger holds belongs to a member or an organisation.
 */
export function nameKey(table: string, column: string): string {
  if (column === 'holder_id' || column === 'org_id') return 'member_id';
  return column === 'id' ? `${table.slice(0, -1)}_id` : column;
}
