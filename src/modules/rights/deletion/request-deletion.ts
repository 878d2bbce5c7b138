import type { SignedInCaller } from '#lib/caller.ts';
import { recordAudit } from '#modules/audit';
import { closeAccount, queueDeletionNotice } from '#modules/auth';
import { recordDeletionRequest } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { eraseMembers } from './erase-members.ts';
import { computeEraseTime } from '../rules.ts';
import { insertDeletionRequest, type DeletionRequest } from '../store.ts';

/**
 * Marks the account of a member for deletion: signed out everywhere, no longer matched or sold, and erased when the retention period has
 * passed. The mail that confirms it has a link that cancels the deletion until then.
 */
export async function requestDeletion(
  context: Pick<Services, 'config' | 'memory' | 'now' | 'queue' | 'secrets'>,
  tx: Transaction,
  { member_id, user_id }: Extract<SignedInCaller, { role: 'member' }>,
): Promise<DeletionRequest> {
  const now = context.now();
  await recordDeletionRequest(context, tx, member_id);
  const erase_after = computeEraseTime(now, context.config.retention_seconds);
  const { request, is_new } = await insertDeletionRequest(tx, { member_id, requested_at: now, erase_after });
  await closeAccount(context, tx, member_id);
  if (is_new) await queueDeletionNotice(context, tx, { user_id, erase_after });
  await recordAudit(tx, { now, actor_user_id: user_id, action: 'rights.deletion_requested', member_id });
  await context.queue.send(tx, eraseMembers, {}, { start_after: request.erase_after });
  return request;
}
