import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findSubscription } from '../store-subscriptions.ts';
import { deliveryStatuses, test_event } from '../rules.ts';
import { webhookEvents } from '../sent-events.ts';
import { deliveryWire, toDeliveryWire } from '../wire.ts';
import {
  countDeliveries,
  listDeliveries as listStoredDeliveries,
  type DeliveryPlace,
} from '../store-deliveries.ts';

export const listDeliveries = operation({
  name: 'webhooks.listDeliveries',
  title: 'List deliveries of a webhook',
  summary:
    'Lists the deliveries of a webhook subscription with their attempts, newest first. They are kept for 30 days.',
  who: ['org_admin', 'org_viewer'],
  input: Type.Object({
    subscription_id: uuid,
    status: Type.Optional(Type.Enum(deliveryStatuses, { description: 'Only deliveries with this status.' })),
    event_type: Type.Optional(
      Type.Enum([...webhookEvents, test_event], { description: 'Only deliveries of this event.' }),
    ),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(deliveryWire) },
  refuses: ['cursor_invalid', 'webhook_not_found'],
  run: async (context, { subscription_id, status, event_type, limit, cursor }) => {
    const { database, caller } = context;
    const key = { org_id: caller.org_id, subscription_id, status, event_type };
    if (!(await findSubscription(database, { org_id: caller.org_id, id: subscription_id })))
      throw new Refusal('webhook_not_found');
    return readPage(
      context,
      { name: 'webhooks.listDeliveries', filter: key, limit, cursor },
      {
        list: (after: DeliveryPlace | undefined, rows_max) =>
          listStoredDeliveries(database, key, after, rows_max),
        count: () => countDeliveries(database, key),
        getPlace: ({ created_at, id }): DeliveryPlace => [created_at.toISOString(), id],
        toItem: toDeliveryWire,
      },
    );
  },
});
