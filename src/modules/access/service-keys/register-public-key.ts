import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { checkNetworks } from './check-reach.ts';
import { registerKey } from './manage-keys.ts';
import { publicKeyInput, readPublicKey } from './public-key.ts';
import { reachInput, serviceKeyWire } from './wire.ts';

export const registerPublicKey = operation({
  name: 'serviceKeys.registerPublicKey',
  title: 'Register a public key',
  summary:
    'Creates a service key without a secret: its program signs an assertion with its private key, and exchanges it at /oauth/token for a token of ten minutes (client credentials with private_key_jwt, RFC 7523). The id of the key is the client_id.',
  who: ['org_admin'],
  input: Type.Object({ ...reachInput, public_key: publicKeyInput }),
  output: { 201: serviceKeyWire },
  refuses: ['organisation_not_found', 'service_key_limit_reached'],
  idempotent: true,
  checks: [({ networks }) => checkNetworks(networks), ({ public_key }) => void readPublicKey(public_key)],
  run: registerKey,
});
