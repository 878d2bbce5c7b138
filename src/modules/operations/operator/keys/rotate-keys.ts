import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { rotateSigningKeys } from './change-keys.ts';
import { algorithmWire, kidWire, purposeWire } from './wire.ts';

const newKeyWire = closedObject({ kid: kidWire, purpose: purposeWire, algorithm: algorithmWire });

export const rotateKeys = operation({
  name: 'operator.rotateKeys',
  title: 'Rotate the signing keys',
  summary:
    'Retires the signing keys and creates new ones. Credentials that older keys signed stay valid, access tokens until they expire. Other nodes follow within ten seconds.',
  who: ['platform_admin'],
  output: { 200: closedObject({ keys: field(Type.Array(newKeyWire), 'The new keys.') }) },
  run: async (context) => {
    const created = await rotateSigningKeys(context, context.caller);
    return { keys: created.map(({ kid, purpose, algorithm }) => ({ kid, purpose, algorithm })) };
  },
});
