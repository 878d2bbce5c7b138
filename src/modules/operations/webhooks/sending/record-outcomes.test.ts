import type { ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import type { Database } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { clearQueue, createSubscription, deliverDue, listDeliveries } from '#test/modules/webhooks.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts';
import type { TestSubscription } from '#test/modules/webhooks.ts';
import type { TestOrgUser } from '#test/users.ts';
import { deliverEvents } from './deliver-events.ts';
import { failPendingDeliveries } from './store.ts';

let admin: TestOrgUser;
let receiver: WebhookReceiver;
let subscription: TestSubscription;
let held: ServerResponse[];
const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
beforeEach(async () => {
  await clearQueue(app);
  admin = await app.registerOrgAdmin();
  receiver = await startWebhookReceiver();
  subscription = await createSubscription(app, admin.token, { url: receiver.url });
  held = [];
  receiver.reply = (response) => void held.push(response);
});

const sendTest = (id = subscription.id) =>
  app.request('POST', `/webhooks/${id}/test`, { token: admin.token, body: {} });
const sendPause = () =>
  app.request('PATCH', `/webhooks/${subscription.id}`, { token: admin.token, body: { is_active: false } });
const readDeliveries = () => listDeliveries(app, admin.token, subscription.id);
async function waitForHeld(count: number): Promise<void> {
  await expect.poll(() => held.length).toBe(count);
}
const answer = (...statuses: readonly number[]) => {
  for (const status of statuses) held.shift()!.writeHead(status).end();
};

async function countResults(): Promise<Readonly<Record<string, number>>> {
  const results = (await readDeliveries()).map(
    ({ status, response_status, error }) => `${status} ${response_status} ${error}`,
  );
  return Object.fromEntries(
    [...Map.groupBy(results, (result) => result)].map(([result, { length }]) => [result, length]),
  );
}

test('a request that is in progress when its subscription is paused gets its true result', async () => {
  for (let number = 0; number < 8; number++) await sendTest();
  const running = deliverDue(app, subscription);
  await waitForHeld(5);
  expect(await sendPause()).toMatchObject({ status: 200, body: { is_active: false } });
  // The first reply after the pause lets the run end what was not sent yet.
  answer(200);
  await expect.poll(countResults).toEqual({
    'delivered 200 null': 1,
    'pending null null': 4,
    'failed null subscription_inactive': 3,
  });
  answer(204, 500, 410, 200);
  await running;
  expect(await countResults()).toEqual({
    'delivered 200 null': 2,
    'delivered 204 null': 1,
    'failed 500 http_status': 1,
    'failed 410 gone': 1,
    'failed null subscription_inactive': 3,
  });
  expect(receiver.received).toHaveLength(5);
});

test('it also does if another process has ended it because of the pause', async () => {
  await sendTest();
  await sendTest();
  const running = deliverDue(app, subscription);
  await waitForHeld(2);
  await sendPause();
  const { id: subscription_id, org_id } = subscription;
  await app.platform.database.transaction((tx) =>
    failPendingDeliveries(tx, { org_id, subscription_id }, { except: [], limit: 10 }),
  );
  expect(await countResults()).toEqual({ 'failed null subscription_inactive': 2 });
  answer(200, 500);
  await running;
  expect(await countResults()).toEqual({ 'delivered 200 null': 1, 'failed 500 http_status': 1 });
});

test('a delivery that is replayed while it is being sent is sent twice, and the run waits for both', async () => {
  await sendTest();
  let isOver = false;
  const running = deliverDue(app, subscription).then(() => void (isOver = true));
  await waitForHeld(1);
  const [{ id }] = await readDeliveries();
  await app.request('POST', `/webhooks/${subscription.id}/deliveries/${id}/replay`, {
    token: admin.token,
    body: {},
  });
  await deliverDue(app, subscription);
  await waitForHeld(2);
  answer(500);
  await expect.poll(async () => (await readDeliveries())[0].attempt).toBe(1);
  expect(isOver).toBe(false);
  answer(200);
  await running;
  // The failure was recorded first, and the success is not lost.
  expect(await readDeliveries()).toMatchObject([{ status: 'delivered', response_status: 200, attempt: 2 }]);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']))).toEqual(
    new Set([id]),
  );
});

test('many runs hold no connection during their requests, and do not queue up for connections', async () => {
  const others = [];
  for (let number = 1; number < 20; number++)
    others.push(await createSubscription(app, admin.token, { url: `${receiver.url}/${number}` }));
  const all = [subscription, ...others];
  for (const { id } of all) await sendTest(id);
  const { database, config } = app.platform;
  let [most, sampling] = [0, true];
  const sample = () => {
    const { total, idle, waiting } = database.countConnections();
    most = Math.max(most, total - idle + waiting);
    if (sampling) setImmediate(sample);
  };
  sample();
  // As the workers of the queue run them.
  const runs = all.map((each) => database.runInBackground(() => deliverDue(app, each)));
  await waitForHeld(all.length);
  await expect
    .poll(() => {
      const { total, idle, waiting } = database.countConnections();
      return total - idle + waiting;
    })
    .toBe(0);
  answer(...all.map(() => 200));
  await Promise.all(runs);
  sampling = false;
  expect(most).toBeLessThanOrEqual(config.databasePoolSize / 2);
});

test('outcomes are recorded when the database is available again, and nothing is sent a second time', async () => {
  await sendTest();
  const { id: subscription_id, org_id } = subscription;
  const { database } = app.platform;
  let failures = 0;
  const transaction: Database['transaction'] = async (work, options) => {
    // From the reply on, the database is unavailable three times.
    if (receiver.received.length > 0 && failures++ < 3) throw new Refusal('database_unavailable');
    return database.transaction(work, options);
  };
  const context = { ...app.platform, database: { ...database, transaction } };
  const signal = new AbortController().signal;
  receiver.reply = (response) => response.end('ok');
  await deliverEvents.run(
    { ...context, signal, reportProgress: async () => undefined },
    { org_id, subscription_id },
  );
  expect(await countResults()).toEqual({ 'delivered 200 null': 1 });
  expect([failures, receiver.received.length]).toEqual([4, 1]);
});
