import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { verifyStored } from './verify-stored-credential.ts';
import { credentialVerificationWire } from '../wire.ts';

export const verifyCredential = operation({
  name: 'credentials.verifyCredential',
  summary:
    'Verifies a stored credential by its id: signature, expiry and revocation. What it says is shown only where its member shares it.',
  who: 'anyone',
  input: Type.Object({ credential_id: uuid }),
  output: { 200: credentialVerificationWire },
  refuses: ['credential_not_found'],
  run: (context, { credential_id }) => verifyStored(context, credential_id),
});
