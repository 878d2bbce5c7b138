import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, patternText } from '#platform/schema.ts';
import { revokeSigningKey } from './change-keys.ts';
import { kidWire, purposeWire } from './wire.ts';

const kidInput = patternText('^[A-Za-z0-9_-]+$', 'must be the id of a key', { minLength: 1, maxLength: 100 });

export const revokeKey = operation({
  name: 'operator.revokeKey',
  title: 'Revoke a signing key',
  summary:
    'Declares a signing key compromised. Nothing that it signed is accepted from then on; other nodes follow within ten seconds. An active key is replaced, and stored credentials are signed again. This cannot be undone.',
  who: ['platform_admin'],
  input: closedObject({
    kid: field(kidInput, 'The id of the key.', '1f6c0b52-9a3e-4d17-8c5b-7e2f4a6b8c0d'),
  }),
  output: {
    200: closedObject({
      kid: kidWire,
      purpose: purposeWire,
      active_kid: field(
        kidWire,
        'The id of the key that signs in its place.',
        '8b0d2f4a-6c1e-4b13-9d2f-0a4c6e8b1d3f',
      ),
    }),
  },
  refuses: ['signing_key_not_found'],
  run: async (context, { kid }) => {
    const revocation = await revokeSigningKey(context, kid, context.caller);
    if (!revocation) throw new Refusal('signing_key_not_found');
    return revocation;
  },
});
