import { beforeAll, beforeEach, expect, test } from 'vitest';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import {
  fillSlots,
  createJob,
  findNumberPaths,
  forceMatchStatus,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let job_id: string;
let match_id: string;
beforeAll(async () => {
  app = await startApp();
  org = await app.registerOrgAdmin();
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
});
beforeEach(async () => {
  job_id = await createJob(app, org.token);
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;
  await forceMatchStatus(app, match_id, 'org_interested');
});

const respond = (decision: unknown, token: string | undefined = member.token, id = match_id) =>
  app.request('POST', `/matches/${id}/response`, { ...(token && { token }), body: { decision } });

const stored = async () =>
  (await listStoredMatches(app, job_id)).find(({ id }) => id === match_id)!.match_status;

const news = async () =>
  (
    await app.sql.list(sql<{ type: string }>`select type from events where data->>'match_id' = ${match_id}`)
  ).map(({ type }) => type);

test('a member accepts or declines what an organisation is interested in, and the organisation is told', async () => {
  proves('match-members-see-tier-labels-only');
  for (const [decision, match_status, type] of [
    ['accept', 'member_accepted', 'match.accepted'],
    ['decline', 'member_declined', 'match.declined'],
  ] as const) {
    await forceMatchStatus(app, match_id, 'org_interested');
    await app.sql.run(sql`delete from events where data->>'match_id' = ${match_id}`);
    const { status, body } = await respond(decision);
    expect([status, body.match_status, await stored()]).toEqual([200, match_status, match_status]);
    expect(findNumberPaths(body)).toEqual([]);
    expect(await news()).toEqual([type]);
  }
  const audited = await app.sql.list(sql`
    select member_id, org_id from audit_log where action = 'matching.status_changed' and detail->>'match_id' = ${match_id}`);
  expect(audited[0]).toEqual({ member_id: member.member_id, org_id: null });
});

test('the same answer again changes nothing; the other one is refused', async () => {
  await respond('accept');
  expect((await respond('accept')).body.match_status).toBe('member_accepted');
  expect((await respond('decline')).body.code).toBe('match_status_conflict');
  expect(await stored()).toBe('member_accepted');
  expect(await news()).toEqual(['match.accepted']);
});

test('nobody answers before they are asked, or after the end', async () => {
  for (const from of [
    'pending_review',
    'org_passed',
    'member_declined',
    'placed',
    'closed',
    'expired',
    'withdrawn',
  ]) {
    await forceMatchStatus(app, match_id, from);
    const { status, body } = await respond('accept');
    expect([from, status, body.code, await stored()]).toEqual([from, 409, 'match_status_conflict', from]);
  }
});

test('a job that is closed can be declined and no longer accepted', async () => {
  await app.sql.run(sql`update jobs set status = 'closed' where id = ${job_id}`);
  expect((await respond('accept')).body.code).toBe('job_closed');
  expect((await respond('decline')).body.match_status).toBe('member_declined');
});

test('it needs engagement level 4', async () => {
  const emptied = { current_industry: null };
  const profile = (await app.request('GET', '/members/me', { token: member.token })).body.profile;
  await app.request('PUT', '/members/me/profile', { token: member.token, body: emptied });
  const { status, body } = await respond('accept');
  expect([status, body.code, await stored()]).toEqual([403, 'engagement_level_too_low', 'org_interested']);
  await app.request('PUT', '/members/me/profile', { token: member.token, body: profile });
});

test('somebody else’s match is as absent as one that nobody has', async () => {
  const other = await app.registerDeployedMember({ mean: fillSlots(0) });
  for (const id of [match_id, unknownId]) {
    const { status, body } = await respond('accept', other.token, id);
    expect([status, body.code]).toEqual([404, 'match_not_found']);
  }
  expect(await stored()).toBe('org_interested');
});

test('an answer that is none is refused by name', async () => {
  for (const decision of ['maybe', '', true, null, undefined]) {
    const { status, body } = await respond(decision);
    expect([decision, status, body.errors[0].pointer]).toEqual([decision, 422, '/decision']);
  }
  expect((await respond('accept', member.token, 'x')).status).toBe(422);
});

test('organisations, operators and strangers do not answer for a member', async () => {
  for (const { token } of [org, await app.registerPlatformAdmin()])
    expect((await respond('accept', token)).status).toBe(403);
  expect((await respond('accept', '')).status).toBe(401);
  expect(await stored()).toBe('org_interested');
});
