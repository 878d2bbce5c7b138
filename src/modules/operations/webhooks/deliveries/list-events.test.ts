import { expect, test } from 'vitest';
import { eventTable } from '../../../../tables/events.ts';
import { buildOpenApiDocument } from '#platform/openapi/build-document.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { webhookMessages } from '../payloads.ts';
import { webhookEvents } from '../sent-events.ts';

const app = await startApp();

test('everybody who is logged in reads the names of the events', async () => {
  proves(
    'webhook-events-endpoint-jwt',
    'webhook-event-attestation-issued-live',
    'webhook-event-attestation-revoked-live',
    'webhook-event-match-proposed-planned',
    'webhook-event-match-accepted-planned',
    'webhook-event-match-declined-planned',
    'webhook-event-placement-created-planned',
    'webhook-event-placement-updated-planned',
  );
  const admin = await app.registerOrgAdmin();
  const callers = [admin, await createColleague(app, admin.org_id, 'auditor'), await app.registerMember()];
  for (const { token } of callers) {
    const { status, body } = await app.request('GET', '/webhooks/events', { token });
    expect([status, body]).toEqual([200, { events: webhookEvents }]);
  }
  expect((await app.request('GET', '/webhooks/events')).status).toBe(401);
});

test('every event is in the table of events, with a task that distributes it', () => {
  const distributed = eventTable
    .filter(({ tasks }) => tasks.some(({ name }) => name.startsWith('webhooks.')))
    .map(({ event }) => event.name);
  expect(distributed.toSorted()).toEqual([...webhookEvents].toSorted());
});

test('the API description has a schema and an example for the body of every event', async () => {
  proves('open-webhook-event-payload-shapes');
  const { webhooks } = (await app.request('GET', '//openapi.json')).body;
  expect(Object.keys(webhooks)).toEqual([...webhookEvents, 'webhook.test']);
  for (const [name, { post }] of Object.entries<{ post: never }>(webhooks)) {
    const { schema, example } = (post as Description).requestBody.content['application/json'];
    expect(schema.properties.type.enum).toEqual([name]);
    expect(Object.keys(example).toSorted()).toEqual(['api_version', 'created_at', 'data', 'id', 'type']);
    expect(Object.keys(example.data).toSorted()).toEqual(
      Object.keys(schema.properties.data.properties).toSorted(),
    );
  }
  expect(
    buildOpenApiDocument([], 'https://tessera.example', { messages: webhookMessages })['webhooks'],
  ).toBeDefined();
});

type Description = {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: {
          readonly properties: {
            readonly type: { readonly enum: readonly string[] };
            readonly data: { readonly properties: object };
          };
        };
        readonly example: { readonly data: object };
      };
    };
  };
};
