import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId, type TestApp } from '#test/harness.ts';
import { logInWithRole } from '#test/modules/jobs.ts';
import {
  createJob,
  fillMeans,
  deleteStoredMatches,
  fillSlots,
  insertMembers,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';

let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
const app = await startApp();
const [org, admin] = [await app.registerOrgAdmin(), await app.registerPlatformAdmin()];
const job_id = await createJob(app, org.token);
await app.drainQueue();

const postCompute = (query: string, token: string | undefined, headers: Record<string, string> = {}) =>
  app.request('POST', `/matches/compute${query}`, { ...(token && { token }), headers });

const countTasks = async () => (await app.sql.one(sql<{ count: number }>`select count(*) from tasks`)).count;

const readTask = async (task_id: string, token: string) =>
  (await app.request('GET', `/tasks/${task_id}`, { token })).body;

test('a computation without deployed members succeeds and stores no match', async () => {
  const { status, body } = await postCompute(`?job_id=${job_id}`, org.token);
  expect(status).toBe(202);
  await app.drainQueue();
  expect(await readTask(body.task_id, org.token)).toMatchObject({ status: 'succeeded' });
  expect(await listStoredMatches(app, job_id)).toEqual([]);
});

test('administrators can start the computation of a job', async () => {
  proves('match-compute-endpoint-jwt', 'match-async-task-state-queued');
  for (const { token } of [org, admin]) {
    const [late] = await insertMembers(app, [{ mean: fillMeans(2), variance: fillSlots(0.15) }]);
    const { status, body } = await postCompute(`?job_id=${job_id}`, token);
    expect([status, body]).toEqual([
      202,
      { task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' },
    ]);
    await app.drainQueue();
    expect(await readTask(body.task_id, token)).toMatchObject({ status: 'succeeded' });
    expect((await listStoredMatches(app, job_id)).map(({ member_id }) => member_id)).toContain(late);
  }
});

test('members can start the computation of their own matches, and platform administrators that of any member, with or without a job', async () => {
  proves('match-compute-job-id-required-unless-member-id');
  member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  await app.drainQueue();
  const { member_id } = member;
  for (const [query, token] of [
    [`?member_id=${member_id}`, member.token],
    [`?member_id=${member_id}`, admin.token],
    [`?member_id=${member_id}&job_id=${job_id}`, admin.token],
  ] as const) {
    await deleteStoredMatches(app, member_id);
    const { status, body } = await postCompute(query, token);
    expect([query, status]).toEqual([query, 202]);
    await app.drainQueue();
    expect(await readTask(body.task_id, token)).toMatchObject({ status: 'succeeded' });
    expect((await listStoredMatches(app, job_id)).map((match) => match.member_id)).toContain(member_id);
  }
});

test('rejects a request without an id and an invalid id, and names the field', async () => {
  proves('match-compute-job-id-required-unless-member-id');
  for (const [query, pointer] of [
    ['', '/job_id'],
    ['?job_id=x', '/job_id'],
    ['?member_id=x', '/member_id'],
    [`?org_id=${unknownId}`, '/org_id'],
  ] as const) {
    const { status, body } = await postCompute(query, admin.token);
    expect([query, status, body.errors[0].pointer]).toEqual([query, 422, pointer]);
  }
});

test('a retry with the same Idempotency-Key starts no second computation', async () => {
  const before = await countTasks();
  const headers = { 'idempotency-key': 'once' };
  const first = await postCompute(`?job_id=${job_id}`, org.token, headers);
  const again = await postCompute(`?job_id=${job_id}`, org.token, headers);
  expect(again.body).toEqual(first.body);
  expect(await countTasks()).toBe(before + 1);
});

test('refuses an unknown, closed, foreign or undeployed target and queues nothing', async () => {
  const [other, newcomer] = [await app.registerOrgAdmin(), await app.registerMember()];
  const otherMember = await app.registerDeployedMember();
  const closed = await createJob(app, org.token);
  await app.request('DELETE', `/orgs/me/jobs/${closed}`, { token: org.token });
  const before = await countTasks();
  const cases: readonly [query: string, token: string, status: number, code: string][] = [
    [`?job_id=${unknownId}`, admin.token, 404, 'job_not_found'],
    [`?job_id=${job_id}`, other.token, 404, 'job_not_found'],
    [`?job_id=${closed}`, org.token, 409, 'job_closed'],
    [`?job_id=${closed}&member_id=${member.member_id}`, admin.token, 409, 'job_closed'],
    [`?member_id=${unknownId}`, admin.token, 404, 'member_not_found'],
    [`?member_id=${otherMember.member_id}`, member.token, 404, 'member_not_found'],
    [`?member_id=${newcomer.member_id}`, admin.token, 409, 'member_not_deployed'],
    [`?member_id=${newcomer.member_id}`, newcomer.token, 403, 'engagement_level_too_low'],
    [`?job_id=${job_id}`, member.token, 403, 'role_not_allowed'],
    [`?member_id=${member.member_id}`, org.token, 403, 'role_not_allowed'],
  ];
  for (const [query, token, status, code] of cases) {
    const reply = await postCompute(query, token);
    expect([query, reply.status, reply.body.code]).toEqual([query, status, code]);
  }
  expect(await countTasks()).toBe(before);
});

test('viewers, auditors and anonymous callers cannot start a computation', async () => {
  const user = await app.registerOrgAdmin();
  for (const role of ['org_viewer', 'auditor'] as const) {
    const token = await logInWithRole(app, user, role);
    expect((await postCompute(`?job_id=${job_id}`, token)).status).toBe(403);
  }
  expect((await postCompute(`?job_id=${job_id}`, undefined)).status).toBe(401);
});
