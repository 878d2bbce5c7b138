import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { checkNetworks } from './check-reach.ts';
import { createKey } from './manage-keys.ts';
import { newServiceKeyWire, reachInput } from './wire.ts';

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
  run: createKey,
});
