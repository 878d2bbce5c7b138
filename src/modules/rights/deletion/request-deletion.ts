import type { SignedIn } from '#lib/caller.ts';
import { recordAudit } from '#modules/audit';
import { closeAccount } from '#modules/auth';
import { noteDeletionRequested } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { eraseMembers } from './erase-members.ts';
import { eraseAfter } from '../rules.ts';
import { insertDeletionRequest, type DeletionRequest } from '../store.ts';

/** A request that stands, and the sessions that ended with it: give each to `noteRevoked` after the commit. */
export type Requested = DeletionRequest & { readonly ended_sessions: readonly string[] };

/**
 * Marks the account of a member for deletion: signed out everywhere, no longer matched or sold, and erased when the retention period has
 * passed.
 */
export async function requestDeletion(
  context: Pick<Platform, 'queue' | 'config'> & { readonly now: () => Date },
  tx: Transaction,
  { member_id, user_id }: Extract<SignedIn, { role: 'member' }>,
): Promise<Requested> {
  const now = context.now();
  await noteDeletionRequested(context, tx, member_id);
  const erase_after = eraseAfter(now, context.config.retention_seconds);
  const request = await insertDeletionRequest(tx, { member_id, requested_at: now, erase_after });
  const ended_sessions = await closeAccount(tx, member_id, now);
  await recordAudit(tx, { now, actor_user_id: user_id, action: 'rights.deletion_requested', member_id });
  await context.queue.send(tx, eraseMembers, {}, { start_after: request.erase_after });
  return { ...request, ended_sessions };
}
