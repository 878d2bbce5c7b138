import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { flushVerifications } from '../verification/count-verifications.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { findCallerCredential } from './credential-access.ts';
import { credentialWire, toWire, untaggedFields } from '../wire.ts';

export const readCredential = operation({
  name: 'credentials.readCredential',
  summary:
    'Returns the full record of a credential with its four forms. Members read their own, platform administrators read any.',
  who: ['member', 'platform_admin'],
  input: Type.Object({ credential_id: uuid }),
  output: { 200: credentialWire },
  etag: { without: untaggedFields },
  refuses: ['credential_not_found'],
  run: async (context, { credential_id }) => {
    await flushVerifications(context);
    const credential = await findCallerCredential(context.caller, context.database, credential_id);
    return toWire(credential, buildIssuer(context.config.publicUrl).did, context.now());
  },
});
