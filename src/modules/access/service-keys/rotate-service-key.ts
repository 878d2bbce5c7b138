import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { rotateKey } from './manage-keys.ts';
import { newServiceKeyWire, replacementInput } from './wire.ts';

export const rotateServiceKey = operation({
  name: 'serviceKeys.rotateServiceKey',
  title: 'Rotate a service key',
  summary:
    'Replaces a service key by a new one, which then acts for the caller. For overlap_seconds, the current one is accepted as well, so that no request is refused while your programs change over.',
  who: ['org_admin'],
  input: Type.Object(replacementInput),
  output: { 200: newServiceKeyWire },
  refuses: ['service_key_not_found'],
  idempotent: true,
  run: rotateKey,
});
