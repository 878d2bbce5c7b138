import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { credentialVerificationWire } from '../wire.ts';
import { verifyStored } from './verify-stored-credential.ts';

export const verifyCredential = operation({
  name: 'credentials.verifyCredential',
  summary:
    'Verifies the signature, expiry and revocation of a stored credential by its id. Shows its content only if its member shares it.',
  who: 'anyone',
  input: Type.Object({ credential_id: uuid }),
  output: { 200: credentialVerificationWire },
  refuses: ['credential_not_found'],
  run: (context, { credential_id }) => verifyStored(context, credential_id),
});
