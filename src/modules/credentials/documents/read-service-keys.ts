import { Type, type Static } from 'typebox';
import { operation } from '#platform/operation.ts';
import { keySetWire } from '../wire.ts';

type PublicKey = Static<typeof keySetWire>['keys'][number];

export const readServiceKeys = operation({
  name: 'credentials.readServiceKeys',
  summary: 'The ES256 public keys that credentials verify with, as a JWK set. Retired keys stay in it.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: keySetWire },
  refuses: [],
  run: async ({ keys }) => ({
    keys: keys
      .buildJwks()
      .keys.filter(({ alg }) => alg === 'ES256')
      .map(({ kty, crv, x, y, kid, alg, use }) => ({ kty, crv, x, y, kid, alg, use }) as PublicKey),
  }),
});
