import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { field, text, uuid } from '#platform/schema.ts';
import { lockCallerCredential } from './credential-access.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { credentialWire, toWire } from '../wire.ts';
import type { Transaction } from '#platform/database/database.ts';
import { attestationRevoked } from '../events.ts';
import { buildCredentialEvent, type IssuingContext } from '../issuing/issue-credentials.ts';
import { updateRevocation, type Credential } from '../store.ts';
import { recordRevocation } from '../revocation/revocation-memory.ts';
import { revokePlaces } from '../revocation/status-lists.ts';

export const revokeCredential = operation({
  name: 'credentials.revokeCredential',
  summary:
    'Permanently revokes a credential in all its forms. Only its member and platform administrators may revoke it.',
  who: ['member', 'platform_admin'],
  input: Type.Object({
    credential_id: uuid,
    reason: Type.Optional(
      field(text(500), 'Why it is revoked. Verifiers do not see it.', 'The job has ended.'),
    ),
  }),
  output: { 200: credentialWire },
  refuses: ['credential_not_found'],
  tools: [
    {
      name: 'revoke_credential',
      title: 'Revoke a credential',
      kind: 'write',
      roles: ['member'],
      consent: 'Revoke your credentials for good',
      isDestructive: true,
      isIdempotent: true,
      description:
        'Revokes a credential for good: from then on it verifies as revoked everywhere. Ask the person first. credential_id is from list_credentials.',
    },
  ],
  run: (context, { credential_id, reason = null }) =>
    context.transaction(async (tx) => {
      const credential = await lockCallerCredential(context.caller, tx, credential_id);
      const issuer = buildIssuer(context.config.publicUrl).did;
      if (credential.revoked_at) return toWire(credential, issuer, context.now());
      const revoked = await revokeActiveCredential(context, tx, credential, reason);
      const { member_id } = credential;
      await recordCallerAudit(context, tx, {
        action: 'credentials.revoked',
        member_id,
        detail: { credential_id },
      });
      return toWire(revoked, issuer, context.now());
    }),
});

/**
 * Revokes an active credential in the caller's transaction: updates the record, sets its bit in the status list, which the next reader gets
 * signed again, and emits `attestation.revoked`. This process rejects the credential as soon as the transaction commits. The caller must hold
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
  revokePlaces(tx, [credential]);
  const revoked = { ...credential, revoked_at, revocation_reason: reason };
  await context.queue.emit(tx, attestationRevoked, buildCredentialEvent(revoked));
  tx.afterCommit(() => recordRevocation(context, credential));
  return revoked;
}
