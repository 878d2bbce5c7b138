import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { clearQueue, createSubscription, listDeliveries } from '#test/modules/webhooks.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';
import { resumeDeliveries } from './resume-deliveries.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

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

test('an endpoint with a long queue hides no other one', async () => {
  await clearQueue(app);
  const { token, org_id } = await app.registerOrgAdmin();
  const ids: string[] = [];
  for (const count of [10_001, 1]) {
    const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
    ids.push(id);
    // The first has waited longer.
    const due = new Date(app.clock.now().getTime() - 100_000 - count);
    await app.sql.run(sql`
      insert into webhook_deliveries (org_id, id, subscription_id, event_id, event_type, body, status, next_attempt_at, created_at)
      select ${org_id}::uuid, gen_random_uuid(), ${id}::uuid, gen_random_uuid(), 'match.accepted', '{}', 'pending', ${due}, ${due}
      from generate_series(1, ${count}::integer)`);
  }
  await runTask(app, resumeDeliveries, {});
  const queued = await app.sql.list(sql<{ id: string }>`
    select data->>'subscription_id' as id from tasks where name = 'webhooks.deliverEvents'`);
  expect(queued.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});
