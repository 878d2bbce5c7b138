import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { defaultPreferences } from '#modules/matching/engine';
import { findPreferences } from './store.ts';
import { preferencesResource } from './resource.ts';

export const readPreferences = operation({
  name: 'matches.readPreferences',
  title: 'Read matching preferences',
  summary:
    'Reads the caller’s matching preferences, which no one else can read. Jobs that they rule out are never proposed.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: preferencesResource.wire },
  etag: true,
  refuses: [],
  run: async ({ database, caller }) => {
    const stored = await findPreferences(database, caller.member_id);
    return stored ? preferencesResource.toWire(stored) : defaultPreferences;
  },
});
