import type { Transaction } from '#platform/database/database.ts';
import { buildCredentialEvent, type IssuingContext } from '../issuing/issue-credentials.ts';
import { attestationRevoked } from '../events.ts';
import { recordList } from './revocation-memory.ts';
import { publishList, setRevokedBits } from './status-lists.ts';
import { updateRevocation, type Credential } from '../store.ts';

/**
 * Revokes an active credential in the caller's transaction: the record says so, its bit in the status list is set and the list is signed
 * again in both forms, `attestation.revoked` is emitted, and this process refuses the credential as soon as the transaction commits.
 * Hold the credential's lock.
 *
 * @returns the record as it is now.
 */
export async function revokeActiveCredential(
  context: IssuingContext,
  tx: Transaction,
  credential: Credential,
  reason: string | null,
): Promise<Credential> {
  const revoked_at = context.now();
  await updateRevocation(tx, credential.id, revoked_at, reason);
  const list = await setRevokedBits(tx, credential.status_list_id, [credential.status_index]);
  await publishList(context, tx, list, revoked_at);
  const revoked = { ...credential, revoked_at, revocation_reason: reason };
  await context.queue.emit(tx, attestationRevoked, buildCredentialEvent(revoked));
  tx.afterCommit(() => recordList(context, list));
  return revoked;
}
