import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { emitProposal, fetchStream, listDeliveries, openStream } from '#test/modules/webhooks.ts';
import { runTask } from '#test/modules/matching.ts';
import { forgetStreams } from './forget-streams.ts';

const app = await startApp({ TESSERA_ACCESS_TOKEN_SECONDS: '99999999' });
const day_ms = 86_400_000;

test('a stream goes with its deliveries when no program has used it for a day', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const [used, left] = [await openStream(app, token), await openStream(app, token, { name: 'left' })];
  await emitProposal(app, org_id);
  await app.drainQueue();
  app.clock.advance(day_ms / 2);
  await fetchStream(app, token, used.id);
  app.clock.advance(day_ms / 2 + 1);
  await runTask(app, forgetStreams, {});
  await app.drainQueue();
  expect((await fetchStream(app, token, left.id)).body.code).toBe('webhook_not_found');
  expect((await fetchStream(app, token, used.id)).status).toBe(200);
  const rows = await app.sql.list(sql<{ subscription_id: string }>`
    select subscription_id from webhook_deliveries where org_id = ${org_id}`);
  expect(rows.map(({ subscription_id }) => subscription_id)).toEqual([used.id]);
});

test('a stream in which too much waits is paused, and opening it again lets everything be recovered', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await openStream(app, token);
  await app.sql.run(sql`
    insert into webhook_deliveries (org_id, id, subscription_id, event_id, event_type, body, status, next_attempt_at, created_at)
    select ${org_id}, gen_random_uuid(), ${id}, gen_random_uuid(), 'job.closed', '{}', 'pending', ${app.clock.now()}, ${app.clock.now()}
    from generate_series(1, 10001)`);
  await runTask(app, forgetStreams, {});
  await app.drainQueue();
  expect((await fetchStream(app, token, id)).body.code).toBe('webhook_inactive');
  const [newest] = await listDeliveries(app, token, id);
  expect(newest).toMatchObject({ status: 'failed', error: 'subscription_inactive' });
  await openStream(app, token);
  const recovery = { token, body: { since: '2020-01-01T00:00:00Z' } };
  expect((await app.request('POST', `/webhooks/${id}/recover`, recovery)).body).toEqual({
    recovered: 10_000,
    has_more: true,
  });
});
