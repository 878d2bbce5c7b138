import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { createSubscription } from '#test/modules/webhooks.ts';
import { forgetDeliveries } from './forget-deliveries.ts';

const app = await startApp();

test('the history is deleted after 30 days, more than one batch at once', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  const insert = (count: number, created_at: Date) =>
    app.sql.run(sql`
      insert into webhook_deliveries (org_id, id, subscription_id, event_id, event_type, body, status, created_at)
      select ${org_id}::uuid, gen_random_uuid(), ${id}::uuid, gen_random_uuid(), 'match.accepted', '{}', 'delivered', ${created_at}
      from generate_series(1, ${count}::integer)`);
  const month_ms = 30 * 86_400_000;
  await insert(5_100, new Date(app.clock.now().getTime() - month_ms - 1));
  await insert(3, new Date(app.clock.now().getTime() - month_ms));
  await runTask(app, forgetDeliveries, {});
  const { count } = await app.sql.one(sql<{ count: number }>`select count(*) from webhook_deliveries`);
  expect(count).toBe(3);
});

test('a previous secret is deleted once it signs no longer', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  const readExpiry = async () =>
    (await app.request('GET', `/webhooks/${id}`, { token })).body.previous_secret_expires_at;
  const countStored = async () =>
    (
      await app.sql.one(sql<{ count: number }>`
        select count(previous_secret_sealed) from webhook_subscriptions where id = ${id}`)
    ).count;
  const rotated = await app.request('POST', `/webhooks/${id}/rotate-secret`, {
    token,
    body: { overlap_seconds: 60 },
  });
  app.clock.advance(59_999);
  await runTask(app, forgetDeliveries, {});
  expect([await readExpiry(), await countStored()]).toEqual([rotated.body.previous_secret_expires_at, 1]);
  app.clock.advance(1);
  await runTask(app, forgetDeliveries, {});
  expect([await readExpiry(), await countStored()]).toEqual([null, 0]);
});
