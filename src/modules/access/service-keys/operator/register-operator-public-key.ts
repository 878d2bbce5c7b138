import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { checkNetworks } from '../check-reach.ts';
import { registerKey } from '../manage-keys.ts';
import { publicKeyInput, readPublicKey } from '../public-key.ts';
import { reachInput, serviceKeyWire } from '../wire.ts';

export const registerOperatorPublicKey = operation({
  name: 'serviceKeys.registerOperatorPublicKey',
  title: 'Register a public key of the operator',
  summary:
    'Creates a service key of the operator without a secret. Its program exchanges signed assertions for tokens of ten minutes, as with `POST /orgs/me/service-keys/public`.',
  who: ['platform_admin'],
  input: Type.Object({ ...reachInput, public_key: publicKeyInput }),
  output: { 201: serviceKeyWire },
  refuses: ['service_key_limit_reached'],
  idempotent: true,
  checks: [({ networks }) => checkNetworks(networks), ({ public_key }) => void readPublicKey(public_key)],
  run: registerKey,
});
