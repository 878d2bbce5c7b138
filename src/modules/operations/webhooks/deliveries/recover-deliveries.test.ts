import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription, emitProposal, listDeliveries } from '#test/modules/webhooks.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

const recover = (token: string | undefined, id: string, body: unknown) =>
  app.request('POST', `/webhooks/${id}/recover`, { body, ...(token !== undefined && { token }) });

test('all failed deliveries since a time are sent again, and no others', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  const emitAt = async (status: number) => {
    receiver.reply = (response) => response.writeHead(status).end();
    await emitProposal(app, org_id);
    await app.drainQueue();
    app.clock.advance(60_000);
  };
  await emitAt(500);
  const since = app.clock.now().toISOString();
  await emitAt(200);
  await app.sql.run(sql`update webhook_subscriptions set failure_count = 0`);
  await emitAt(503);
  receiver.reply = (response) => response.end();
  receiver.received.length = 0;
  expect((await recover(token, id, { since })).body).toEqual({ recovered: 1, has_more: false });
  await app.drainQueue();
  const deliveries = await listDeliveries(app, token, id);
  expect(deliveries.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'failed']);
  expect(receiver.received.map(({ headers }) => headers['x-service-delivery'])).toEqual([deliveries[0].id]);
  expect((await recover(token, id, { since })).body).toEqual({ recovered: 0, has_more: false });
});

test('one call recovers at most 10,000 deliveries and says that there are more', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  await app.sql.run(sql`
    insert into webhook_deliveries (org_id, id, subscription_id, event_id, event_type, body, status, created_at)
    select ${org_id}::uuid, gen_random_uuid(), ${id}::uuid, gen_random_uuid(), 'match.accepted', '{}', 'failed', ${app.clock.now()}
    from generate_series(1, 10001)`);
  const since = app.clock.now().toISOString();
  expect((await recover(token, id, { since })).body).toEqual({ recovered: 10_000, has_more: true });
  expect((await recover(token, id, { since })).body).toEqual({ recovered: 1, has_more: false });
  await app.request('DELETE', `/webhooks/${id}`, { token });
});

test.each([
  [{}, '/since'],
  [{ since: 'yesterday' }, '/since'],
  [{ since: '2026-03-01T00:00:00+25:00' }, '/since'],
  [{ since: '2026-03-01T00:00:00Z', until: '2026-03-02T00:00:00Z' }, '/until'],
])('rejects %j at %j', async (body, pointer) => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  const response = await recover(token, id, body);
  expect([response.status, response.body.code]).toEqual([422, 'field_invalid']);
  expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
});

test('an inactive subscription, those of others and other roles are refused', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await createSubscription(app, ours.token, { url: 'https://hooks.example.org/' });
  const body = { since: app.clock.now().toISOString() };
  expect((await recover(theirs.token, id, body)).body.code).toBe('webhook_not_found');
  expect((await recover(ours.token, unknownId, body)).body.code).toBe('webhook_not_found');
  const viewer = await createColleague(app, ours.org_id, 'org_viewer');
  expect((await recover(viewer.token, id, body)).body.code).toBe('role_not_allowed');
  expect((await recover(undefined, id, body)).status).toBe(401);
  await app.request('PATCH', `/webhooks/${id}`, { token: ours.token, body: { is_active: false } });
  expect((await recover(ours.token, id, body)).body.code).toBe('webhook_inactive');
});
