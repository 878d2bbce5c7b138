import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription, emitProposal, listDeliveries } from '#test/modules/webhooks.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

const replay = (token: string | undefined, id: string, delivery_id: string) =>
  app.request('POST', `/webhooks/${id}/deliveries/${delivery_id}/replay`, {
    body: {},
    ...(token !== undefined && { token }),
  });

test('a delivery that has failed or was delivered is sent again with the same id and body', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  receiver.reply = (response) => response.writeHead(500).end('broken');
  await emitProposal(app, org_id);
  await app.drainQueue();
  const [failed] = await listDeliveries(app, token, id);
  expect(failed).toMatchObject({ status: 'failed', attempt: 6, response_status: 500, error: 'http_status' });
  receiver.reply = (response) => response.end('ok');
  for (const attempt of [7, 8]) {
    const { status, body } = await replay(token, id, failed.id);
    expect([status, body.status, body.attempt]).toEqual([200, 'pending', attempt - 1]);
    await app.drainQueue();
    expect(await listDeliveries(app, token, id)).toMatchObject([
      { id: failed.id, status: 'delivered', attempt },
    ]);
  }
  const facts = receiver.received.map(
    ({ headers, text }) => `${String(headers['x-service-delivery'])} ${text}`,
  );
  expect([facts.length, new Set(facts).size]).toEqual([8, 1]);
});

test('an unknown delivery, one of another subscription, and an inactive subscription are refused', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const url = 'https://hooks.example.org/';
  const [one, other] = [
    await createSubscription(app, ours.token, { url }),
    await createSubscription(app, ours.token, { url }),
  ];
  const { body } = await app.request('POST', `/webhooks/${one.id}/test`, { token: ours.token, body: {} });
  for (const [subscription, delivery] of [
    [one.id, unknownId],
    [other.id, body.id],
  ] as const)
    expect((await replay(ours.token, subscription, delivery)).body.code).toBe('webhook_delivery_not_found');
  expect((await replay(theirs.token, one.id, body.id)).body.code).toBe('webhook_not_found');
  const viewer = await createColleague(app, ours.org_id, 'org_viewer');
  expect((await replay(viewer.token, one.id, body.id)).body.code).toBe('role_not_allowed');
  expect((await replay(undefined, one.id, body.id)).status).toBe(401);
  expect((await replay(ours.token, one.id, 'not-an-id')).status).toBe(422);
  await app.request('PATCH', `/webhooks/${one.id}`, { token: ours.token, body: { is_active: false } });
  expect((await replay(ours.token, one.id, body.id)).body.code).toBe('webhook_inactive');
});
