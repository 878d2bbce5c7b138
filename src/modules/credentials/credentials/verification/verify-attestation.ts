import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import { tokenVerificationWire, toVerificationWire } from '../wire.ts';
import { verifyToken } from './verify-token.ts';

/** A token that is part of an address, which no server accepts at any length. `POST /credentials/verify` accepts longer ones. */
const address_token_characters_max = 8_192;

export const verifyAttestation = operation({
  name: 'credentials.verifyAttestation',
  title: 'Verify a token',
  summary:
    'Verifies an attestation token, or a credential in one of the other two forms. The credential need not be stored here. Free of charge.',
  who: 'anyone',
  input: Type.Object({
    token: field(
      Type.String({ minLength: 1, maxLength: address_token_characters_max }),
      'A credential in any of its signed forms.',
      sampleTokens.access,
    ),
    check_revocation: Type.Optional(
      field(Type.Boolean({ default: true }), 'Whether to look up revocation as well.', true),
    ),
  }),
  output: { 200: tokenVerificationWire },
  tools: [
    {
      name: 'verify_attestation',
      title: 'Verify a credential',
      kind: 'read',
      description:
        'Verifies a credential that somebody has shown: a compact attestation token, a vc+jwt or an SD-JWT VC. Returns whether it is valid, what it claims, and whether it is revoked or expired. Free, and without a login.',
    },
  ],
  run: async (context, { token, check_revocation = true }) =>
    toVerificationWire(await verifyToken(context, token, { check_revocation }), context.now()),
});
