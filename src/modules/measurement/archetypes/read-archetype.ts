import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { findArchetype } from './find-archetype.ts';
import { archetypeWire, toWire } from './wire.ts';

export const readArchetype = operation({
  name: 'archetypes.readArchetype',
  summary: 'Returns the member’s archetype, computed from the latest trait vector.',
  who: ['member'],
  output: { 200: archetypeWire },
  refuses: ['archetype_not_found'],
  tools: [
    {
      name: 'read_archetype',
      title: 'Read archetype',
      kind: 'read',
      roles: ['member'],
      consent: 'Read your archetype',
      description:
        'Returns the archetype that is closest to the person’s traits, how certain that is, and the alternatives. list_archetypes describes them.',
    },
  ],
  run: async ({ database, caller }) => {
    const archetype = requireFound(await findArchetype(database, caller.member_id), 'archetype_not_found');
    return toWire(caller.member_id, archetype);
  },
});
