import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription, emitProposal } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

const remove = (token: string | undefined, id: string) =>
  app.request('DELETE', `/webhooks/${id}`, { ...(token !== undefined && { token }) });
const countRows = async (id: string) =>
  (
    await app.sql.one(sql<{ count: number }>`
      select (select count(*) from webhook_deliveries where subscription_id = ${id})
        + (select count(*) from webhook_subscriptions where id = ${id}) as count`)
  ).count;

test('deleting a subscription deletes its history, and nothing that waited is sent', async () => {
  proves('webhook-delete-endpoint-org-admin', 'webhook-delete-removes-delivery-history');
  const { token, org_id } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  await emitProposal(app, org_id);
  await app.drainQueue();
  expect([receiver.received.length, await countRows(id)]).toEqual([1, 2]);
  await emitProposal(app, org_id);
  const { body: listed } = await app.request('GET', `/webhooks/${id}/deliveries`, { token });
  const { status, body } = await remove(token, id);
  expect([status, body]).toEqual([204, '']);
  expect(await countRows(id)).toBe(0);
  await app.drainQueue();
  expect([receiver.received.length, await countRows(id)]).toEqual([1, 0]);
  expect((await remove(token, id)).body.code).toBe('webhook_not_found');
  // Neither can be used to bring it back.
  for (const [path, fields] of [
    [`deliveries/${listed.data[0].id}/replay`, {}],
    ['recover', { since: app.clock.now().toISOString() }],
    ['test', {}],
  ] as const) {
    const refused = await app.request('POST', `/webhooks/${id}/${path}`, { token, body: fields });
    expect([path, refused.status, refused.body.code]).toEqual([path, 404, 'webhook_not_found']);
  }
});

test('a task deletes a history that is too long for one request', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  await app.sql.run(sql`
    insert into webhook_deliveries (org_id, id, subscription_id, event_id, event_type, body, status, created_at)
    select ${org_id}::uuid, gen_random_uuid(), ${id}::uuid, gen_random_uuid(), 'match.accepted', '{}', 'delivered', now()
    from generate_series(1, 5200)`);
  expect((await remove(token, id)).status).toBe(204);
  expect(await countRows(id)).toBe(200);
  await app.drainQueue();
  expect(await countRows(id)).toBe(0);
});

test('only an administrator of the same organisation may delete a subscription', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await createSubscription(app, ours.token, { url: 'https://hooks.example.org/' });
  const foreign = await remove(theirs.token, id);
  expect([foreign.status, foreign.body.code]).toEqual([404, 'webhook_not_found']);
  expect((await remove(ours.token, unknownId)).status).toBe(404);
  expect((await remove(ours.token, 'not-an-id')).status).toBe(422);
  const viewer = await createColleague(app, ours.org_id, 'org_viewer');
  expect((await remove(viewer.token, id)).body.code).toBe('role_not_allowed');
  expect((await remove(undefined, id)).status).toBe(401);
  expect(await countRows(id)).toBe(1);
});
