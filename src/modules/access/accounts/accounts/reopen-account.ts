import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { recordUserSuspension } from '../sessions/watch-sessions.ts';
import { setSuspension } from '../store.ts';

/** Opens an account that {@link closeAccount} closed: its user can log in again. Its old sessions stay ended. Hold the user's lock. */
export async function reopenAccount(
  services: Pick<Services, 'memory'>,
  tx: Transaction,
  user_id: string,
): Promise<void> {
  await setSuspension(tx, user_id, null);
  tx.afterCommit(() => recordUserSuspension(services, user_id, false));
}
