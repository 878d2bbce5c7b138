import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { listLatestCategories } from './store-categories.ts';
import { listLatestConsents } from './store.ts';
import { queryConsentWire, toQueryConsentWire } from './wire.ts';

export const readQueryConsent = operation({
  name: 'consent.readQueryConsent',
  title: 'Read consent to queries',
  summary:
    'Returns the caller’s consent level, and which categories of their identity data organisations may buy.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: queryConsentWire },
  etag: true,
  refuses: [],
  run: async ({ database, caller }) => {
    const [consents, categories] = await Promise.all([
      listLatestConsents(database, caller.member_id),
      listLatestCategories(database, caller.member_id),
    ]);
    return toQueryConsentWire(consents, categories);
  },
});
