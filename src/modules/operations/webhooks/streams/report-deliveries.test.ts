import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import {
  createSubscription,
  emitProposal,
  fetchStream,
  listDeliveries,
  openStream,
  reportStream,
} from '#test/modules/webhooks.ts';

const app = await startApp({ TESSERA_ACCESS_TOKEN_SECONDS: '99999999' });

/** Opens a stream, and fetches an event. */
async function fetchOne() {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await openStream(app, token);
  await emitProposal(app, org_id);
  await app.drainQueue();
  const { body } = await fetchStream(app, token, id);
  return { token, org_id, id, delivery: body.deliveries[0] as { id: string; attempt: number } };
}

test('a delivery that was accepted has its outcome in the list, and does not come again', async () => {
  const { token, id, delivery } = await fetchOne();
  expect((await reportStream(app, token, id, delivery, 204)).status).toBe(204);
  app.clock.advance(86_000_000);
  expect((await fetchStream(app, token, id)).body.deliveries).toEqual([]);
  expect(await listDeliveries(app, token, id)).toMatchObject([
    { id: delivery.id, status: 'delivered', attempt: 1, response_status: 204, duration_ms: 12 },
  ]);
});

test('one that failed comes again on the schedule of webhooks, and then has failed', async () => {
  const { token, id, delivery } = await fetchOne();
  await reportStream(app, token, id, delivery, null);
  for (const [index, minutes] of [1, 5, 15, 60, 120].entries()) {
    app.clock.advance(minutes * 60_000 - 1);
    expect((await fetchStream(app, token, id)).body.deliveries).toEqual([]);
    app.clock.advance(1);
    const [again] = (await fetchStream(app, token, id)).body.deliveries;
    expect(again).toMatchObject({ id: delivery.id, attempt: index + 1 });
    await reportStream(app, token, id, again, 500);
  }
  expect(await listDeliveries(app, token, id)).toMatchObject([
    { status: 'failed', attempt: 6, error: 'http_status' },
  ]);
  const recovery = { token, body: { since: '2020-01-01T00:00:00Z' } };
  expect((await app.request('POST', `/webhooks/${id}/recover`, recovery)).body.recovered).toBe(1);
  expect((await fetchStream(app, token, id)).body.deliveries).toHaveLength(1);
});

test('an attempt counts once, however often it is reported, and only for the stream that it was fetched from', async () => {
  const { token, id, delivery } = await fetchOne();
  const other = await openStream(app, token, { name: 'other' });
  expect((await reportStream(app, token, other.id, delivery, 200)).status).toBe(204);
  expect(await listDeliveries(app, token, id)).toMatchObject([{ status: 'pending', attempt: 0 }]);
  for (let repetition = 0; repetition < 3; repetition++) await reportStream(app, token, id, delivery, 500);
  expect(await listDeliveries(app, token, id)).toMatchObject([{ status: 'pending', attempt: 1 }]);
  app.clock.advance(60_000);
  const [again] = (await fetchStream(app, token, id)).body.deliveries;
  const outcome = { delivery_id: again.id, attempt: again.attempt, response_status: 500, duration_ms: 1 };
  const path = `/webhooks/streams/${id}/outcomes`;
  await app.request('POST', path, { token, body: { outcomes: [outcome, outcome] } });
  expect(await listDeliveries(app, token, id)).toMatchObject([{ status: 'pending', attempt: 2 }]);
  expect((await app.request('GET', `/webhooks/${id}`, { token })).body.failure_count).toBe(2);
});

test('a reply of 410 ends the delivery, and a reply that did not come in time is a timeout', async () => {
  const gone = await fetchOne();
  await reportStream(app, gone.token, gone.id, gone.delivery, 410);
  expect(await listDeliveries(app, gone.token, gone.id)).toMatchObject([{ status: 'failed', error: 'gone' }]);
  expect((await app.request('GET', `/webhooks/${gone.id}`, { token: gone.token })).body.is_active).toBe(true);
  const late = await fetchOne();
  const outcome = {
    delivery_id: late.delivery.id,
    attempt: 0,
    response_status: null,
    timed_out: true,
    duration_ms: 30_000,
  };
  const path = `/webhooks/streams/${late.id}/outcomes`;
  await app.request('POST', path, { token: late.token, body: { outcomes: [outcome] } });
  expect(await listDeliveries(app, late.token, late.id)).toMatchObject([
    { status: 'pending', error: 'timeout' },
  ]);
});

test('bad outcomes, strangers, viewers and other organisations change nothing', async () => {
  const { token, org_id, id, delivery } = await fetchOne();
  const theirs = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const webhook = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  expect((await reportStream(app, theirs.token, id, delivery, 200)).body.code).toBe('webhook_not_found');
  expect((await reportStream(app, token, webhook.id, delivery, 200)).body.code).toBe('webhook_not_found');
  expect((await reportStream(app, viewer.token, id, delivery, 200)).body.code).toBe('role_not_allowed');
  const path = `/webhooks/streams/${id}/outcomes`;
  expect((await app.request('POST', path, { body: { outcomes: [] } })).status).toBe(401);
  const bad = await app.request('POST', path, {
    token,
    body: { outcomes: [{ delivery_id: 'x', status: 7 }] },
  });
  expect(bad.status).toBe(422);
  expect(await listDeliveries(app, token, id)).toMatchObject([{ status: 'pending', attempt: 0 }]);
});
