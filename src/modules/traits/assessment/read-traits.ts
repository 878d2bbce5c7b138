import { Type } from 'typebox';
import { findVector } from '../store.ts';
import { toTraitVectorWire, traitVectorWire } from '../wire.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';

export const readTraits = operation({
  name: 'traits.readTraits',
  summary: 'The member’s own trait vector: the latest, or an older version.',
  who: ['member'],
  input: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
  output: { 200: traitVectorWire },
  refuses: ['trait_vector_not_found'],
  run: async ({ database, caller }, { version }) => {
    const found = await findVector(database, caller.member_id, version);
    if (!found) throw new Refusal('trait_vector_not_found');
    return toTraitVectorWire(caller.member_id, found);
  },
});
