import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { findVector } from '../store.ts';
import { toTraitVectorWire, traitVectorWire } from '../wire.ts';

export const readTraits = operation({
  name: 'traits.readTraits',
  summary: 'Returns the member’s trait vector: the latest version, or the one requested.',
  who: ['member'],
  input: Type.Object({
    version: Type.Optional(
      field(
        Type.Integer({ minimum: 1, maximum: 1_000_000 }),
        'An earlier version. Without it, the latest.',
        1,
      ),
    ),
  }),
  output: { 200: traitVectorWire },
  refuses: ['trait_vector_not_found'],
  tools: [
    {
      name: 'read_traits',
      title: 'Read traits',
      kind: 'read',
      roles: ['member'],
      consent: 'Read your traits and their scores',
      description:
        'Returns the person’s own trait vector: a score between 0 and 1 with bounds and confidence for each trait, the latest or an earlier version. These numbers are for the person alone. Provisional scores are less certain.',
    },
  ],
  run: async ({ database, caller }, { version }) => {
    const stored = await findVector(database, caller.member_id, version);
    if (!stored) throw new Refusal('trait_vector_not_found');
    return toTraitVectorWire(caller.member_id, stored);
  },
});
