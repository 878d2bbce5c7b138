import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  clearQueue,
  createSubscription,
  deliverDue,
  emitProposal,
  listDeliveries,
} from '#test/modules/webhooks.ts';
import { runTask } from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts';
import type { TestSubscription } from '#test/modules/webhooks.ts';
import type { TestOrgUser } from '#test/users.ts';

let admin: TestOrgUser;
let receiver: WebhookReceiver;
let subscription: TestSubscription;
const app = await startApp({
  TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
  TESSERA_ACCESS_TOKEN_SECONDS: '99999999',
});
beforeEach(async () => {
  await clearQueue(app);
  admin = await app.registerOrgAdmin();
  receiver = await startWebhookReceiver();
  subscription = await createSubscription(app, admin.token, { url: receiver.url });
  receiver.secrets = [subscription.secret];
});

const readSubscription = async () =>
  (await app.request('GET', `/webhooks/${subscription.id}`, { token: admin.token })).body;
const readDeliveries = () => listDeliveries(app, admin.token, subscription.id);
const sendTest = () =>
  app.request('POST', `/webhooks/${subscription.id}/test`, { token: admin.token, body: {} });

test('an event is sent by POST with the headers and the signature of the specification', async () => {
  proves('webhook-delivery-by-https-post');
  await emitProposal(app, admin.org_id);
  await app.drainQueue();
  const [delivery] = await readDeliveries();
  expect(receiver.received).toHaveLength(1);
  const { headers, event, text } = receiver.received[0]!;
  expect(event).toMatchObject({ id: delivery.event_id, type: 'match.proposed' });
  expect(text).toBe(delivery.request_body);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(text.length),
    'user-agent': 'Tessera',
    'x-service-delivery': delivery.id,
    'x-service-event': 'match.proposed',
    'webhook-id': delivery.id,
  });
});

test('a receiver that refuses the signature with 401 makes the attempt fail', async () => {
  proves('webhook-receiver-answers-401-on-bad-signature');
  receiver.secrets = ['another-secret-altogether'];
  await sendTest();
  await deliverDue(app, subscription);
  expect(await readDeliveries()).toMatchObject([
    {
      status: 'pending',
      response_status: 401,
      error: 'http_status',
      response_excerpt: 'the signature is wrong',
    },
  ]);
});

test('failures are retried on schedule with the same X-Service-Delivery, and after five retries it has failed', async () => {
  proves(
    'webhook-retry-delays',
    'webhook-delivery-failed-after-five-retries',
    'webhook-retry-may-repeat-event',
  );
  receiver.reply = (response) => response.writeHead(500).end('try later');
  await sendTest();
  const waits_s: (number | null)[] = [];
  for (let attempt = 1; attempt <= 6; attempt++) {
    await deliverDue(app, subscription);
    await deliverDue(app, subscription);
    const [delivery] = await readDeliveries();
    expect(delivery.attempt).toBe(attempt);
    const next = delivery.next_attempt_at;
    waits_s.push(next && (new Date(next).getTime() - app.clock.now().getTime()) / 1000);
    if (next === null) break;
    app.clock.set(new Date(new Date(next).getTime() - 1));
    await deliverDue(app, subscription);
    expect((await readDeliveries())[0].attempt).toBe(attempt);
    app.clock.advance(1);
  }
  expect(waits_s).toEqual([60, 300, 900, 3_600, 7_200, null]);
  expect(await readDeliveries()).toMatchObject([
    {
      status: 'failed',
      attempt: 6,
      attempts: Array.from({ length: 6 }, () => ({ response_status: 500, error: 'http_status' })),
    },
  ]);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  expect(receiver.received).toHaveLength(6);
});

test('the queue makes the retries, and a success ends them', async () => {
  let attempts = 0;
  receiver.reply = (response) => response.writeHead(++attempts < 4 ? 503 : 204).end();
  await sendTest();
  await app.drainQueue();
  expect(await readDeliveries()).toMatchObject([{ status: 'delivered', attempt: 4, response_status: 204 }]);
  expect(await readSubscription()).toMatchObject({ is_active: true, failure_count: 0 });
});

test('a retry is queued once for the time of the next attempt', async () => {
  receiver.reply = (response) => response.writeHead(503).end();
  await sendTest();
  await clearQueue(app);
  for (let run = 0; run < 3; run++) await deliverDue(app, subscription);
  const queued = await app.sql.list(sql<{ due_at: Date }>`
    select due_at from tasks where name = 'webhooks.deliverEvents' and data->>'subscription_id' = ${subscription.id}`);
  const [delivery] = await readDeliveries();
  expect(queued.map(({ due_at }) => due_at.toISOString())).toEqual([delivery.next_attempt_at]);
});

describe('ten failures in a row', () => {
  test('deactivate the subscription, end what waits and tell the administrators by email', async () => {
    proves('webhook-ten-consecutive-failures-deactivate');
    receiver.reply = (response) => response.writeHead(500).end();
    for (let number = 0; number < 12; number++) await sendTest();
    await deliverThroughRests();
    expect(await readSubscription()).toMatchObject({ is_active: false, failure_count: 10 });
    const deliveries = await readDeliveries();
    expect(deliveries.every(({ status }) => status === 'failed')).toBe(true);
    // Five requests were in progress when the first failed, and then one at a time.
    expect(receiver.received).toHaveLength(10);
    await clearQueueExceptMails();
    await app.drainQueue();
    const mails = (await app.readMails()).filter(({ to }) => to.includes(admin.email));
    expect(mails.map(({ subject }) => subject)).toContain('A webhook of your organisation was deactivated');
    expect(mails.at(-1)!.text).toContain(subscription.id);
    const log = await app.request('GET', '/audit-log?action=webhooks.deactivated', { token: admin.token });
    expect(log.body.data).toMatchObject([
      { detail: { subscription_id: subscription.id, reason: 'failures' } },
    ]);
  });

  test('with a success among them do not', async () => {
    let attempts = 0;
    receiver.reply = (response) => response.writeHead(++attempts % 9 === 0 ? 200 : 500).end();
    for (let number = 0; number < 12; number++) await sendTest();
    await deliverThroughRests();
    expect(await readSubscription()).toMatchObject({ is_active: true, failure_count: 3 });
    expect(receiver.received).toHaveLength(12);
  });

  test('take twenty seconds, so that a server that restarts during a burst loses nothing and stays active', async () => {
    receiver.reply = (response) => response.writeHead(503).end();
    await emitProposal(app, admin.org_id, { count: 20 });
    await distribute();
    const sent: number[] = [];
    for (let second = 0; second <= 20; second++) {
      await deliverDue(app, subscription);
      sent.push(receiver.received.length);
      app.clock.advance(1_000);
    }
    // Five at once, and then one after 2, 4, 5 and 5 seconds.
    expect([sent[0], sent[2], sent[6], sent[11], sent[16], sent[20]]).toEqual([5, 6, 7, 8, 9, 9]);
    expect(await readSubscription()).toMatchObject({ is_active: true, failure_count: 9 });
    receiver.reply = (response) => response.end();
    await deliverThroughRests();
    expect(await readSubscription()).toMatchObject({ is_active: true, failure_count: 0 });
    await app.drainQueue();
    const deliveries = await readDeliveries();
    expect(deliveries).toHaveLength(20);
    expect(deliveries.every(({ status }) => status === 'delivered')).toBe(true);
  });

  test('and a rest after them: single faults let the others go on, and a test, a replay and a new URL end it', async () => {
    const path = `/webhooks/${subscription.id}`;
    const { token } = admin;
    receiver.reply = (response) => response.writeHead(503).end();
    await emitProposal(app, admin.org_id, { count: 5 });
    await distribute();
    await deliverDue(app, subscription);
    const [{ id }] = await readDeliveries();
    const endings = {
      test: () => sendTest(),
      replay: () => app.request('POST', `${path}/deliveries/${id}/replay`, { token, body: {} }),
      url: () => app.request('PATCH', path, { token, body: { url: `${receiver.url}/new` } }),
    };
    for (const [name, end] of Object.entries(endings)) {
      await emitProposal(app, admin.org_id);
      await distribute();
      receiver.received.length = 0;
      await deliverDue(app, subscription);
      expect([name, receiver.received.length]).toEqual([name, 0]);
      expect([name, (await end()).status]).toEqual([name, 200]);
      await deliverDue(app, subscription);
      expect([name, receiver.received.length > 0]).toEqual([name, true]);
    }
  });
});

/** Makes what waits for the endpoint be sent, and lets the time of its rests pass; less than a minute in all, so that nothing is retried. */
async function deliverThroughRests(): Promise<void> {
  for (let rest = 0; rest < 11; rest++) {
    await deliverDue(app, subscription);
    app.clock.advance(5_000);
  }
}

/** Writes the deliveries of emitted events, and sends none. */
async function distribute(): Promise<void> {
  const { distributeToOrganisation } = await import('./distribute-event.ts');
  const rows = await app.sql.list(sql<{ event_id: string }>`
    delete from tasks where name = ${distributeToOrganisation.name} returning event_id`);
  await runTask(app, distributeToOrganisation, {} as never, {
    event_ids: rows.map(({ event_id }) => event_id),
  });
}

async function clearQueueExceptMails(): Promise<void> {
  await app.sql.run(sql`delete from tasks where name <> 'webhooks.sendDeactivation'`);
}

test('status 410 ends the delivery and deactivates the subscription', async () => {
  receiver.reply = (response) => response.writeHead(410).end();
  await sendTest();
  await deliverDue(app, subscription);
  expect(await readDeliveries()).toMatchObject([{ status: 'failed', attempt: 1, error: 'gone' }]);
  expect(await readSubscription()).toMatchObject({ is_active: false, failure_count: 1 });
});

test('Retry-After delays the next attempt, and by two hours at most', async () => {
  const measureWait = async (header: string) => {
    receiver.reply = (response) => response.writeHead(429, { 'retry-after': header }).end();
    await sendTest();
    await deliverDue(app, subscription);
    const [{ next_attempt_at }] = await readDeliveries();
    app.clock.advance(1);
    return Math.round((new Date(next_attempt_at).getTime() - app.clock.now().getTime()) / 1000);
  };
  expect(await measureWait('600')).toBe(600);
  expect(await measureWait('5')).toBe(60);
  expect(await measureWait('99999')).toBe(7_200);
  expect(await measureWait('nonsense')).toBe(60);
});

test('an endpoint has five requests in progress and never more, and one run sends everything that is due', async () => {
  const held: (() => void)[] = [];
  let most = 0;
  receiver.reply = (response) => {
    held.push(() => response.end());
    most = Math.max(most, held.length);
    if (held.length === 5) for (const release of held.splice(0)) release();
  };
  for (let number = 0; number < 30; number++) await sendTest();
  await deliverDue(app, subscription);
  expect([most, held.length, receiver.received.length]).toEqual([5, 0, 30]);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(30);
});

test('an endpoint that does not reply delays no other, and a run for it finds what came meanwhile', async () => {
  const other = await app.registerOrgAdmin();
  const healthy = await startWebhookReceiver();
  const theirs = await createSubscription(app, other.token, { url: healthy.url });
  const held: (() => void)[] = [];
  receiver.reply = (response) => void held.push(() => response.end());
  await sendTest();
  const hanging = deliverDue(app, subscription);
  await expect.poll(() => held.length).toBe(1);
  await app.request('POST', `/webhooks/${theirs.id}/test`, { token: other.token, body: {} });
  await deliverDue(app, theirs);
  expect(healthy.received).toHaveLength(1);
  // A second run of the same subscription only wakes the first.
  await sendTest();
  await deliverDue(app, subscription);
  await expect.poll(() => held.length).toBe(2);
  for (const release of held) release();
  await hanging;
  expect((await readDeliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
});

test('an event that comes during a run is sent by it, beside the request that hangs', async () => {
  const held: (() => void)[] = [];
  receiver.reply = (response) => void held.push(() => response.end());
  await sendTest();
  const hanging = deliverDue(app, subscription);
  await expect.poll(() => held.length).toBe(1);
  await clearQueue(app);
  await emitProposal(app, admin.org_id);
  // Its task only wakes the run, and has ended before a reply comes.
  await app.drainQueue();
  await expect.poll(() => held.length).toBe(2);
  for (const release of held) release();
  await hanging;
  expect((await readDeliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
});

test('after a rotation, a new URL or a pause, nothing that was claimed before is sent as before', async () => {
  const path = `/webhooks/${subscription.id}`;
  const { token } = admin;
  const other = await startWebhookReceiver();
  const changes = {
    rotation: () => app.request('POST', `${path}/rotate-secret`, { token, body: { overlap_seconds: 0 } }),
    url: () => app.request('PATCH', path, { token, body: { url: other.url } }),
    pause: () => app.request('PATCH', path, { token, body: { is_active: false } }),
  };
  for (const [name, change] of Object.entries(changes)) {
    const held: (() => void)[] = [];
    const endpoint = name === 'pause' ? other : receiver;
    endpoint.received.length = 0;
    endpoint.reply = (response) => void held.push(() => response.end());
    for (let number = 0; number < 12; number++) await sendTest();
    const running = deliverDue(app, subscription);
    await expect.poll(() => held.length).toBe(5);
    const { status, body } = await change();
    expect([name, status]).toEqual([name, 200]);
    endpoint.reply = (response) => response.end();
    if (name === 'rotation') receiver.secrets = [body.secret];
    for (const release of held) release();
    await running;
    const expected = { rotation: [12, 0], url: [5, 7], pause: [0, 5] }[name as keyof typeof changes];
    expect([name, receiver.received.length, other.received.length]).toEqual([name, ...expected]);
    receiver.received.length = 0;
    other.received.length = 0;
  }
  const statuses = (await readDeliveries()).map(({ status }) => status);
  expect([statuses.length, statuses.includes('pending')]).toEqual([36, false]);
});

test('a run whose time is over leaves what comes meanwhile to a new task', async () => {
  await sendTest();
  await clearQueue(app);
  const stopping = new AbortController();
  const stopped = { ...app.platform, signal: stopping.signal, reportProgress: async () => undefined };
  const { deliverEvents } = await import('./deliver-events.ts');
  const { id: subscription_id, org_id } = subscription;
  const continueRun = async (response: ServerResponse) => {
    receiver.reply = (later) => later.end();
    stopping.abort();
    await sendTest();
    await clearQueue(app);
    await deliverDue(app, subscription);
    response.end();
  };
  receiver.reply = (response) => void continueRun(response);
  await expect(deliverEvents.run(stopped, { org_id, subscription_id })).rejects.toThrow('aborted');
  expect(receiver.received).toHaveLength(1);
  await app.drainQueue();
  expect((await readDeliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
});

test('a claim of a worker that was lost ends, and the delivery is sent again', async () => {
  await sendTest();
  await app.sql.run(sql`
    update webhook_deliveries set next_attempt_at = ${new Date(app.clock.now().getTime() + 40_000)}
    where subscription_id = ${subscription.id}`);
  await clearQueue(app);
  await deliverDue(app, subscription);
  expect(receiver.received).toEqual([]);
  await app.drainQueue();
  expect(receiver.received).toHaveLength(1);
});

test('a run that must stop sends nothing more and leaves the rest to another', async () => {
  await sendTest();
  const { deliverEvents } = await import('./deliver-events.ts');
  const stopped = { ...app.platform, signal: AbortSignal.abort(), reportProgress: async () => undefined };
  const { id: subscription_id, org_id } = subscription;
  await expect(deliverEvents.run(stopped, { org_id, subscription_id })).rejects.toThrow(
    'This operation was aborted',
  );
  expect(receiver.received).toEqual([]);
  await deliverDue(app, subscription);
  expect(receiver.received).toHaveLength(1);
});
