import type { OrgRole } from '#lib/caller.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { revokeSessions } from '../sessions/store.ts';
import { recordRevokedSessions } from '../sessions/watch-sessions.ts';
import { markMailedTokensUsed, replaceEmail, updateDisplayName, updateRole } from '../store.ts';

/** What changes about a user of an organisation. What is left out stays as it is. */
export type OrgUserChange = {
  readonly user_id: string;
  readonly role?: OrgRole;
  /** Another address, which nobody has verified yet. */
  readonly email?: string;
  readonly display_name?: string;
};

/**
 * Changes a user of an organisation on behalf of the organisation. With another role, every session of the user ends, because access tokens contain the role. This process
 * refuses the tokens as soon as the transaction commits.
 *
 * @throws Refusal `email_taken`.
 */
export async function changeOrgUser(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  { user_id, role, email, display_name }: OrgUserChange,
): Promise<void> {
  const now = services.now();
  if (email !== undefined) {
    await replaceEmail(tx, { id: user_id, email, verified_at: null });
    // What was sent to the earlier address must not verify this one.
    await markMailedTokensUsed(tx, user_id, ['verify_email', 'change_email', 'reset_password'], now);
  }
  if (display_name !== undefined) await updateDisplayName(tx, user_id, display_name);
  if (role === undefined) return;
  // Waits for a running login, which locks the account: either the next statement ends its session, or it reads the new role.
  await updateRole(tx, user_id, role);
  const session_ids = await revokeSessions(tx, user_id, now);
  recordRevokedSessions(services, tx, session_ids, now);
}
