import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { serviceKeyId } from '../wire.ts';
import { readRequests } from './read-requests.ts';
import { keyRequestsWire } from './wire.ts';

export const listOperatorKeyRequests = operation({
  name: 'serviceKeys.listOperatorKeyRequests',
  title: 'List recent requests of a service key of the operator',
  summary:
    'Lists what programs asked by a service key of the operator and how it was answered: the newest 100 requests of the last seven days, without their contents.',
  who: ['platform_admin'],
  input: Type.Object({ service_key_id: serviceKeyId }),
  output: { 200: keyRequestsWire },
  refuses: ['service_key_not_found'],
  run: (context, { service_key_id }) => readRequests(context, service_key_id),
});
