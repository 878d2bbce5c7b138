import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { operation } from '#platform/operation.ts';
import { addKey } from './add-key.ts';
import { checkNetworks } from './check-reach.ts';
import { generateKey, readHint } from './key-text.ts';
import { newServiceKeyWire, reachInput, toWire } from './wire.ts';

export const createServiceKey = operation({
  name: 'serviceKeys.createServiceKey',
  title: 'Create a service key',
  summary:
    'Creates a key by which a program of the organisation calls the rows that it is permitted. The reply has the key, and no other reply shows it.',
  who: ['org_admin'],
  input: Type.Object(reachInput),
  output: { 201: newServiceKeyWire },
  refuses: ['organisation_not_found', 'service_key_limit_reached'],
  idempotent: true,
  checks: [({ networks }) => checkNetworks(networks)],
  run: (context, input) => {
    const key = generateKey();
    const proof = { hint: readHint(key), key_hash: hashToken(key), public_key: null };
    return context.transaction(async (tx) => ({ ...toWire(await addKey(context, tx, input, proof)), key }));
  },
});
