import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { findSubscription } from '../store-subscriptions.ts';
import { deliveryWire, toDeliveryWire } from '../wire.ts';
import { findDelivery } from '../store-deliveries.ts';

export const readDelivery = operation({
  name: 'webhooks.readDelivery',
  title: 'Read a delivery',
  summary:
    'Returns one delivery of a webhook subscription, with its body, its attempts and the latest reply.',
  who: ['org_admin', 'org_viewer'],
  input: Type.Object({
    subscription_id: uuid,
    delivery_id: field(uuid, 'The id of the delivery.', '4d8a1f6e-2b3c-4d5e-8f90-a1b2c3d4e5f6'),
  }),
  output: { 200: deliveryWire },
  refuses: ['webhook_not_found', 'webhook_delivery_not_found'],
  run: async ({ database, caller: { org_id } }, { subscription_id, delivery_id }) => {
    if (!(await findSubscription(database, { org_id, id: subscription_id })))
      throw new Refusal('webhook_not_found');
    const delivery = await findDelivery(database, { org_id, subscription_id }, delivery_id);
    if (!delivery) throw new Refusal('webhook_delivery_not_found');
    return toDeliveryWire(delivery);
  },
});
