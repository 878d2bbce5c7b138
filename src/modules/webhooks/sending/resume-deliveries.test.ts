import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { clearQueue, createSubscription, listDeliveries } from '#test/modules/webhooks.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';
import { resumeDeliveries } from './resume-deliveries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
});

test('deliveries whose task was lost are sent once they are overdue by a minute, and not before', async () => {
  const { token } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  await app.request('POST', `/webhooks/${id}/test`, { token, body: {} });
  await clearQueue(app);
  app.clock.advance(60_000);
  await runTask(app, resumeDeliveries, {});
  await app.drainQueue();
  expect(receiver.received).toEqual([]);
  app.clock.advance(1);
  await runTask(app, resumeDeliveries, {});
  await app.drainQueue();
  expect(receiver.received).toHaveLength(1);
  expect(await listDeliveries(app, token, id)).toMatchObject([{ status: 'delivered' }]);
});
