import type { OrgRole } from '#lib/caller.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { revokeSessions } from '../sessions/store.ts';
import { recordRevokedSessions } from '../sessions/watch-sessions.ts';
import { updateRole } from '../store.ts';

/**
 * Gives a user of an organisation another role. Every session of the user ends, because access tokens contain the role. This process refuses
 * the tokens as soon as the transaction commits.
 */
export async function changeRole(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  { user_id, role }: { readonly user_id: string; readonly role: OrgRole },
): Promise<void> {
  const now = services.now();
  // Waits for a running login, which locks the account: either the next statement ends its session, or it reads the new role.
  await updateRole(tx, user_id, role);
  const session_ids = await revokeSessions(tx, user_id, now);
  recordRevokedSessions(services, tx, session_ids, now);
}
