import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { checkNetworks } from '../check-reach.ts';
import { createKey } from '../manage-keys.ts';
import { newServiceKeyWire, reachInput } from '../wire.ts';

export const createOperatorKey = operation({
  name: 'serviceKeys.createOperatorKey',
  title: 'Create a service key of the operator',
  summary:
    'Creates a key by which a program of the operator calls the rows that it is permitted. The reply has the key, and no other reply shows it.',
  who: ['platform_admin'],
  input: Type.Object(reachInput),
  output: { 201: newServiceKeyWire },
  refuses: ['service_key_limit_reached'],
  idempotent: true,
  checks: [({ networks }) => checkNetworks(networks)],
  run: createKey,
});
