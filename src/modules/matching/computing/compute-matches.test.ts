import { beforeAll, expect, test } from 'vitest';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import { fillSlots, createJob, insertMembers, listStoredMatches, tierMeans } from '#test/modules/matching.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let admin: Awaited<ReturnType<TestApp['registerPlatformAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let job_id: string;
beforeAll(async () => {
  app = await startApp();
  [org, admin] = [await app.registerOrgAdmin(), await app.registerPlatformAdmin()];
  job_id = await createJob(app, org.token);
  await app.drainQueue();
});

const compute = (query: string, token: string | undefined, headers: Record<string, string> = {}) =>
  app.request('POST', `/matches/compute${query}`, { ...(token && { token }), headers });

const queued = async () => (await app.sql.one(sql<{ count: number }>`select count(*) from tasks`)).count;

const taskOf = async (task_id: string, token: string) =>
  (await app.request('GET', `/tasks/${task_id}`, { token })).body;

test('with nobody to be matched, a computation succeeds and finds nobody', async () => {
  const { status, body } = await compute(`?job_id=${job_id}`, org.token);
  expect(status).toBe(202);
  await app.drainQueue();
  expect(await taskOf(body.task_id, org.token)).toMatchObject({ status: 'succeeded' });
  expect(await listStoredMatches(app, job_id)).toEqual([]);
});

test('administrators have a job computed', async () => {
  proves('match-compute-endpoint-jwt', 'match-async-task-state-queued');
  for (const { token } of [org, admin]) {
    const [late] = await insertMembers(app, [{ mean: fillSlots(2), variance: fillSlots(0.15) }]);
    const { status, body } = await compute(`?job_id=${job_id}`, token);
    expect([status, body]).toEqual([
      202,
      { task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' },
    ]);
    await app.drainQueue();
    expect(await taskOf(body.task_id, token)).toMatchObject({ status: 'succeeded' });
    expect((await listStoredMatches(app, job_id)).map(({ member_id }) => member_id)).toContain(late);
  }
});

test('members have themselves computed, platform administrators anybody, also with a job', async () => {
  proves('match-compute-job-id-required-unless-member-id');
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  await app.drainQueue();
  const { member_id } = member;
  for (const [query, token] of [
    [`?member_id=${member_id}`, member.token],
    [`?member_id=${member_id}`, admin.token],
    [`?member_id=${member_id}&job_id=${job_id}`, admin.token],
  ] as const) {
    await app.sql.run(sql`delete from matches where member_id = ${member_id}`);
    const { status, body } = await compute(query, token);
    expect([query, status]).toEqual([query, 202]);
    await app.drainQueue();
    expect(await taskOf(body.task_id, token)).toMatchObject({ status: 'succeeded' });
    expect((await listStoredMatches(app, job_id)).map((match) => match.member_id)).toContain(member_id);
  }
});

test('neither is too little, and what is no id is refused by name', async () => {
  proves('match-compute-job-id-required-unless-member-id');
  for (const [query, pointer] of [
    ['', '/job_id'],
    ['?job_id=x', '/job_id'],
    ['?member_id=x', '/member_id'],
    [`?org_id=${unknownId}`, '/org_id'],
  ] as const) {
    const { status, body } = await compute(query, admin.token);
    expect([query, status, body.errors[0].pointer]).toEqual([query, 422, pointer]);
  }
});

test('an Idempotency-Key starts one computation, whatever is sent again', async () => {
  const before = await queued();
  const headers = { 'idempotency-key': 'once' };
  const first = await compute(`?job_id=${job_id}`, org.token, headers);
  const again = await compute(`?job_id=${job_id}`, org.token, headers);
  expect(again.body).toEqual(first.body);
  expect(await queued()).toBe(before + 1);
});

test('what is absent, closed, somebody else’s or not measured is refused, and nothing is queued', async () => {
  const [other, newcomer] = [await app.registerOrgAdmin(), await app.registerMember()];
  const neighbour = await app.registerDeployedMember();
  const closed = await createJob(app, org.token);
  await app.request('DELETE', `/orgs/me/jobs/${closed}`, { token: org.token });
  const before = await queued();
  const cases: readonly [query: string, token: string, status: number, code: string][] = [
    [`?job_id=${unknownId}`, admin.token, 404, 'job_not_found'],
    [`?job_id=${job_id}`, other.token, 404, 'job_not_found'],
    [`?job_id=${closed}`, org.token, 409, 'job_closed'],
    [`?job_id=${closed}&member_id=${member.member_id}`, admin.token, 409, 'job_closed'],
    [`?member_id=${unknownId}`, admin.token, 404, 'member_not_found'],
    [`?member_id=${neighbour.member_id}`, member.token, 404, 'member_not_found'],
    [`?member_id=${newcomer.member_id}`, admin.token, 409, 'member_not_deployed'],
    [`?member_id=${newcomer.member_id}`, newcomer.token, 403, 'engagement_level_too_low'],
    [`?job_id=${job_id}`, member.token, 403, 'role_not_allowed'],
    [`?member_id=${member.member_id}`, org.token, 403, 'role_not_allowed'],
  ];
  for (const [query, token, status, code] of cases) {
    const answer = await compute(query, token);
    expect([query, answer.status, answer.body.code]).toEqual([query, status, code]);
  }
  expect(await queued()).toBe(before);
});

test('viewers, auditors and strangers have nothing computed', async () => {
  const person = await app.registerOrgAdmin();
  for (const role of ['org_viewer', 'auditor']) {
    await app.sql.run(sql`update users set role = ${role} where id = ${person.user_id}`);
    const { email, password } = person;
    const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
    expect((await compute(`?job_id=${job_id}`, body.access_token)).status).toBe(403);
  }
  expect((await compute(`?job_id=${job_id}`, undefined)).status).toBe(401);
});
