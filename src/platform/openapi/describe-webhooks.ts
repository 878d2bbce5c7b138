import { buildSample, type Schema } from '#platform/openapi/build-sample.ts';
import { writeOpenSchema, type Components } from '#platform/openapi/write-schema.ts';

/** A message that the service sends to the servers of organisations. */
export type WebhookMessage = { readonly name: string; readonly meaning: string; readonly body: object };

/** What says in the body of a message that it comes from a sandbox. */
const sandboxMark = {
  type: 'boolean',
  const: true,
  description: 'The event comes from a sandbox, whose people and payments are made up.',
};

function markBody(body: object): object {
  const { properties, required } = body as {
    readonly properties: object;
    readonly required: readonly string[];
  };
  return {
    ...body,
    properties: { ...properties, sandbox: sandboxMark },
    required: [...required, 'sandbox'],
  };
}

/** Describes the messages as the `webhooks` of an OpenAPI 3.1 document, each with its headers, the schema of its body and an example. */
export function describeWebhooks(
  messages: readonly WebhookMessage[],
  components: Components,
  sandbox: boolean,
): Schema {
  const described = sandbox ? messages.map((each) => ({ ...each, body: markBody(each.body) })) : messages;
  return Object.fromEntries(
    described.map(({ name, meaning, body }) => [
      name,
      {
        post: {
          tags: ['webhooks'],
          operationId: `receive.${name}`,
          summary: name,
          description: meaning,
          security: [],
          parameters: headers.map(([header, description, example]) => ({
            name: header,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
            example: example ?? name,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: writeOpenSchema(body as Schema, components),
                example: buildSample(body as Schema, components.texts.fields),
              },
            },
          },
          responses: {
            '2XX': { description: 'The event was received.' },
            401: { description: 'The signature is wrong. The delivery is tried again.' },
            410: { description: 'The address is gone. The subscription is deactivated.' },
          },
        },
      },
    ]),
  );
}

const sampleId = '4d8a1f6e-2b3c-4d5e-8f90-a1b2c3d4e5f6';

/** Name, meaning and example; the example of X-Service-Event is the event. */
const headers: readonly (readonly [name: string, meaning: string, example?: string])[] = [
  [
    'X-Service-Signature',
    'sha256= and the HMAC-SHA256 of the canonical JSON of the body in hexadecimal. The key is the secret of the subscription.',
    'sha256=5f0d1c7b0a9e8d7c6b5a49382716f5e4d3c2b1a0998877665544332211ffeedd',
  ],
  ['X-Service-Delivery', 'The id of the delivery, the same for all of its attempts.', sampleId],
  ['X-Service-Event', 'The name of the event.'],
  ['webhook-id', 'The id of the delivery, for Standard Webhooks.', sampleId],
  ['webhook-timestamp', 'When the attempt was made, in seconds since 1970.', '1772442000'],
  [
    'webhook-signature',
    'The signature of Standard Webhooks over id, timestamp and body; two of them, separated by a space, while the secret is rotated.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];
