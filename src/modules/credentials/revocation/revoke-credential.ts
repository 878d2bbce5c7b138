import { Type } from 'typebox';
import { recordAudit } from '#modules/audit';
import { operation } from '#platform/operation.ts';
import { text, uuid } from '#platform/schema.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { requireCredentialAccess } from '../holding/credential-access.ts';
import { revokeActiveCredential } from './revoke-active-credential.ts';
import { lockCredential } from '../store.ts';
import { credentialWire, toWire } from '../wire.ts';

export const revokeCredential = operation({
  name: 'credentials.revokeCredential',
  summary:
    'Revokes a credential in all its forms, for good: the owner’s or a platform administrator’s to do.',
  who: ['member', 'platform_admin'],
  input: Type.Object({ credential_id: uuid, reason: Type.Optional(text(500)) }),
  output: { 200: credentialWire },
  refuses: ['credential_not_found'],
  run: (context, { credential_id, reason = null }) =>
    context.transaction(async (tx) => {
      const credential = requireCredentialAccess(context.caller, await lockCredential(tx, credential_id));
      const now = context.now();
      const issuer = buildIssuer(context.config.publicUrl).did;
      if (credential.revoked_at) return toWire(credential, issuer, now);
      const revoked = await revokeActiveCredential(context, tx, credential, reason);
      const { user_id } = context.caller;
      await recordAudit(tx, {
        now,
        actor_user_id: user_id,
        action: 'credentials.revoked',
        member_id: credential.member_id,
        detail: { credential_id },
      });
      return toWire(revoked, issuer, now);
    }),
});
