import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription, emitProposal, listDeliveries } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

const url = 'https://hooks.example.org/';
const patch = (token: string | undefined, id: string, body: unknown, headers: Record<string, string> = {}) =>
  app.request('PATCH', `/webhooks/${id}`, { body, headers, ...(token !== undefined && { token }) });

test('an administrator changes URL and events, and the reply is the subscription', async () => {
  proves(
    'webhook-patch-endpoint-org-admin',
    'webhook-patch-request-fields',
    'open-shape-webhook-patch-response',
  );
  const { token } = await app.registerOrgAdmin();
  const { secret: _, ...subscription } = await createSubscription(app, token, { url });
  const change = { url: 'https://other.example.org/', events: ['match.declined'] };
  const { status, body } = await patch(token, subscription.id, change);
  expect([status, body]).toEqual([200, { ...subscription, ...change }]);
  expect((await app.request('GET', `/webhooks/${subscription.id}`, { token })).body).toEqual(body);
});

test('enabling a subscription that failures deactivated resets failure_count', async () => {
  proves('webhook-reenabled-by-client-patch');
  const { token } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url });
  await app.sql.run(
    sql`update webhook_subscriptions set is_active = false, failure_count = 10 where id = ${id}`,
  );
  const { body } = await patch(token, id, { is_active: true });
  expect(body).toMatchObject({ is_active: true, failure_count: 0 });
});

test('a paused subscription receives nothing, and its events are failed until they are recovered', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  // One that is waiting when the pause begins, and one that happens during it.
  await app.request('POST', `/webhooks/${id}/test`, { token, body: {} });
  await patch(token, id, { is_active: false });
  await emitProposal(app, org_id);
  await app.drainQueue();
  expect(await listDeliveries(app, token, id)).toMatchObject(
    ['webhook.test', 'match.proposed'].map(() => ({
      status: 'failed',
      attempt: 0,
      error: 'subscription_inactive',
      next_attempt_at: null,
    })),
  );
  await patch(token, id, { is_active: true });
  await app.drainQueue();
  expect(receiver.received).toEqual([]);
  const recovered = await app.request('POST', `/webhooks/${id}/recover`, {
    token,
    body: { since: app.clock.now().toISOString() },
  });
  expect(recovered.body).toEqual({ recovered: 2, has_more: false });
  await app.drainQueue();
  expect(receiver.received).toHaveLength(2);
});

test('a change for an older version is refused and changes nothing', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url });
  const { headers } = await app.request('GET', `/webhooks/${id}`, { token });
  const ifMatch = { 'if-match': String(headers['etag']) };
  expect((await patch(token, id, { is_active: false }, ifMatch)).status).toBe(200);
  const late = await patch(token, id, { is_active: true }, ifMatch);
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  expect((await app.request('GET', `/webhooks/${id}`, { token })).body.is_active).toBe(false);
});

test.each([
  [{}, ''],
  [{ url: 'https://user@hooks.example.org/' }, '/url'],
  [{ events: [] }, '/events'],
  [{ events: ['nothing'] }, '/events/0'],
  [{ is_active: 'yes' }, '/is_active'],
  [{ secret: 'a-new-secret-of-mine' }, '/secret'],
  [{ failure_count: 0 }, '/failure_count'],
])('rejects %j at %j and changes nothing', async (body, pointer) => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url });
  const before = await app.request('GET', `/webhooks/${id}`, { token });
  const response = await patch(token, id, body);
  expect([response.status, response.body.code]).toEqual([422, 'field_invalid']);
  expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  expect((await app.request('GET', `/webhooks/${id}`, { token })).body).toEqual(before.body);
});

test('only an administrator of the same organisation may change a subscription', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await createSubscription(app, ours.token, { url });
  const body = { is_active: false };
  const foreign = await patch(theirs.token, id, body);
  expect([foreign.status, foreign.body.code]).toEqual([404, 'webhook_not_found']);
  expect((await patch(ours.token, unknownId, body)).status).toBe(404);
  const viewer = await createColleague(app, ours.org_id, 'org_viewer');
  expect((await patch(viewer.token, id, body)).body.code).toBe('role_not_allowed');
  expect((await patch(undefined, id, body)).status).toBe(401);
  expect((await app.request('GET', `/webhooks/${id}`, { token: ours.token })).body.is_active).toBe(true);
});
