import { operation } from '#platform/operation.ts';
import { archetypesWire, buildArchetypesWire } from './wire.ts';

export const listArchetypes = operation({
  name: 'archetypes.listArchetypes',
  summary:
    'Lists the twelve archetypes and their four families: descriptions, and the traits that are high and low in each.',
  who: 'anyone',
  output: { 200: archetypesWire },
  tools: [
    {
      name: 'list_archetypes',
      title: 'List the archetypes',
      kind: 'read',
      description:
        'Lists the twelve archetypes and their four families, with descriptions and the traits that are high and low in each. Use it to explain the result of read_archetype.',
    },
  ],
  run: async () => archetypes,
});

const archetypes = buildArchetypesWire();
