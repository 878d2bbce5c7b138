import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { subscriptionWire, toSubscriptionWire } from '../wire.ts';
import {
  countSubscriptions,
  listSubscriptions as listStoredSubscriptions,
  type SubscriptionPlace,
} from '../store-subscriptions.ts';

export const listSubscriptions = operation({
  name: 'webhooks.listSubscriptions',
  title: 'List webhook subscriptions',
  summary: 'Lists the webhook subscriptions of the caller’s organisation, newest first.',
  who: ['org_admin', 'org_viewer'],
  input: Type.Object(pageQuery),
  output: { 200: buildPageSchema(subscriptionWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, caller } = context;
    const { org_id } = caller;
    return readPage(
      context,
      { name: 'webhooks.listSubscriptions', filter: { org_id }, limit, cursor },
      {
        list: (after: SubscriptionPlace | undefined, rows_max) =>
          listStoredSubscriptions(database, org_id, after, rows_max),
        count: () => countSubscriptions(database, org_id),
        getPlace: ({ created_at, id }): SubscriptionPlace => [created_at.toISOString(), id],
        toItem: toSubscriptionWire,
      },
    );
  },
});
