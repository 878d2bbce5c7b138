import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { writeBody } from '../payloads.ts';
import { test_event } from '../rules.ts';
import { deliverEvents } from '../sending/deliver-events.ts';
import { insertDelivery } from '../sending/store.ts';
import { deliveryWire, toDeliveryWire } from '../wire.ts';
import { lockActiveSubscription } from './lock-active-subscription.ts';

export const sendTest = operation({
  name: 'webhooks.sendTest',
  title: 'Send a test event',
  summary:
    'Sends the event webhook.test to the URL of a webhook subscription, like any other event. The list of deliveries shows the outcome.',
  who: ['org_admin'],
  input: Type.Object({ subscription_id: uuid }),
  output: { 200: deliveryWire },
  refuses: ['webhook_not_found', 'webhook_inactive'],
  idempotent: true,
  run: (context, { subscription_id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      await lockActiveSubscription(tx, { org_id, id: subscription_id });
      const now = context.now();
      const event = { id: randomUUID(), type: test_event, created_at: now, data: { subscription_id } };
      const added = { event_id: event.id, event_type: test_event, member_id: null, body: writeBody(event) };
      const delivery = await insertDelivery(tx, { org_id, subscription_id, is_active: true, ...added }, now);
      if (!delivery) throw new Refusal('webhook_not_found');
      await context.queue.send(tx, deliverEvents, { org_id, subscription_id });
      return toDeliveryWire(delivery);
    }),
});
