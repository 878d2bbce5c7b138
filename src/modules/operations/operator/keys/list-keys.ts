import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { keyWire, toWire } from './wire.ts';

const keys_max = 1_000;

export const listKeys = operation({
  name: 'operator.listKeys',
  title: 'List signing keys',
  summary: 'Lists the signing keys with their purposes and states, the newest first, at most a thousand.',
  who: ['platform_admin'],
  output: { 200: closedObject({ keys: field(Type.Array(keyWire), 'The keys.') }) },
  run: async ({ keys }) => ({ keys: keys.list().slice(-keys_max).map(toWire).toReversed() }),
});
