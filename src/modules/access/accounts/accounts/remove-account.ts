import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { no_password } from '../passwords/passwords.ts';
import { recordRevokedSession } from '../sessions/watch-sessions.ts';
import { clearAccount } from './store-removal.ts';

/**
 * Removes the account of an organisation's user, or one that lost its address. Email address, password, passkeys, MFA, network addresses and devices are deleted at
 * once. This process refuses the user's access tokens as soon as the transaction commits. The emptied row remains until every access token
 * has expired, so that other processes learn to refuse them.
 */
export async function removeAccount(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  user_id: string,
): Promise<void> {
  const now = services.now();
  const session_ids = await clearAccount(tx, { user_id, password_hash: no_password, now });
  tx.afterCommit(() => session_ids.forEach((id) => recordRevokedSession(services, id, now)));
}
