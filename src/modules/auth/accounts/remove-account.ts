import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { no_password } from '../passwords/passwords.ts';
import { recordRevokedSession, recordUserSuspension } from '../sessions/watch-sessions.ts';
import { updateAccountRemoved } from './store-removal.ts';

/**
 * Takes an organisation's user out of the service: e-mail, password, second factor, addresses and devices are deleted at once, so that
 * nobody can sign in. This process refuses the user's access tokens as soon as the transaction commits; the empty row stays until no
 * access token can live, so that other processes learn to refuse them.
 */
export async function removeAccount(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  user_id: string,
): Promise<void> {
  const now = services.now();
  const ended = await updateAccountRemoved(tx, { user_id, password_hash: no_password, now });
  tx.afterCommit(() => {
    for (const session_id of ended) recordRevokedSession(services, session_id, now);
    recordUserSuspension(services, user_id, true);
  });
}
