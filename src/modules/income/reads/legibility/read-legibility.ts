import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { computeLegibility } from './compute-legibility.ts';
import { legibilityWire, toLegibilityWire } from './wire.ts';

export const readLegibility = operation({
  name: 'reads.readLegibility',
  summary:
    'Returns how complete, confident and queryable the caller’s identity is, the multiplier of the price of a read that follows, and what would raise it. Nobody else sees it.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: legibilityWire },
  refuses: ['member_not_found'],
  tools: [
    {
      name: 'read_legibility',
      title: 'Read legibility',
      kind: 'read',
      roles: ['member'],
      consent: 'Read how complete your identity is and what would raise its price',
      description:
        'Returns how complete, confident and queryable the person’s identity is, the multiplier of the price of a read that follows, and what would raise it.',
    },
  ],
  run: async ({ database, caller }) => toLegibilityWire(await computeLegibility(database, caller.member_id)),
});
