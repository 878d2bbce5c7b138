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
  tierMeans,
} from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';

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
    sql`select type, data from events where data->>'match_id' = ${match_id} order by created_at, id`,
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
    ['org_interested', 'org_passed'],
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
    'pending_review',
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
