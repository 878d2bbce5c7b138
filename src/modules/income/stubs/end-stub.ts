import { recordAudit } from '#modules/operations/audit';
import { recordDisplacement } from '#modules/people/members';
import { requestErasure } from '#modules/people/rights';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { deleteAllOfMember } from './store.ts';

/**
 * Ends a stub that the transaction has locked and that nobody has claimed. From its commit on, the code is unknown and nothing is sold. The task
 * of erasures then moves its reads and its books to an id that belongs to nobody: what was earned stays in the books, and nobody can claim it.
 */
export async function endStub(
  services: Pick<Services, 'queue' | 'now'>,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  const now = services.now();
  // The row of the member is locked first, as by a read.
  await recordDisplacement(services, tx, member_id);
  await deleteAllOfMember(tx, member_id);
  await recordAudit(tx, { now, actor: null, action: 'identity.stub_deleted', member_id });
  await requestErasure(services, tx, { member_id, requested_at: now, erase_after: now });
}
