import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { fillSandbox } from '../../../demo/fill-sandbox.ts';
import { startApp } from '#test/harness.ts';
import { fetchStream, openStream } from '#test/modules/webhooks.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';

const day_s = 86_400;
const app = await startApp({
  TESSERA_SANDBOX: 'on',
  TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
  TESSERA_PAYOUT_HOLD_SECONDS: '7200',
});
let key: string;
let password: string;
let member: string;

const logIn = async (email: string, password: string): Promise<string> =>
  (await app.request('POST', '/auth/login', { body: { email, password } })).body.access_token;

beforeAll(async () => {
  // The queue goes by the time of the database, which a sandbox has as well.
  app.clock.set(new Date());
  const filled = await fillSandbox(
    { platform: app.platform, server: app.server },
    { members: '30' },
    { write: () => true },
  );
  ({ key, password } = filled!);
  member = await logIn('member-1@sandbox.example', password);
  await app.platform.queue.startWorkers(app.platform);
});

const readSandbox = async (token = key) => (await app.request('GET', '/sandbox', { token })).body;
const advance = (advance_seconds: unknown, token = key) =>
  app.request('POST', '/sandbox/clock', { token, body: { advance_seconds } });

/** Advances the clock, and waits as a program does. */
async function advanceAndWait(advance_seconds: number): Promise<void> {
  const { status, body } = await advance(advance_seconds);
  expect([status, body.status]).toEqual([202, 'queued']);
  const readTask = async () => (await app.request('GET', `/tasks/${body.task_id}`, { token: key })).body;
  await expect.poll(async () => (await readTask()).status, { timeout: 120_000 }).toBe('succeeded');
  expect((await readTask()).progress).toEqual({ done: advance_seconds, total: advance_seconds });
}

test('time passes for what waits, and no further than it was advanced', async () => {
  const before = await readSandbox();
  await advanceAndWait(3_600);
  const after = await readSandbox();
  expect(after.ahead_seconds - before.ahead_seconds).toBe(3_600);
  expect(new Date(after.now).getTime()).toBe(app.clock.now().getTime() + after.ahead_seconds * 1_000);
  expect(after).toMatchObject({ seed: 1, members: 30 });
});

test('a failing endpoint gets every attempt at its own time, all of them before the clock has arrived', async () => {
  const receiver = await startWebhookReceiver();
  receiver.reply = (response) => response.writeHead(500).end('no');
  const administrator = await app.registerOrgAdmin();
  const { body: webhook } = await app.request('POST', '/webhooks', {
    token: administrator.token,
    body: { url: receiver.url, events: ['match.proposed'] },
  });
  await app.request('POST', `/webhooks/${webhook.id}/test`, { token: administrator.token, body: {} });
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1);
  await advanceAndWait(day_s);
  expect(receiver.received).toHaveLength(6);
  const { body } = await app.request('GET', `/webhooks/${webhook.id}/deliveries`, {
    token: await logIn(administrator.email, administrator.password),
  });
  expect(body.data).toMatchObject([{ status: 'failed', attempt: 6 }]);
  const { headers, text } = receiver.received[0]!;
  expect(headers['x-service-sandbox']).toBe('true');
  expect(JSON.parse(text)).toMatchObject({ sandbox: true, type: 'webhook.test' });
  // Receivers compare this time with that of the world.
  expect(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - app.clock.now().getTime())).toBeLessThan(
    60_000,
  );
});

test('what runs every night has run, and is due the night after the new time', async () => {
  const findNight = () =>
    app.sql.one(
      sql<{ due_at: Date }>`select due_at from task_schedules where name = 'books.checkBooksNightly'`,
    );
  const before = await findNight();
  await advanceAndWait(30 * day_s);
  const ahead_ms = (await findNight()).due_at.getTime() - app.platform.now().getTime();
  expect([ahead_ms > 0, ahead_ms <= day_s * 1_000]).toEqual([true, true]);
  expect(before.due_at.getTime()).toBeLessThan(app.platform.now().getTime());
});

test('income of a paid read is held for its hours of the test clock', async () => {
  const { email, member_id } = await matchMember();
  const payment = Buffer.from(JSON.stringify({ tx_hash: randomUUID(), timestamp: 0 })).toString('base64');
  const paid = await app.request('POST', '/orgs/queries/credential', {
    token: key,
    body: { member_id, data_type: 'trait_profile' },
    headers: { 'payment-signature': payment },
  });
  expect(paid.status).toBe(200);
  const readHeld = async () => {
    const token = await logIn(email, password);
    return (await app.request('GET', '/members/me/earnings', { token })).body.pending_amount as number;
  };
  expect(await readHeld()).toBeGreaterThan(0);
  await advanceAndWait(7_140);
  expect(await readHeld()).toBeGreaterThan(0);
  await advanceAndWait(60);
  expect(await readHeld()).toBe(0);
});

/** Creates a job, and finds a member with an account on its list: the address, and the id by which the organisation knows the member. */
async function matchMember(): Promise<{ readonly email: string; readonly member_id: string }> {
  const body = {
    title: 'Nurse',
    outcome_description: 'Patients recover.',
    trait_priorities: { persistence: 1 },
  };
  const job = await app.request('POST', '/orgs/me/jobs', { token: key, body });
  const findMatch = () =>
    app.sql.find(sql<{ id: string; email: string }>`
      select matches.id, email from matches join users on users.member_id = matches.member_id
      where job_id = ${job.body.id} order by email limit 1`);
  await expect.poll(findMatch, { timeout: 20_000 }).toBeDefined();
  const { id, email } = (await findMatch())!;
  const match = await app.request('GET', `/matches/${id}`, { token: key });
  return { email, member_id: match.body.member_id };
}

test('an access token says that it has expired, and the service key goes on', async () => {
  const expired = await app.request('GET', '/members/me/engagement', { token: member });
  expect([expired.status, expired.body.code]).toEqual([401, 'token_expired']);
  expect((await app.request('GET', '/orgs/me', { token: key })).status).toBe(200);
});

test.each([
  [0, 409, 'clock_backwards'],
  [-60, 409, 'clock_backwards'],
  [32 * day_s, 422, 'field_invalid'],
  ['soon', 422, 'field_invalid'],
  [1.5, 422, 'field_invalid'],
])('an advance by %s is refused and moves nothing', async (advance_seconds, status, code) => {
  const before = await readSandbox();
  const reply = await advance(advance_seconds);
  expect([reply.status, reply.body.code]).toEqual([status, code]);
  expect((await readSandbox()).ahead_seconds).toBe(before.ahead_seconds);
});

test('members and strangers do not move the clock, and the operator does', async () => {
  const { token } = await app.registerMember();
  expect((await advance(60, token)).body.code).toBe('role_not_allowed');
  expect((await app.request('POST', '/sandbox/clock', { body: { advance_seconds: 60 } })).status).toBe(401);
  const operator = await app.registerPlatformAdmin();
  expect((await readSandbox(operator.token)).members).toBe(30);
});

test('a stream that a program used within a day of real time outlives any advance, and one that is unused for longer goes', async () => {
  // Last, because the time of the database does not go with that of the world here.
  const [used, left] = [
    await openStream(app, key, { name: 'used' }),
    await openStream(app, key, { name: 'left' }),
  ];
  app.clock.advance(day_s * 1_000);
  expect((await fetchStream(app, key, used.id)).status).toBe(200);
  app.clock.advance(1);
  await advanceAndWait(2 * day_s);
  expect((await fetchStream(app, key, used.id)).status).toBe(200);
  expect((await fetchStream(app, key, left.id)).body.code).toBe('webhook_not_found');
});
