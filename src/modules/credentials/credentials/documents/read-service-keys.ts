import type { Static } from 'typebox';
import { operation } from '#platform/operation.ts';
import { listCredentialKeys } from '#platform/security/published-keys.ts';
import { keySetWire } from '../wire.ts';

type PublicKey = Static<typeof keySetWire>['keys'][number];

export const readServiceKeys = operation({
  name: 'credentials.readServiceKeys',
  summary:
    'Returns the public keys that verify credentials, as a JWK set. It includes retired keys, but no revoked ones.',
  who: 'anyone',
  output: { 200: keySetWire },
  // The type of a JWK leaves all fields open; the strict output schema checks them.
  run: async (context) => ({
    keys: listCredentialKeys(context).map(
      ({ kty, crv, x, y, kid, alg, use }) => ({ kty, crv, x, y, kid, alg, use }) as PublicKey,
    ),
  }),
});
