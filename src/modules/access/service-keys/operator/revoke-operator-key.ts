import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { revokeKey } from '../manage-keys.ts';
import { serviceKeyId } from '../wire.ts';

export const revokeOperatorKey = operation({
  name: 'serviceKeys.revokeOperatorKey',
  title: 'Revoke a service key of the operator',
  summary: 'Ends a service key of the operator within a second, and the one before its last rotation.',
  who: ['platform_admin'],
  input: Type.Object({ service_key_id: serviceKeyId }),
  output: { 204: null },
  refuses: ['service_key_not_found'],
  run: revokeKey,
});
