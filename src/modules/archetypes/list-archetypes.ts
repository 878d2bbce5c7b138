import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { buildArchetypesWire, archetypesWire } from './wire.ts';

export const listArchetypes = operation({
  name: 'archetypes.listArchetypes',
  summary: 'The twelve archetypes in four families: what each is, and which traits stand high and low in it.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: archetypesWire },
  refuses: [],
  run: async () => archetypes,
});

const archetypes = buildArchetypesWire();
