import type { Transaction } from '#platform/database/database.ts';
import { newsOf, type Issuing } from '../issuing/issue-credentials.ts';
import { publish, setRevoked } from './status-lists.ts';
import { updateRevoked, type Credential } from '../store.ts';
import type { ListBits } from './store.ts';

/**
 * Revokes an active credential in the caller's transaction: the record says so, its bit in the status list is set and the list is signed
 * anew in both forms, and `attestation.revoked` is told. Hold the credential's lock.
 *
 * @returns the record as it is now, and the list to be given to `noteList` after the commit.
 */
export async function revokedCredential(
  context: Issuing,
  tx: Transaction,
  credential: Credential,
  reason: string | null,
): Promise<{ readonly revoked: Credential; readonly list: ListBits }> {
  const revoked_at = context.now();
  await updateRevoked(tx, credential.id, revoked_at, reason);
  const list = await setRevoked(tx, credential.status_list_id, [credential.status_index]);
  await publish(context, tx, list, revoked_at);
  const revoked = { ...credential, revoked_at, revocation_reason: reason };
  await context.queue.emit(tx, 'attestation.revoked', newsOf(revoked));
  return { revoked, list };
}
