import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { buildSample } from '#platform/openapi/build-sample.ts';
import { field, uuid } from '#platform/schema.ts';
import { writeBody } from '../payloads.ts';
import { isStream, test_event } from '../rules.ts';
import { sentEvents, webhookEvents } from '../sent-events.ts';
import { deliverEvents } from '../sending/deliver-events.ts';
import { insertDelivery } from '../sending/store.ts';
import { deliveryWire, toDeliveryWire } from '../wire.ts';
import { lockActiveSubscription } from './lock-active-subscription.ts';

export const sendTest = operation({
  name: 'webhooks.sendTest',
  title: 'Send a test event',
  summary:
    'Sends the event webhook.test to the URL of a webhook subscription, like any other event. The list of deliveries shows the outcome. A stream can get a made-up event of any kind instead, whose ids exist nowhere.',
  who: ['org_admin'],
  input: Type.Object({
    subscription_id: uuid,
    event: Type.Optional(
      field(
        Type.Enum([test_event, ...webhookEvents], { default: test_event }),
        'What to send. Anything but webhook.test goes to streams only, so that no server takes a made-up event for a real one.',
        'match.accepted',
      ),
    ),
  }),
  output: { 200: deliveryWire },
  refuses: ['webhook_not_found', 'webhook_inactive'],
  idempotent: true,
  run: (context, { subscription_id, event: type = test_event }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const subscription = await lockActiveSubscription(tx, { org_id, id: subscription_id });
      if (type !== test_event && !isStream(subscription))
        throw createFieldRefusal(
          'field_invalid',
          '/event',
          `must be ${test_event} unless it is sent to a stream`,
        );
      const now = context.now();
      const event = { id: randomUUID(), type, created_at: now, data: buildTestData(type, subscription_id) };
      const body = writeBody({ ...event, sandbox: context.config.sandbox });
      const added = { event_id: event.id, event_type: type, member_id: null, body };
      const delivery = await insertDelivery(tx, { org_id, subscription_id, is_active: true, ...added }, now);
      if (!delivery) throw new Refusal('webhook_not_found');
      await context.queue.send(tx, deliverEvents, { org_id, subscription_id });
      return toDeliveryWire(delivery);
    }),
});

/** The data of a test, or the sample of the API reference for another event. */
function buildTestData(type: string, subscription_id: string): object {
  const sent_schema = sentEvents.find(({ name }) => name === type)?.sent_schema;
  return sent_schema === undefined ? { subscription_id } : (buildSample({ ...sent_schema }, {}) as object);
}
