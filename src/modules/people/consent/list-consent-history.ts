import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { countDecisions, listDecisions, type DecisionPlace } from './store-history.ts';
import { consentDecisionWire, toDecisionWire } from './wire.ts';

export const listConsentHistory = operation({
  name: 'consent.listConsentHistory',
  title: 'List consent decisions',
  summary:
    'Lists every decision of the caller on consents and on categories of identity data, newest first. Decisions never change.',
  who: ['member'],
  input: Type.Object({ ...pageQuery }),
  output: { 200: buildPageSchema(consentDecisionWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, caller } = context;
    const { member_id } = caller;
    return readPage(
      context,
      { name: 'consent.listConsentHistory', filter: { member_id }, limit, cursor },
      {
        list: (after: DecisionPlace | undefined, rows_max) =>
          listDecisions(database, member_id, after, rows_max),
        count: () => countDecisions(database, member_id),
        getPlace: ({ created_at, sequence, id }): DecisionPlace => [created_at.toISOString(), sequence, id],
        toItem: toDecisionWire,
      },
    );
  },
});
