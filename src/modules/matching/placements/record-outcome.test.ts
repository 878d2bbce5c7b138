import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createAcceptedMatch,
  createMatch,
  day_ms,
  sendOutcome,
  type TestMatch,
} from '#test/modules/feedback.ts';
import { forceMatchStatus, listStoredMatches } from '#test/modules/matching.ts';
import { createSubscription } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';
import { logInAgain } from '#test/users.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';
import { outcomes_max } from './rules.ts';

let match: TestMatch;
const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
beforeEach(async () => {
  match = await createAcceptedMatch(app);
});

afterEach(() => void vi.useRealTimers());

const addDays = (days: number) => new Date(app.clock.now().getTime() + days * day_ms).toISOString();

const record = (body: object, token?: string) => sendOutcome(app, match, body, token);

const listOutcomes = (token = match.org.token) =>
  app.request('GET', `/matches/${match.match_id}/outcomes`, { token });

const readStatus = async ({ job_id, match_id } = match) =>
  (await listStoredMatches(app, job_id)).find(({ id }) => id === match_id)!.match_status;

const listEvents = (type: string) =>
  app.sql.list(
    sql`select type, data from events where type like ${type} and data->>'match_id' = ${match.match_id} order by created_at`,
  );

describe('an administrator of the organisation', () => {
  it('records a placement, which moves the match and which both sides read', async () => {
    proves('feedback-outcome-endpoint-jwt');
    const body = { outcome: 'placed', placed_at: addDays(7), ended_at: addDays(372), reason: 'Ward four.' };
    const reply = await record(body);
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        id: expect.any(String),
        match_id: match.match_id,
        ...body,
        match_status: 'placed',
        corrects_date: false,
        recorded_at: app.clock.now().toISOString(),
      },
    ]);
    expect(await readStatus()).toBe('placed');
    for (const { token } of [match.org, match.member])
      expect((await listOutcomes(token)).body).toEqual({ data: [reply.body] });
    const entries = await app.sql.list(sql`
      select action, actor_user_id, org_id, member_id, detail from audit_log
      where detail->>'match_id' = ${match.match_id} and action like 'feedback.%'`);
    expect(entries).toEqual([
      {
        action: 'feedback.outcome_recorded',
        actor_user_id: match.org.user_id,
        org_id: match.org.org_id,
        member_id: match.member.member_id,
        detail: { match_id: match.match_id, outcome: 'placed' },
      },
    ]);
  });

  it('records that nothing came of a match, which closes it without an event of a placement', async () => {
    const { status, body } = await record({ outcome: 'not_placed', reason: 'The shifts did not suit.' });
    expect([status, body.match_status, body.placed_at, body.ended_at]).toEqual([201, 'closed', null, null]);
    expect(await readStatus()).toBe('closed');
    expect(await listEvents('placement.%')).toEqual([]);
  });

  it('records it as well for a match that was closed before', async () => {
    const token = match.org.token;
    await app.request('PUT', `/matches/${match.match_id}/status`, { token, body: { status: 'closed' } });
    expect((await record({ outcome: 'not_placed' })).status).toBe(201);
    expect((await record({ outcome: 'not_placed' })).body.code).toBe('outcome_conflict');
    expect((await record({ outcome: 'placed' })).body.code).toBe('match_status_conflict');
  });

  it('records extensions and the end of a placement, and every earlier record stays', async () => {
    await record({ outcome: 'placed', placed_at: addDays(-10), ended_at: addDays(100) });
    await record({ outcome: 'extended', ended_at: addDays(200) });
    await record({ outcome: 'extended' });
    await record({ outcome: 'left', ended_at: addDays(-1), reason: 'Moved away.' });
    const { data } = (await listOutcomes()).body;
    const dates = data.map(({ outcome, placed_at, ended_at }: Record<string, unknown>) => [
      outcome,
      placed_at,
      ended_at,
    ]);
    expect(dates).toEqual([
      ['placed', addDays(-10), addDays(100)],
      ['extended', addDays(-10), addDays(200)],
      ['extended', addDays(-10), null],
      ['left', addDays(-10), addDays(-1)],
    ]);
    expect(await readStatus()).toBe('placed');
  });

  it('need not say when a placement starts or ends if that is now', async () => {
    const now = app.clock.now().toISOString();
    expect((await record({ outcome: 'placed' })).body).toMatchObject({ placed_at: now, ended_at: null });
    app.clock.advance(day_ms);
    const { body } = await record({ outcome: 'left' }, await logInAgain(app, match.org));
    expect(body.ended_at).toBe(app.clock.now().toISOString());
  });

  it('can repeat a request with its Idempotency-Key', async () => {
    const send = () =>
      app.request('POST', `/matches/${match.match_id}/outcome`, {
        token: match.org.token,
        body: { outcome: 'placed' },
        headers: { 'idempotency-key': 'outcome-1' },
      });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await listOutcomes()).body.data).toHaveLength(1);
  });
});

it('a platform administrator records outcomes for the organisation', async () => {
  const { token } = await app.registerPlatformAdmin();
  expect((await record({ outcome: 'placed' }, token)).status).toBe(201);
  expect((await listOutcomes(token)).body.data).toHaveLength(1);
});

describe('refuses, and changes nothing,', () => {
  const expectUnchanged = async (count: number) =>
    expect(
      await app.sql.list(sql`select from match_outcomes where match_id = ${match.match_id}`),
    ).toHaveLength(count);

  it('an outcome before the member has accepted, or after the match has ended', async () => {
    const early = await createMatch(app);
    for (const status of [
      'pending_review',
      'org_interested',
      'org_passed',
      'member_declined',
      'expired',
      'withdrawn',
    ]) {
      await forceMatchStatus(app, early.match_id, status);
      for (const outcome of ['placed', 'not_placed', 'left', 'extended']) {
        const reply = await sendOutcome(app, early, { outcome });
        expect([status, outcome, reply.status, reply.body.code]).toEqual([
          status,
          outcome,
          409,
          'match_status_conflict',
        ]);
      }
      expect(await readStatus(early)).toBe(status);
    }
  });

  it('an outcome that does not follow from the last one', async () => {
    for (const outcome of ['left', 'extended'])
      expect((await record({ outcome })).body.code).toBe('outcome_conflict');
    expect(await readStatus()).toBe('member_accepted');
    await record({ outcome: 'placed' });
    for (const outcome of ['placed', 'not_placed']) expect((await record({ outcome })).status).toBe(409);
    await record({ outcome: 'left' });
    for (const outcome of ['placed', 'not_placed', 'left', 'extended'])
      expect((await record({ outcome })).status).toBe(409);
    await expectUnchanged(2);
  });

  it('dates in the wrong order or far away, and names the field', async () => {
    const cases = [
      [{ outcome: 'placed', placed_at: addDays(10), ended_at: addDays(9) }, '/ended_at'],
      [{ outcome: 'placed', placed_at: addDays(400) }, '/placed_at'],
      [{ outcome: 'placed', placed_at: addDays(-4_000) }, '/placed_at'],
      [{ outcome: 'placed', ended_at: addDays(4_000) }, '/ended_at'],
      [{ outcome: 'placed', placed_at: 'yesterday' }, '/placed_at'],
      [{ outcome: 'placed', placed_at: '2026-02-30T00:00:00Z' }, '/placed_at'],
      [{ outcome: 'not_placed', placed_at: addDays(0) }, '/placed_at'],
      [{ outcome: 'not_placed', ended_at: addDays(0) }, '/ended_at'],
      [{ outcome: 'hired' }, '/outcome'],
      [{}, '/outcome'],
      [{ outcome: 'placed', reason: 'x'.repeat(501) }, '/reason'],
    ] as const;
    for (const [body, pointer] of cases) {
      const reply = await record(body);
      expect([body, reply.status, reply.body.errors[0].pointer]).toEqual([body, 422, pointer]);
    }
    await expectUnchanged(0);
    expect(await readStatus()).toBe('member_accepted');
    await record({ outcome: 'placed', placed_at: addDays(-5), ended_at: addDays(50) });
    const later = [
      [{ outcome: 'extended', ended_at: addDays(50) }, '/ended_at'],
      [{ outcome: 'extended', placed_at: addDays(-4) }, '/placed_at'],
      [{ outcome: 'left', ended_at: addDays(-6) }, '/ended_at'],
      [{ outcome: 'left', ended_at: addDays(400) }, '/ended_at'],
    ] as const;
    for (const [body, pointer] of later)
      expect([body, (await record(body)).body.errors[0].pointer]).toEqual([body, pointer]);
    await expectUnchanged(1);
  });

  it('more outcomes than a match can have', async () => {
    await record({ outcome: 'placed' });
    for (let number = 2; number <= outcomes_max; number++)
      expect((await record({ outcome: 'extended' })).status).toBe(201);
    expect((await record({ outcome: 'extended' })).body.code).toBe('outcome_conflict');
    await expectUnchanged(outcomes_max);
  });

  it('records about a member who has withdrawn, even before the match is withdrawn', async () => {
    const placed = await createAcceptedMatch(app);
    await sendOutcome(app, placed, { outcome: 'placed' });
    for (const { member } of [match, placed])
      await app.request('POST', '/members/me/consent', {
        token: member.token,
        body: { consent_type: 'matching', granted: false, version: '1.0' },
      });
    expect((await record({ outcome: 'placed' })).body.code).toBe('match_ended');
    expect((await sendOutcome(app, placed, { outcome: 'left' })).body.code).toBe('match_ended');
    await expectUnchanged(0);
  });

  it('strangers, members, viewers, auditors and anonymous callers', async () => {
    proves('feedback-outcome-endpoint-jwt');
    const other = await app.registerOrgAdmin();
    expect((await record({ outcome: 'placed' }, other.token)).body.code).toBe('match_not_found');
    expect((await listOutcomes(other.token)).body.code).toBe('match_not_found');
    expect((await sendOutcome(app, { ...match, match_id: unknownId }, { outcome: 'placed' })).status).toBe(
      404,
    );
    const viewer = await createColleague(app, match.org.org_id, 'org_viewer');
    const auditor = await createColleague(app, match.org.org_id, 'auditor');
    for (const { token } of [match.member, viewer, auditor])
      expect((await record({ outcome: 'placed' }, token)).status).toBe(403);
    expect((await record({ outcome: 'placed' }, '')).status).toBe(401);
    await expectUnchanged(0);
  });
});

it('of two simultaneous requests, one records the placement', async () => {
  const replies = await Promise.all([1, 2, 3, 4].map(() => record({ outcome: 'placed' })));
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 409, 409, 409,
  ]);
  expect(await listEvents('placement.%')).toHaveLength(1);
});

it('the database refuses to change a record', async () => {
  await record({ outcome: 'placed' });
  await expect(
    app.sql.run(sql`update match_outcomes set outcome = 'left' where match_id = ${match.match_id}`),
  ).rejects.toThrow('append-only');
});

it('a placement and its changes reach the webhooks of the organisation with both signatures', async () => {
  proves('webhook-event-placement-created-planned', 'webhook-event-placement-updated-planned');
  const receiver = await startWebhookReceiver();
  const events = ['placement.created', 'placement.updated'];
  const { secret } = await createSubscription(app, match.org.token, { url: `${receiver.url}/hook`, events });
  receiver.secrets = [secret];
  await record({ outcome: 'placed', placed_at: addDays(-3) });
  await app.drainQueue();
  await record({ outcome: 'extended', ended_at: addDays(90) });
  await app.drainQueue();
  await record({ outcome: 'left', ended_at: addDays(1) });
  await app.drainQueue();
  const { match_id, job_id, org, member } = match;
  const ids = { match_id, job_id, org_id: org.org_id, member_id: member.member_id, placed_at: addDays(-3) };
  expect(receiver.received.map(({ event }) => event)).toEqual([
    expect.objectContaining({
      type: 'placement.created',
      data: { ...ids, outcome: 'placed', ended_at: null },
    }),
    expect.objectContaining({
      type: 'placement.updated',
      data: { ...ids, outcome: 'extended', ended_at: addDays(90) },
    }),
    expect.objectContaining({
      type: 'placement.updated',
      data: { ...ids, outcome: 'left', ended_at: addDays(1) },
    }),
  ]);
  // The verifier of Standard Webhooks compares the timestamp with the clock of the process.
  vi.useFakeTimers({ now: app.clock.now(), toFake: ['Date'] });
  for (const { headers, text } of receiver.received) {
    expect(headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toMatchObject({
      type: headers['x-service-event'],
    });
  }
});
