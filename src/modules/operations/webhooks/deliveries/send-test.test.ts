import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription, listDeliveries } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

const sendTest = (token: string | undefined, id: string) =>
  app.request('POST', `/webhooks/${id}/test`, { body: {}, ...(token !== undefined && { token }) });

test('a test event is sent and signed like any other, whatever the subscription subscribes to', async () => {
  proves('webhook-test-endpoint-org-admin', 'open-shape-webhook-test-response');
  const { token } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id, secret } = await createSubscription(app, token, {
    url: receiver.url,
    events: ['placement.created'],
  });
  receiver.secrets = [secret];
  const { status, body } = await sendTest(token, id);
  expect([status, body]).toMatchObject([200, { event_type: 'webhook.test', status: 'pending', attempt: 0 }]);
  await app.drainQueue();
  expect(receiver.received.map(({ event }) => event)).toEqual([
    {
      id: body.event_id,
      type: 'webhook.test',
      created_at: app.clock.now().toISOString(),
      api_version: 'v1',
      data: { subscription_id: id },
    },
  ]);
  expect(receiver.received[0]!.headers).toMatchObject({
    'x-service-event': 'webhook.test',
    'x-service-delivery': body.id,
  });
  expect(await listDeliveries(app, token, id)).toMatchObject([{ id: body.id, status: 'delivered' }]);
});

test('an inactive subscription, those of others and other roles are refused', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await createSubscription(app, ours.token, { url: 'https://hooks.example.org/' });
  for (const [token, each] of [
    [theirs.token, id],
    [ours.token, unknownId],
  ] as const)
    expect((await sendTest(token, each)).body.code).toBe('webhook_not_found');
  const viewer = await createColleague(app, ours.org_id, 'org_viewer');
  expect((await sendTest(viewer.token, id)).body.code).toBe('role_not_allowed');
  expect((await sendTest(undefined, id)).status).toBe(401);
  expect((await sendTest(ours.token, 'not-an-id')).status).toBe(422);
  await app.request('PATCH', `/webhooks/${id}`, { token: ours.token, body: { is_active: false } });
  const inactive = await sendTest(ours.token, id);
  expect([inactive.status, inactive.body.code]).toEqual([409, 'webhook_inactive']);
  expect(await listDeliveries(app, ours.token, id)).toEqual([]);
});
