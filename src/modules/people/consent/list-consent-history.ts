import { listOperation } from '#platform/list-operation.ts';
import { countDecisions, listDecisions } from './store-history.ts';
import { consentDecisionWire, toDecisionWire } from './wire.ts';

export const listConsentHistory = listOperation({
  name: 'consent.listConsentHistory',
  title: 'List consent decisions',
  summary:
    'Lists every decision of the caller on consents and on categories of identity data, newest first. Decisions never change.',
  who: ['member'],
  getOwner: ({ member_id }) => member_id,
  list: listDecisions,
  count: countDecisions,
  getPlace: ({ created_at, sequence, id }) => [created_at.toISOString(), sequence, id],
  item: consentDecisionWire,
  toItem: toDecisionWire,
});
