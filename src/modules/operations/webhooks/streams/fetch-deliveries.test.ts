import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { endWaits, webhookMessages } from '#modules/operations/webhooks';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId, type TestApp } from '#test/harness.ts';
import {
  createSubscription,
  emitProposal,
  fetchStream,
  listDeliveries,
  openStream,
  reportStream,
} from '#test/modules/webhooks.ts';
import { verifyWebhook } from '../../../../web/assets/verify-webhook.js';
import { countWaits } from '../stream-waits.ts';

const app = await startApp({ TESSERA_RATE_LIMITS: 'off' });

test('an event is fetched with the signatures of a webhook, once, and again if nobody reports within 40 seconds', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id, secret } = await openStream(app, token);
  await emitProposal(app, org_id);
  await app.drainQueue();
  const { body } = await fetchStream(app, token, id);
  const [delivery] = body.deliveries;
  expect(delivery).toMatchObject({
    event_type: 'match.proposed',
    attempt: 0,
    headers: { 'webhook-id': delivery.id },
  });
  expect(verifyWebhook(delivery.body, delivery.headers, [secret])).toMatchObject({ type: 'match.proposed' });
  expect((await fetchStream(app, token, id)).body.deliveries).toEqual([]);
  app.clock.advance(39_000);
  expect((await fetchStream(app, token, id)).body.deliveries).toEqual([]);
  app.clock.advance(1_000);
  expect((await fetchStream(app, token, id)).body.deliveries).toMatchObject([
    { id: delivery.id, attempt: 0 },
  ]);
});

test('programs of one name share the events, and each name has all of them', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const [ada, ben] = [await openStream(app, token), await openStream(app, token, { name: 'ben' })];
  await emitProposal(app, org_id, { count: 4 });
  await app.drainQueue();
  const fetched = await Promise.all([1, 2].map(() => fetchStream(app, token, ada.id, { limit: 2 })));
  const ids = fetched.flatMap(({ body }) => body.deliveries.map((each: { id: string }) => each.id));
  expect(new Set(ids).size).toBe(4);
  expect((await fetchStream(app, token, ben.id, { limit: 20 })).body.deliveries).toHaveLength(4);
});

test('a program that waits is answered as soon as something is due, and what is due is fetched with the next request', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await openStream(app, token);
  const waiting = fetchStream(app, token, id, { wait_seconds: 25 });
  await waitUntilWaiting(app, org_id);
  await emitProposal(app, org_id);
  await app.drainQueue();
  expect((await waiting).body).toEqual({ deliveries: [] });
  expect((await fetchStream(app, token, id)).body.deliveries).toHaveLength(1);
});

test('ten programs of an organisation wait at once, and one more is refused', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await openStream(app, token);
  const waiting = Array.from({ length: 11 }, () => fetchStream(app, token, id, { wait_seconds: 25 }));
  // The only one that is answered before something is due is the one that is refused.
  const refused = await Promise.race(waiting);
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
  await emitProposal(app, org_id);
  await app.drainQueue();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
});

test('a paused stream, an address, and what does not exist have nothing to fetch', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await openStream(app, token);
  const webhook = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  const waiting = fetchStream(app, token, id, { wait_seconds: 25 });
  await waitUntilWaiting(app, org_id);
  await app.request('PATCH', `/webhooks/${id}`, { token, body: { is_active: false } });
  expect((await waiting).status).toBe(200);
  const refusals = [id, webhook.id, unknownId].map(
    async (each) => (await fetchStream(app, token, each)).body.code,
  );
  expect(await Promise.all(refusals)).toEqual(['webhook_inactive', 'webhook_not_found', 'webhook_not_found']);
});

test('a stream that fails rests, and then gets one delivery at a time', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await openStream(app, token);
  await emitProposal(app, org_id, { count: 6 });
  await app.drainQueue();
  const first = await fetchStream(app, token, id, { limit: 3 });
  for (const delivery of first.body.deliveries) await reportStream(app, token, id, delivery, 500);
  expect((await fetchStream(app, token, id)).body.deliveries).toEqual([]);
  app.clock.advance(500);
  const next = await fetchStream(app, token, id);
  expect(next.body.deliveries).toHaveLength(1);
  await reportStream(app, token, id, next.body.deliveries[0], 204);
  expect((await fetchStream(app, token, id)).body.deliveries).toHaveLength(2);
  const shown = await app.request('GET', `/webhooks/${id}`, { token });
  expect(shown.body).toMatchObject({ is_active: true, failure_count: 0 });
});

test('a made-up event of any kind comes to a stream, and to no address', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, secret } = await openStream(app, token, { events: ['job.closed'] });
  const { events } = (await app.request('GET', '/webhooks/events', { token })).body;
  for (const event of events as string[]) {
    const sent = await app.request('POST', `/webhooks/${id}/test`, { token, body: { event } });
    expect([sent.status, sent.body.event_type]).toEqual([200, event]);
    const [delivery] = (await fetchStream(app, token, id)).body.deliveries;
    const read = verifyWebhook(delivery.body, delivery.headers, [secret]);
    expect(read?.type).toBe(event);
    const schema = webhookMessages.find(({ name }) => name === event)?.body.properties.data;
    expect(schema && Value.Check(schema, read?.data)).toBe(true);
  }
  const webhook = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  const refused = await app.request('POST', `/webhooks/${webhook.id}/test`, {
    token,
    body: { event: 'job.closed' },
  });
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/event']);
  expect(await listDeliveries(app, token, webhook.id)).toEqual([]);
});

test('strangers, viewers and other organisations fetch nothing', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await openStream(app, ours.token);
  const viewer = await createColleague(app, ours.org_id, 'org_viewer');
  expect((await fetchStream(app, theirs.token, id)).body.code).toBe('webhook_not_found');
  expect((await fetchStream(app, viewer.token, id)).body.code).toBe('role_not_allowed');
  expect((await app.request('POST', `/webhooks/streams/${id}/deliveries`, { body: {} })).status).toBe(401);
  expect((await fetchStream(app, ours.token, id, { limit: 21, wait_seconds: 26 })).body.errors).toHaveLength(
    2,
  );
});

test('a process that stops answers what waits, and lets nothing wait any more', async () => {
  const stopping = await startApp();
  const { token, org_id } = await stopping.registerOrgAdmin();
  const { id } = await openStream(stopping, token);
  const waiting = fetchStream(stopping, token, id, { wait_seconds: 25 });
  await waitUntilWaiting(stopping, org_id);
  endWaits(stopping.platform);
  expect((await waiting).body).toEqual({ deliveries: [] });
  expect((await fetchStream(stopping, token, id, { wait_seconds: 25 })).body).toEqual({ deliveries: [] });
});

/** Waits until a request of the organisation waits for events: what happens next finds it waiting. */
async function waitUntilWaiting(of: TestApp, org_id: string): Promise<void> {
  await expect.poll(() => countWaits(of.platform, org_id), { interval: 5 }).toBe(1);
}
