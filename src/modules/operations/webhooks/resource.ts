import { Type } from 'typebox';
import { changeable, editable, fixed, maintained, resource } from '#platform/resource.ts';
import type { ChangeableFields, Row } from '#platform/resource.ts';
import { field, nullable, patternText, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { webhookEvents } from './sent-events.ts';

const sampleUrl = 'https://hooks.rivermurraytrust.example/tessera';
const sampleEvents = ['match.accepted', 'match.declined'];

const urlInput = patternText('^[hH][tT][tT][pP][sS]?://[\\u0021-\\u007e]+$', 'must be an https URL', {
  maxLength: 1_000,
  description:
    'Where events are sent by POST: an https URL on the public internet, without user and password.',
  examples: [sampleUrl],
});

const eventsInput = Type.Array(Type.Enum(webhookEvents), {
  minItems: 1,
  uniqueItems: true,
  maxItems: webhookEvents.length,
  description: 'The events that are sent.',
  examples: [sampleEvents],
});

/** A webhook subscription without its secrets, which only their own functions read. */
export const subscriptionResource = resource(
  { table: 'webhook_subscriptions', $id: 'WebhookSubscription' },
  {
    id: fixed(field(uuid, 'The id of the subscription.', 'f0e1d2c3-b4a5-4968-8776-655443322110')),
    org_id: fixed(field(uuid, 'Your organisation.', sampleIds.organisation)),
    url: editable(field(Type.String(), 'Where events are sent.', sampleUrl), { input: urlInput }),
    events: editable(field(Type.Array(Type.Enum(webhookEvents)), 'The events that are sent.', sampleEvents), {
      input: eventsInput,
      default: [...webhookEvents],
    }),
    is_active: changeable(
      field(
        Type.Boolean(),
        'Whether events are sent. False after a pause by PATCH, after ten failed attempts in a row, or after a reply with status 410.',
        true,
      ),
      {
        input: field(Type.Boolean(), 'false pauses the subscription, true enables it.', true),
        default: true,
      },
    ),
    failure_count: maintained(
      field(Type.Integer({ minimum: 0 }), 'The failed attempts since the last one that succeeded.', 0),
      { default: 0 },
    ),
    previous_secret_expires_at: fixed(
      field(
        nullable(timestamp),
        'Until when deliveries are signed with the previous secret as well; null if there is none. Within an hour after this time the secret is deleted.',
        null,
      ),
      { as: 'time', default: null },
    ),
    created_at: fixed(timestamp, { as: 'time' }),
  },
);

export type Subscription = Row<typeof subscriptionResource>;

/** What a PATCH changes: omitted fields stay. */
export type SubscriptionPatch = {
  readonly [Key in keyof Changeable]?: Changeable[Key] | undefined;
};

type Changeable = ChangeableFields<typeof subscriptionResource>;
