import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { listLatestConsents } from './store.ts';
import { consentStatusWire, toStatusWire } from './wire.ts';

export const readConsent = operation({
  name: 'consent.readConsent',
  summary: 'What the caller has consented to, and the consent level that follows.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: consentStatusWire },
  refuses: [],
  run: async ({ database, caller }) => toStatusWire(await listLatestConsents(database, caller.member_id)),
});
