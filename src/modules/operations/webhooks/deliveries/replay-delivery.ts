import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { deliverEvents } from '../sending/deliver-events.ts';
import { deliveryWire, toDeliveryWire } from '../wire.ts';
import { lockActiveSubscription } from './lock-active-subscription.ts';
import { replayStoredDelivery } from '../store-deliveries.ts';

export const replayDelivery = operation({
  name: 'webhooks.replayDelivery',
  title: 'Replay a delivery',
  summary:
    'Sends a delivery again, with the same body and the same X-Service-Delivery, whether it was delivered, has failed or waits. It has all retries before it again.',
  who: ['org_admin'],
  input: Type.Object({
    subscription_id: uuid,
    delivery_id: field(uuid, 'The id of the delivery.', '4d8a1f6e-2b3c-4d5e-8f90-a1b2c3d4e5f6'),
  }),
  output: { 200: deliveryWire },
  refuses: ['webhook_not_found', 'webhook_delivery_not_found', 'webhook_inactive'],
  idempotent: true,
  run: (context, { subscription_id, delivery_id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      await lockActiveSubscription(tx, { org_id, id: subscription_id });
      const key = { org_id, subscription_id };
      const delivery = await replayStoredDelivery(tx, key, delivery_id, context.now());
      if (!delivery) throw new Refusal('webhook_delivery_not_found');
      await context.queue.send(tx, deliverEvents, key);
      const detail = { subscription_id, delivery_id };
      await recordCallerAudit(context, tx, { action: 'webhooks.replayed', org_id, detail });
      return toDeliveryWire(delivery);
    }),
});
