import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { User } from '../store.ts';
import { revokeMfaSessions } from './store.ts';
import { recordRevokedSessions } from './watch-sessions.ts';

/**
 * Ends the sessions in which a platform administrator passed MFA, because a factor is gone by which they may have passed it, and their access
 * tokens say that they did. Nobody else needs MFA after a login. This process refuses the tokens as soon as the transaction commits.
 */
export async function endMfaSessions(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  { id, role }: Pick<User, 'id' | 'role'>,
): Promise<void> {
  if (role !== 'platform_admin') return;
  const now = services.now();
  recordRevokedSessions(services, tx, await revokeMfaSessions(tx, id, now), now);
}
