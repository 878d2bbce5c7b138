import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { listLatestCategories } from './store-categories.ts';
import { listLatestConsents } from './store.ts';
import { consentStatusWire, toStatusWire } from './wire.ts';

export const readConsent = operation({
  name: 'consent.readConsent',
  summary: 'Returns the caller’s consents and the resulting consent level.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: consentStatusWire },
  refuses: [],
  tools: [
    {
      name: 'read_consent',
      title: 'Read consents',
      kind: 'read',
      roles: ['member'],
      consent: 'Read what you have consented to',
      description:
        'Returns which consents the person has given, and the resulting level from none to full. Many tools need a consent.',
    },
  ],
  run: async ({ database, caller }) => {
    const [consents, categories] = await Promise.all([
      listLatestConsents(database, caller.member_id),
      listLatestCategories(database, caller.member_id),
    ]);
    return toStatusWire(consents, categories);
  },
});
