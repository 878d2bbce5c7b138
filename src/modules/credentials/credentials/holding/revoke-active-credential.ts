import type { Transaction } from '#platform/database/database.ts';
import { attestationRevoked } from '../events.ts';
import { buildCredentialEvent, type IssuingContext } from '../issuing/issue-credentials.ts';
import { updateRevocation, type Credential } from '../store.ts';
import { recordList } from '../revocation/revocation-memory.ts';
import { publishList, setRevokedBits } from '../revocation/status-lists.ts';

/**
 * Revokes an active credential in the caller's transaction: updates the record, sets its bit in the status list, signs the list again in
 * both forms and emits `attestation.revoked`. This process rejects the credential as soon as the transaction commits. The caller must hold
 * the credential's lock.
 *
 * @returns the updated record.
 */
export async function revokeActiveCredential(
  context: IssuingContext,
  tx: Transaction,
  credential: Credential,
  reason: string | null,
): Promise<Credential> {
  const revoked_at = context.now();
  await updateRevocation(tx, credential, revoked_at, reason);
  const list = await setRevokedBits(tx, credential.status_list_id, [credential.status_index]);
  await publishList(context, tx, list, revoked_at);
  const revoked = { ...credential, revoked_at, revocation_reason: reason };
  await context.queue.emit(tx, attestationRevoked, buildCredentialEvent(revoked));
  tx.afterCommit(() => recordList(context, list));
  return revoked;
}
