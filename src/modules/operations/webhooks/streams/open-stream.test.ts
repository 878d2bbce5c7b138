import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createSubscription, openStream } from '#test/modules/webhooks.ts';

const app = await startApp();

test('a stream is opened once by its name, and keeps its secret unless another is chosen', async () => {
  const { token } = await app.registerOrgAdmin();
  const first = await openStream(app, token, { events: ['match.accepted'] });
  expect(first).toMatchObject({ url: 'stream:ada', events: ['match.accepted'], is_active: true });
  const again = await openStream(app, token);
  expect(again).toMatchObject({ id: first.id, secret: first.secret });
  expect(again).toHaveProperty(
    'events.length',
    (await app.request('GET', '/webhooks/events', { token })).body.events.length,
  );
  const chosen = await openStream(app, token, { secret: 'a-secret-of-our-own' });
  expect(chosen).toMatchObject({ id: first.id, secret: 'a-secret-of-our-own' });
  const listed = await app.request('GET', '/webhooks/', { token });
  expect(listed.body.data.map(({ url }: { url: string }) => url)).toEqual(['stream:ada']);
  const other = await app.registerOrgAdmin();
  expect((await openStream(app, other.token)).id).not.toBe(first.id);
});

test('an organisation has ten streams, and twenty subscriptions with them', async () => {
  const { token } = await app.registerOrgAdmin();
  for (let number = 0; number < 10; number++) await openStream(app, token, { name: `s${number}` });
  await expect(openStream(app, token, { name: 'more' })).rejects.toThrow('stream_limit_reached');
  await openStream(app, token, { name: 's9' });
  const full = await app.registerOrgAdmin();
  for (let number = 0; number < 20; number++)
    await createSubscription(app, full.token, { url: `https://hooks.example.org/${number}` });
  await expect(openStream(app, full.token)).rejects.toThrow('webhook_limit_reached');
});

test('a stream is paused by an administrator, cannot become an address, and is deleted like a webhook', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id } = await openStream(app, token);
  const change = (body: object) => app.request('PATCH', `/webhooks/${id}`, { token, body });
  const moved = await change({ url: 'https://hooks.example.org/' });
  expect([moved.status, moved.body.errors[0].pointer]).toEqual([422, '/url']);
  expect((await change({ is_active: false })).body.is_active).toBe(false);
  expect(await openStream(app, token)).toMatchObject({ id, is_active: true });
  expect((await app.request('DELETE', `/webhooks/${id}`, { token })).status).toBe(204);
  expect((await openStream(app, token)).id).not.toBe(id);
});

test('bad names, bad secrets, strangers and viewers are refused', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const open = (body: object, own?: string) =>
    app.request('POST', '/webhooks/streams', { body, ...(own !== undefined && { token: own }) });
  const bad = await open({ name: 'Ada’s laptop', secret: 'whsec_short', events: ['match.lost'] }, token);
  expect([bad.status, bad.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    expect.arrayContaining(['/name', '/events/0']),
  ]);
  expect((await open({ name: 'ada' })).status).toBe(401);
  const viewer = await createColleague(app, org_id, 'org_viewer');
  expect((await open({ name: 'ada' }, viewer.token)).body.code).toBe('role_not_allowed');
});
