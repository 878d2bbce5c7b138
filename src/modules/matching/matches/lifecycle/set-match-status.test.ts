import { beforeEach, expect, test } from 'vitest';
import { createUser } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  fillMeans,
  createJob,
  findNumberPaths,
  forceMatchStatus,
  listStoredMatches,
  runTask,
  tierMeans,
} from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';
import { announceInterests } from './announce-interests.ts';

let job_id: string;
let match_id: string;
const app = await startApp();
const org = await app.registerOrgAdmin();
const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
beforeEach(async () => {
  job_id = await createJob(app, org.token);
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;
});

const putStatus = (status: unknown, token: string | undefined = org.token, id = match_id) =>
  app.request('PUT', `/matches/${id}/status`, { ...(token && { token }), body: { status } });

const readStatus = async () =>
  (await listStoredMatches(app, job_id)).find(({ id }) => id === match_id)!.match_status;

const listEvents = () =>
  app.sql.list(
    sql<{
      type: string;
      data: object;
    }>`select type, data from events where data->>'match_id' = ${match_id} order by created_at, id`,
  );

test('an administrator of the organisation can express interest in a pending match, which emits match.proposed', async () => {
  proves(
    'match-status-put-endpoint-jwt',
    'match-status-pending-review-to-org-interested',
    'match-status-values-seen',
  );
  const before = (await app.request('GET', `/matches/${match_id}`, { token: org.token })).body;
  const { status, body } = await putStatus('org_interested');
  expect([status, body]).toEqual([200, { ...before, match_status: 'org_interested' }]);
  expect(findNumberPaths(body)).toEqual([]);
  const ids = { match_id, job_id, org_id: org.org_id, member_id: member.member_id };
  const data = { ...ids, shown_member_id: before.member_id };
  expect(before.member_id).not.toBe(member.member_id);
  expect(await listEvents()).toEqual([{ type: 'match.proposed', data }]);
  const entries = await app.sql.list(sql`
    select action, actor_user_id, org_id, member_id from audit_log where detail->>'match_id' = ${match_id}`);
  const { org_id, user_id } = org;
  expect(entries).toEqual([
    { action: 'matching.status_changed', actor_user_id: user_id, org_id, member_id: null },
  ]);
});

test('a platform administrator can set the status of a match', async () => {
  proves('match-status-put-needs-org-admin-or-platform-admin');
  const { token } = await app.registerPlatformAdmin();
  const { status, body } = await putStatus('org_passed', token);
  expect([status, body.match_status]).toEqual([200, 'org_passed']);
  expect(await listEvents()).toEqual([]);
});

test('setting the same status again changes nothing and emits no event', async () => {
  await putStatus('org_interested');
  const again = await putStatus('org_interested');
  expect([again.status, again.body.match_status]).toEqual([200, 'org_interested']);
  expect(await listEvents()).toHaveLength(1);
});

test('refuses an impossible move and changes nothing', async () => {
  const cases = [
    ['pending_review', 'closed'],
    ['org_interested', 'closed'],
    ['member_accepted', 'pending_review'],
    ['org_passed', 'org_interested'],
    ['member_declined', 'org_interested'],
    ['withdrawn', 'org_interested'],
    ['expired', 'org_interested'],
    ['placed', 'closed'],
  ] as const;
  for (const [from, to] of cases) {
    await forceMatchStatus(app, match_id, from);
    const { status, body } = await putStatus(to);
    expect([from, to, status, body.code]).toEqual([from, to, 409, 'match_status_conflict']);
    expect(await readStatus()).toBe(from);
  }
  expect(await listEvents()).toEqual([]);
});

test('rejects a status that organisations cannot set and names the field', async () => {
  for (const status of [
    'member_accepted',
    'placed',
    'withdrawn',
    'expired',
    'hired',
    '',
    null,
    1,
    undefined,
  ]) {
    const reply = await putStatus(status);
    expect([status, reply.status, reply.body.errors[0].pointer]).toEqual([status, 422, '/status']);
  }
  expect(await readStatus()).toBe('pending_review');
});

test('matches of a job that is not active cannot proceed but can be ended', async () => {
  for (const status of ['closed', 'draft']) {
    await app.sql.run(sql`update jobs set status = ${status} where id = ${job_id}`);
    const { body } = await putStatus('org_interested');
    expect([status, body.code]).toEqual([status, 'job_closed']);
  }
  expect((await putStatus('org_passed')).body.match_status).toBe('org_passed');
});

test('a member who has withdrawn consent cannot be proposed, even before the match is withdrawn', async () => {
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'matching', granted: false, version: '1.0' },
  });
  const { status, body } = await putStatus('org_interested');
  expect([status, body.code, await readStatus()]).toEqual([409, 'match_status_conflict', 'pending_review']);
  await app.drainQueue();
  expect(await readStatus()).toBe('withdrawn');
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'matching', granted: true, version: '1.0' },
  });
  await app.drainQueue();
});

test('another organisation’s match is not found, like a match that does not exist', async () => {
  const other = await app.registerOrgAdmin();
  for (const id of [match_id, unknownId]) {
    const { status, body } = await putStatus('org_interested', other.token, id);
    expect([status, body.code]).toEqual([404, 'match_not_found']);
  }
  expect((await putStatus('org_interested', org.token, 'x')).status).toBe(422);
  expect(await readStatus()).toBe('pending_review');
});

test('members, viewers, auditors and anonymous callers cannot set a status', async () => {
  proves('match-status-put-needs-org-admin-or-platform-admin');
  const tokens = [member.token];
  for (const role of ['org_viewer', 'auditor'] as const) {
    const [email, password] = [`${role}@example.org`, member.password];
    await createUser(app.platform, { email, password, role, org_id: org.org_id, name: undefined });
    tokens.push((await app.request('POST', '/auth/login', { body: { email, password } })).body.access_token);
  }
  for (const token of tokens) expect((await putStatus('org_interested', token)).status).toBe(403);
  expect((await putStatus('org_interested', '')).status).toBe(401);
  expect(await readStatus()).toBe('pending_review');
});

const decide = (body: object) =>
  app.request('PUT', `/matches/${match_id}/status`, { token: org.token, body });

const listTypes = async () => {
  const events = await app.sql.list(sql<{ type: string }>`
    select type from events where data->>'match_id' = ${match_id} order by created_at, id`);
  return events.map(({ type }) => type);
};

test('a pass is taken back while the job is active, and taking it back again changes nothing', async () => {
  await putStatus('org_passed');
  for (const _time of ['once', 'again']) {
    const { status, body } = await putStatus('pending_review');
    expect([status, body.match_status]).toEqual([200, 'pending_review']);
  }
  const events = await listEvents();
  expect(events).toMatchObject([{ type: 'match.reopened', data: { reopened_from: 'org_passed' } }]);
  expect(events[0]?.data).not.toMatchObject({ shown_member_id: member.member_id });
  await putStatus('org_passed');
  await app.sql.run(sql`update jobs set status = 'draft' where id = ${job_id}`);
  expect((await putStatus('pending_review')).body.code).toBe('job_closed');
  expect(await readStatus()).toBe('org_passed');
});

test('an interest that was announced is withdrawn with an event, and its note is gone', async () => {
  const cases = ['pending_review', 'org_passed'] as const;
  for (const to of cases) {
    await decide({ status: 'org_interested', note: 'Our team meets on Mondays.' });
    // Events with the same time would have no defined order.
    app.clock.advance(1_000);
    expect((await putStatus(to)).body.match_status).toBe(to);
    expect((await listEvents()).at(-1)).toMatchObject({
      type: 'match.interest_withdrawn',
      data: { match_status: to },
    });
    expect(await app.sql.list(sql`select from match_contacts where match_id = ${match_id}`)).toEqual([]);
    app.clock.advance(1_000);
  }
});

test('after the answer of the member an interest is not withdrawn', async () => {
  await putStatus('org_interested');
  await answer();
  for (const to of ['pending_review', 'org_passed'])
    expect((await putStatus(to)).body.code).toBe('match_status_conflict');
  expect(await readStatus()).toBe('member_accepted');
});

const answer = () =>
  app.request('POST', `/matches/${match_id}/response`, {
    token: member.token,
    body: { decision: 'accept' },
  });

test('an interest that can be undone is announced when its seconds are over', async () => {
  const { status } = await decide({ status: 'org_interested', undo_seconds: 10 });
  expect([status, await listTypes()]).toEqual([200, []]);
  const { due_at } = await app.sql.one(sql<{ due_at: Date }>`
    select due_at from tasks where name = 'matches.announceInterests' and data->>'job_id' = ${job_id}`);
  expect(due_at.getTime() - app.clock.now().getTime()).toBe(10_000);
  await app.drainQueue();
  expect(await listTypes()).toEqual(['match.proposed']);
});

test('nobody is informed of an interest that was undone in time, and a later one is announced once', async () => {
  await decide({ status: 'org_interested', undo_seconds: 10 });
  await putStatus('pending_review');
  await decide({ status: 'org_interested', undo_seconds: 10 });
  await app.drainQueue();
  expect(await listTypes()).toEqual(['match.proposed']);
});

test('an answer that comes first is the only event', async () => {
  await decide({ status: 'org_interested', undo_seconds: 10 });
  await answer();
  await app.drainQueue();
  expect(await listTypes()).toEqual(['match.accepted']);
});

test('the same member is informed of the interest of one job at most three times', async () => {
  for (const _time of [1, 2, 3]) {
    await putStatus('org_interested');
    await putStatus('pending_review');
  }
  const { status, body } = await putStatus('org_interested');
  expect([status, body.code, await readStatus()]).toEqual([409, 'match_status_conflict', 'pending_review']);
});

test('a decision on an earlier version of the job is not taken back, so that the new alias names nobody', async () => {
  await putStatus('org_passed');
  const body = { trait_priorities: { persistence: 1, sincerity: 0.5, discretion: 0.9 } };
  expect((await app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body })).status).toBe(
    200,
  );
  expect((await putStatus('pending_review')).body.code).toBe('match_status_conflict');
});

test('undo_seconds is bounded and belongs to decisions that can be undone', async () => {
  const cases: readonly object[] = [
    { status: 'org_interested', undo_seconds: -1 },
    { status: 'org_interested', undo_seconds: 61 },
    { status: 'org_interested', undo_seconds: 1.5 },
    { status: 'org_interested', undo_seconds: '10' },
    { status: 'pending_review', undo_seconds: 10 },
    { status: 'closed', undo_seconds: 10 },
  ];
  for (const body of cases) {
    const reply = await decide(body);
    expect([body, reply.status, reply.body.errors[0].pointer]).toEqual([body, 422, '/undo_seconds']);
  }
});

test('whichever comes first of undo, answer and announcement wins, and the events agree with it', async () => {
  for (let round = 0; round < 12; round++) {
    const job = await createJob(app, org.token);
    await app.drainQueue();
    job_id = job;
    match_id = (await listStoredMatches(app, job)).find((each) => each.member_id === member.member_id)!.id;
    await decide({ status: 'org_interested', undo_seconds: 10 });
    const data = await app.sql.one(sql<{ data: Parameters<typeof announceInterests.run>[1] }>`
      select data from tasks where name = 'matches.announceInterests' and data->>'job_id' = ${job}`);
    const steps = [
      () => putStatus('pending_review'),
      () => answer(),
      () => runTask(app, announceInterests, data.data),
      () => putStatus('org_passed'),
    ];
    await Promise.all([...steps.slice(round % 4), ...steps.slice(0, round % 4)].map((step) => step()));
    await app.drainQueue();
    const status = await readStatus();
    // Whether a pass came before the undo depends on the order of the round.
    const types = (await listTypes()).filter((type) => type !== 'match.reopened').toSorted();
    const isAnnounced = types.includes('match.proposed');
    const expected = [
      ...(status === 'member_accepted'
        ? ['match.accepted']
        : isAnnounced
          ? ['match.interest_withdrawn']
          : []),
      ...(isAnnounced ? ['match.proposed'] : []),
    ];
    expect([status, types]).toEqual([status, expected]);
    expect(['member_accepted', 'pending_review', 'org_passed']).toContain(status);
  }
});
