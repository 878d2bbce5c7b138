import http from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createSubscription, emitProposal } from '#test/modules/webhooks.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts';

/** Smaller than the burst of `npm run bench -- webhooks`, so that the test is fast: that has 10,000 events over 100 subscriptions. */
const [organisations, subscriptions_each, events_each] = [5, 20, 10];
const deliveries = organisations * subscriptions_each * events_each;
/** A receiver that takes this long for each request, as receivers do. */
const reply_ms = 20;
/** The service sends so many requests to an endpoint at a time. */
const at_a_time = 5;

let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
  receiver = await startWebhookReceiver();
  receiver.reply = (response) => void setTimeout(() => response.end('ok'), reply_ms);
});

test('a burst over 100 subscriptions drains at the speed of the receivers, and not at the pace of a poll', async () => {
  const bare_ms = await measureTime(sendBare);
  receiver.received.length = 0;
  const admins = await Promise.all(Array.from({ length: organisations }, () => app.registerOrgAdmin()));
  for (const { token } of admins)
    for (let number = 0; number < subscriptions_each; number++)
      await createSubscription(app, token, { url: `${receiver.url}/${number}` });
  for (const { org_id } of admins) await emitProposal(app, org_id, { count: events_each });
  const drain_ms = await measureTime(async () => {
    await app.platform.queue.startWorkers(app.platform);
    await expect.poll(countPending, { interval: 20 }).toBe(0);
  });
  const ids = new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']));
  expect([receiver.received.length, ids.size]).toEqual([deliveries, deliveries]);
  // The bare sender stores nothing and signs nothing. The service needs some three times as long.
  expect(drain_ms / bare_ms).toBeLessThan(15);
});

/** How many deliveries are still to be written, sent or recorded. */
async function countPending(): Promise<number> {
  const { delivered } = await app.sql.one(sql<{ delivered: number }>`
    select count(*) as delivered from webhook_deliveries where status = 'delivered'`);
  return deliveries - delivered;
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Sends the same number of requests to the receiver, as many at a time to each endpoint as the service does. */
async function sendBare(): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  await Promise.all(
    Array.from({ length: organisations * subscriptions_each * at_a_time }, async () => {
      for (let number = 0; number < events_each / at_a_time; number++) await sendOne(agent);
    }),
  );
  agent.destroy();
}

function sendOne(agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(receiver.url, { method: 'POST', agent }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    });
    request.on('error', reject).end('{"data":1}');
  });
}
