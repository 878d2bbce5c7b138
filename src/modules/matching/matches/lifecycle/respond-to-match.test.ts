import { beforeEach, expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import {
  fillMeans,
  createJob,
  findNumberPaths,
  forceMatchStatus,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

let job_id: string;
let match_id: string;
const app = await startApp();
const org = await app.registerOrgAdmin();
const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
beforeEach(async () => {
  job_id = await createJob(app, org.token);
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;
  await forceMatchStatus(app, match_id, 'org_interested');
});

const respond = (decision: unknown, token: string | undefined = member.token, id = match_id) =>
  app.request('POST', `/matches/${id}/response`, { ...(token && { token }), body: { decision } });

const readStatus = async () =>
  (await listStoredMatches(app, job_id)).find(({ id }) => id === match_id)!.match_status;

const listEvents = async () =>
  (
    await app.sql.list(sql<{ type: string }>`select type from events where data->>'match_id' = ${match_id}`)
  ).map(({ type }) => type);

test('a member can accept or decline an interested organisation, and an event reports it', async () => {
  proves('match-members-see-tier-labels-only');
  for (const [decision, match_status, type] of [
    ['accept', 'member_accepted', 'match.accepted'],
    ['decline', 'member_declined', 'match.declined'],
  ] as const) {
    await forceMatchStatus(app, match_id, 'org_interested');
    await app.sql.run(sql`delete from events where data->>'match_id' = ${match_id}`);
    const { status, body } = await respond(decision);
    expect([status, body.match_status, await readStatus()]).toEqual([200, match_status, match_status]);
    expect(findNumberPaths(body)).toEqual([]);
    expect(await listEvents()).toEqual([type]);
  }
  const entries = await app.sql.list(sql`
    select member_id, org_id from audit_log where action = 'matching.status_changed' and detail->>'match_id' = ${match_id}`);
  expect(entries[0]).toEqual({ member_id: member.member_id, org_id: null });
});

test('repeating a response changes nothing, and the opposite response is refused', async () => {
  await respond('accept');
  expect((await respond('accept')).body.match_status).toBe('member_accepted');
  expect((await respond('decline')).body.code).toBe('match_status_conflict');
  expect(await readStatus()).toBe('member_accepted');
  expect(await listEvents()).toEqual(['match.accepted']);
});

test('a member cannot respond before the organisation is interested or after the match has ended', async () => {
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
    expect([from, status, body.code, await readStatus()]).toEqual([from, 409, 'match_status_conflict', from]);
  }
});

test('a match of a closed job can be declined but not accepted', async () => {
  await app.sql.run(sql`update jobs set status = 'closed' where id = ${job_id}`);
  expect((await respond('accept')).body.code).toBe('job_closed');
  expect((await respond('decline')).body.match_status).toBe('member_declined');
});

test('a response requires engagement level 4', async () => {
  const incompleteProfile = { current_industry: null };
  const profile = (await app.request('GET', '/members/me', { token: member.token })).body.profile;
  await app.request('PUT', '/members/me/profile', { token: member.token, body: incompleteProfile });
  const { status, body } = await respond('accept');
  expect([status, body.code, await readStatus()]).toEqual([
    403,
    'engagement_level_too_low',
    'org_interested',
  ]);
  await app.request('PUT', '/members/me/profile', { token: member.token, body: profile });
});

test('another member’s match is not found, like a match that does not exist', async () => {
  const other = await app.registerDeployedMember({ mean: fillMeans(0) });
  for (const id of [match_id, unknownId]) {
    const { status, body } = await respond('accept', other.token, id);
    expect([status, body.code]).toEqual([404, 'match_not_found']);
  }
  expect(await readStatus()).toBe('org_interested');
});

test('rejects an unknown decision and names the field', async () => {
  for (const decision of ['maybe', '', true, null, undefined]) {
    const { status, body } = await respond(decision);
    expect([decision, status, body.errors[0].pointer]).toEqual([decision, 422, '/decision']);
  }
  expect((await respond('accept', member.token, 'x')).status).toBe(422);
});

test('organisations, platform administrators and anonymous callers cannot respond for a member', async () => {
  for (const { token } of [org, await app.registerPlatformAdmin()])
    expect((await respond('accept', token)).status).toBe(403);
  expect((await respond('accept', '')).status).toBe(401);
  expect(await readStatus()).toBe('org_interested');
});
