import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { field, text, uuid } from '#platform/schema.ts';
import { lockCallerCredential } from './credential-access.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { credentialWire, toWire } from '../wire.ts';
import { revokeActiveCredential } from './revoke-active-credential.ts';

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
