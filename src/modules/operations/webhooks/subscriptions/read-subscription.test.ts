import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createSubscription } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

test('every user of the organisation reads a subscription, without its secret and with an ETag', async () => {
  proves('webhook-get-endpoint-jwt');
  const admin = await app.registerOrgAdmin();
  const { secret, ...subscription } = await createSubscription(app, admin.token, {
    url: 'https://hooks.example.org/',
  });
  const readers = [
    admin,
    await createColleague(app, admin.org_id, 'org_viewer'),
    await createColleague(app, admin.org_id, 'auditor'),
  ];
  for (const { token } of readers) {
    const { status, body, headers } = await app.request('GET', `/webhooks/${subscription.id}`, { token });
    expect([status, body]).toEqual([200, subscription]);
    expect(headers['etag']).toMatch(/^"/);
    expect(JSON.stringify(body)).not.toContain(secret);
  }
});

test('an unknown subscription, one of another organisation and a malformed id are refused', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await createSubscription(app, theirs.token, { url: 'https://hooks.example.org/' });
  for (const each of [id, unknownId]) {
    const { status, body } = await app.request('GET', `/webhooks/${each}`, { token: ours.token });
    expect([status, body.code]).toEqual([404, 'webhook_not_found']);
  }
  expect((await app.request('GET', '/webhooks/not-an-id', { token: ours.token })).status).toBe(422);
  expect((await app.request('GET', `/webhooks/${id}`)).status).toBe(401);
});
