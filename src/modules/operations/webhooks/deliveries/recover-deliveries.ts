import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
import { recovered_max } from '../rules.ts';
import { deliverEvents } from '../sending/deliver-events.ts';
import { lockActiveSubscription } from './lock-active-subscription.ts';
import { recoverFailedDeliveries } from '../store-deliveries.ts';

export const recoverDeliveries = operation({
  name: 'webhooks.recoverDeliveries',
  title: 'Recover failed deliveries',
  summary:
    'Sends all failed deliveries since a time again, the oldest first, including the events that happened while the subscription was inactive. At most 10,000 at once.',
  who: ['org_admin'],
  input: Type.Object({
    subscription_id: uuid,
    since: field(
      timestamp,
      'Deliveries of events since this time, at most 30 days ago.',
      '2026-03-01T00:00:00.000Z',
    ),
  }),
  output: {
    200: closedObject({
      recovered: field(Type.Integer({ minimum: 0 }), 'How many deliveries are sent again.', 12),
      has_more: field(Type.Boolean(), 'Whether to call again, because there may be more.', false),
    }),
  },
  refuses: ['webhook_not_found', 'webhook_inactive'],
  idempotent: true,
  run: (context, { subscription_id, since }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const key = { org_id, subscription_id };
      await lockActiveSubscription(tx, { org_id, id: subscription_id });
      const recovered = await recoverFailedDeliveries(tx, key, {
        since: new Date(since),
        now: context.now(),
        limit: recovered_max,
      });
      if (recovered > 0) await context.queue.send(tx, deliverEvents, key);
      const detail = { subscription_id, count: recovered };
      await recordCallerAudit(context, tx, { action: 'webhooks.recovered', org_id, detail });
      return { recovered, has_more: recovered === recovered_max };
    }),
});
