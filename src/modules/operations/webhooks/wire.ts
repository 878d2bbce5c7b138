import { Type } from 'typebox';
import { closedObject, field, nullable, patternText, timestamp, uuid, toReply } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { subscriptionResource } from './resource.ts';
import { deliveryErrors, deliveryStatuses, type Delivery } from './rules.ts';

const sampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwq1vZ0Xk3n7E=';
const sampleDelivery = '4d8a1f6e-2b3c-4d5e-8f90-a1b2c3d4e5f6';

export const secretInput = patternText('^[\\u0021-\\u007e]+$', 'must be printable ASCII without spaces', {
  minLength: 16,
  maxLength: 128,
  description:
    'The key of the signatures, 16 to 128 characters. Generated if it is left out. One that begins with whsec_ must be in the form of Standard Webhooks.',
  examples: [sampleSecret],
});

/** A webhook subscription with its new secret, which is shown once. */
export const subscriptionWithSecretWire = closedObject(
  {
    ...subscriptionResource.wire.properties,
    secret: field(Type.String(), 'The key of the signatures. It is not shown again.', sampleSecret),
  },
  { $id: 'WebhookSubscriptionWithSecret' },
);

const outcomeFields = {
  response_status: field(
    nullable(Type.Integer()),
    'The HTTP status of the reply, even if the rest of it did not arrive; null if there was none.',
    200,
  ),
  duration_ms: field(nullable(Type.Integer({ minimum: 0 })), 'How long the attempt took.', 84),
  error: field(
    nullable(Type.Enum(deliveryErrors)),
    'Why the attempt failed, or why none was made; null if it succeeded or has not begun.',
    null,
  ),
};

/** An event for one subscription, with its latest attempt and the ones before. */
export const deliveryWire = closedObject(
  {
    id: field(uuid, 'The id of the delivery: X-Service-Delivery of all its attempts.', sampleDelivery),
    subscription_id: field(uuid, 'The subscription.', 'f0e1d2c3-b4a5-4968-8776-655443322110'),
    event_id: field(uuid, 'The event, which other subscriptions may have received as well.', sampleIds.entry),
    event_type: field(Type.String(), 'The name of the event.', 'match.accepted'),
    status: field(
      Type.Enum(deliveryStatuses),
      'Pending until an attempt succeeds or the schedule of retries has ended.',
      'delivered',
    ),
    attempt: field(Type.Integer({ minimum: 0 }), 'The number of attempts so far.', 1),
    ...outcomeFields,
    response_excerpt: field(
      nullable(Type.String()),
      'The first 1,024 bytes of the reply to the latest attempt; null if there was none.',
      'ok',
    ),
    next_attempt_at: field(
      nullable(timestamp),
      'When the next attempt is made; while one is in progress, when it is repeated if its result is lost. Null unless the delivery is pending.',
      null,
    ),
    attempts: field(
      Type.Array(
        closedObject({
          attempted_at: field(timestamp, 'When the attempt began.', '2026-03-02T09:00:00.200Z'),
          ...outcomeFields,
        }),
      ),
      'The latest attempts, at most ten, the newest last.',
    ),
    request_body: field(
      Type.String(),
      'The body that is sent, byte for byte.',
      '{"api_version":"v1","created_at":"2026-03-02T09:00:00.000Z","data":{},"id":"d7c5b3a1-9f8e-4d6c-8b4a-2e1f0d9c8b7a","type":"match.accepted"}',
    ),
    created_at: field(timestamp, 'When the event reached this subscription.', '2026-03-02T09:00:00.100Z'),
  },
  { $id: 'WebhookDelivery' },
);

export function toDeliveryWire(delivery: Delivery) {
  return toReply(deliveryWire, { ...delivery, request_body: delivery.body });
}
