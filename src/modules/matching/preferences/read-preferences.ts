import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { defaultPreferences } from '../engine/terms.ts';
import { preferencesWire } from './wire.ts';
import { findPreferences } from './store.ts';

export const readPreferences = operation({
  name: 'matching.readPreferences',
  summary: 'What the caller wants of a job, for no other eyes: jobs that it rules out are never proposed.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: preferencesWire },
  refuses: [],
  run: async ({ database, caller }) =>
    (await findPreferences(database, caller.member_id)) ?? defaultPreferences,
});
