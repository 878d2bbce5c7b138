import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { rotateKey } from '../manage-keys.ts';
import { newServiceKeyWire, replacementInput } from '../wire.ts';

export const rotateOperatorKey = operation({
  name: 'serviceKeys.rotateOperatorKey',
  title: 'Rotate a service key of the operator',
  summary:
    'Replaces a service key of the operator by a new one, which then acts for the caller. For overlap_seconds, the current one is accepted as well.',
  who: ['platform_admin'],
  input: Type.Object(replacementInput),
  output: { 200: newServiceKeyWire },
  refuses: ['service_key_not_found'],
  idempotent: true,
  run: rotateKey,
});
