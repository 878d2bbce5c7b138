import { Type, type TSchema } from 'typebox';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { test_event } from './rules.ts';
import { sentEvents } from './sent-events.ts';

const testData = closedObject({
  subscription_id: field(uuid, 'The subscription that is tested.', 'f0e1d2c3-b4a5-4968-8776-655443322110'),
});

/** The body of a webhook. Every text in it consists of ASCII characters, so that all programs write the same canonical JSON. */
function buildBodySchema(type: string, data: TSchema) {
  return closedObject({
    id: field(uuid, 'The id of the event: the same for all subscriptions.', sampleIds.entry),
    type: field(Type.Enum([type]), 'The name of the event, as in X-Service-Event.', type),
    created_at: field(timestamp, 'When the event happened.', '2026-03-02T09:00:00.000Z'),
    api_version: field(Type.Enum(['v1']), 'The version of the API whose ids the data has.', 'v1'),
    data,
  });
}

/** The webhooks of the API description: name, meaning and the schema of the body. */
export const webhookMessages = [
  ...sentEvents.map(({ name, meaning, sent_schema }) => ({
    name: name as string,
    meaning,
    body: buildBodySchema(name, sent_schema),
  })),
  {
    name: test_event as string,
    meaning: 'Sent by POST /webhooks/{subscription_id}/test, whatever the subscription subscribes to.',
    body: buildBodySchema(test_event, testData),
  },
];

/**
 * Builds the data of an event for one organisation.
 *
 * @param data What the event was written with: the data of its schema.
 * @param found What was found for the organisation.
 */
export function buildSentData(type: string, data: object, found?: unknown): object {
  const event = sentEvents.find(({ name }) => name === type);
  if (!event) throw new TypeError(`webhooks do not send ${type}`);
  return event.build(data as never, found as never);
}

/** Writes the body of a webhook as canonical JSON (RFC 8785): keys sorted, no spaces. These bytes are signed and sent. */
export function writeBody(event: {
  readonly id: string;
  readonly type: string;
  readonly created_at: Date;
  readonly data: object;
  readonly sandbox: boolean;
}): string {
  const { id, type, created_at, data, sandbox } = event;
  const content = { id, type, created_at: created_at.toISOString(), api_version: 'v1', data };
  return writeCanonicalJson(sandbox ? { ...content, sandbox } : content);
}
