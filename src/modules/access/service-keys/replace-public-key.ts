import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { replaceKey } from './manage-keys.ts';
import { publicKeyInput, readPublicKey } from './public-key.ts';
import { replacementInput, serviceKeyWire } from './wire.ts';

export const replacePublicKey = operation({
  name: 'serviceKeys.replacePublicKey',
  title: 'Replace a public key',
  summary:
    'Gives a service key another public key, and lets it act for the caller. For overlap_seconds, assertions by the current one are accepted as well; with 0 its tokens end too.',
  who: ['org_admin'],
  input: Type.Object({ ...replacementInput, public_key: publicKeyInput }),
  output: { 200: serviceKeyWire },
  refuses: ['service_key_not_found'],
  checks: [({ public_key }) => void readPublicKey(public_key)],
  run: replaceKey,
});
