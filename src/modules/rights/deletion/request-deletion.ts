import type { SignedInCaller } from '#lib/caller.ts';
import { recordAudit } from '#modules/audit';
import { closeAccount } from '#modules/auth';
import { recordDeletionRequest } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { eraseMembers } from './erase-members.ts';
import { computeEraseTime } from '../rules.ts';
import { insertDeletionRequest, type DeletionRequest } from '../store.ts';

/**
 * Marks the account of a member for deletion: signed out everywhere, no longer matched or sold, and erased when the retention period has
 * passed.
 */
export async function requestDeletion(
  context: Pick<Services, 'config' | 'memory' | 'now' | 'queue'>,
  tx: Transaction,
  { member_id, user_id }: Extract<SignedInCaller, { role: 'member' }>,
): Promise<DeletionRequest> {
  const now = context.now();
  await recordDeletionRequest(context, tx, member_id);
  const erase_after = computeEraseTime(now, context.config.retention_seconds);
  const request = await insertDeletionRequest(tx, { member_id, requested_at: now, erase_after });
  await closeAccount(context, tx, member_id);
  await recordAudit(tx, { now, actor_user_id: user_id, action: 'rights.deletion_requested', member_id });
  await context.queue.send(tx, eraseMembers, {}, { start_after: request.erase_after });
  return request;
}
