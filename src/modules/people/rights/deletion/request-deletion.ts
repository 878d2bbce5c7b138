import { recordCallerAudit } from '#modules/operations/audit';
import { closeAccount, queueDeletionNotice } from '#modules/access/accounts';
import { revokeAllGrants } from '#modules/access/agents';
import { recordDeletionRequest } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { computeEraseTime } from '../rules.ts';
import { insertDeletionRequest, type DeletionRequest } from '../store.ts';
import { eraseMembers } from './erase-members.ts';

/**
 * Marks the account of the calling member for deletion. The member is logged out everywhere, is no longer matched or sold, and is erased
 * when the retention period has passed. The email that confirms it has a link that cancels the deletion until then.
 */
export async function requestDeletion(context: Context<'member'>, tx: Transaction): Promise<DeletionRequest> {
  const { member_id, user_id } = context.caller;
  const now = context.now();
  await recordDeletionRequest(context, tx, member_id);
  const erase_after = computeEraseTime(now, context.config.retention_seconds);
  const { request, is_new } = await insertDeletionRequest(tx, { member_id, requested_at: now, erase_after });
  await closeAccount(context, tx, member_id);
  await revokeAllGrants(context, tx, context.caller);
  if (is_new) await queueDeletionNotice(context, tx, { user_id, erase_after });
  await recordCallerAudit(context, tx, { action: 'rights.deletion_requested', member_id });
  await context.queue.send(tx, eraseMembers, {}, { start_after: request.erase_after });
  return request;
}
