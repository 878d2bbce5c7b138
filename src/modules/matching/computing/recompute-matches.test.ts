import { beforeAll, expect, test } from 'vitest';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import { fillSlots, createJob, insertMembers, listStoredMatches } from '#test/modules/matching.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const recompute = (token: string | undefined, job_id: string, headers: Record<string, string> = {}) =>
  app.request('POST', `/orgs/me/jobs/${job_id}/recompute-matches`, { ...(token && { token }), headers });

const tasksQueued = async () => (await app.sql.one(sql<{ count: number }>`select count(*) from tasks`)).count;

test('an administrator has the matches of a job computed anew, and sees how it goes', async () => {
  proves(
    'job-recompute-matches-endpoint-jwt',
    'job-recompute-matches-response-fields',
    'match-async-task-state-queued',
  );
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token);
  await app.drainQueue();
  const [late] = await insertMembers(app, [{ mean: fillSlots(2), variance: fillSlots(0.15) }]);
  const { status, body } = await recompute(token, job_id);
  expect(status).toBe(202);
  expect(body).toEqual({ task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' });
  const before = await app.request('GET', `/tasks/${body.task_id}`, { token });
  expect(before.body).toMatchObject({ task_id: body.task_id, status: 'queued' });
  await app.drainQueue();
  const after = await app.request('GET', `/tasks/${body.task_id}`, { token });
  const done = after.body.progress.total as number;
  expect(done).toBeGreaterThan(0);
  expect(after.body).toMatchObject({
    status: 'succeeded',
    progress: { done, total: done },
    result_url: `http://localhost:8420/api/v1/orgs/me/jobs/${job_id}/matches`,
  });
  expect((await listStoredMatches(app, job_id)).map(({ member_id }) => member_id)).toContain(late);
  const audited = await app.sql.list(sql`
    select actor_user_id, detail from audit_log where org_id = ${org_id} and action = 'matching.recomputation_started'`);
  expect(audited).toEqual([{ actor_user_id: user_id, detail: { job_id, task_id: body.task_id } }]);
});

test('an Idempotency-Key starts one computation, whatever is sent again', async () => {
  const { token } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token);
  const before = await tasksQueued();
  const headers = { 'idempotency-key': 'again' };
  const [first, again] = [await recompute(token, job_id, headers), await recompute(token, job_id, headers)];
  expect(again.body).toEqual(first.body);
  expect(await tasksQueued()).toBe(before + 1);
});

test('a job that is not active, or not one’s own, is refused, and nothing is queued', async () => {
  const [org, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const theirs = await createJob(app, other.token);
  const ours = await createJob(app, org.token);
  const before = await tasksQueued();
  for (const job_id of [theirs, unknownId]) {
    const { status, body } = await recompute(org.token, job_id);
    expect([status, body.code]).toEqual([404, 'job_not_found']);
  }
  for (const state of ['closed', 'draft']) {
    await app.sql.run(sql`update jobs set status = ${state} where id = ${ours}`);
    const { status, body } = await recompute(org.token, ours);
    expect([status, body.code]).toEqual([409, 'job_closed']);
  }
  expect((await recompute(org.token, 'x')).status).toBe(422);
  expect(await tasksQueued()).toBe(before);
});

test('only an administrator of an organisation has matches computed', async () => {
  const org = await app.registerOrgAdmin();
  const job_id = await createJob(app, org.token);
  const viewer = await app.registerOrgAdmin();
  await app.sql.run(sql`update users set role = 'org_viewer' where id = ${viewer.user_id}`);
  const { email, password } = viewer;
  const asViewer = await app.request('POST', '/auth/login', { body: { email, password } });
  const [member, admin] = [await app.registerMember(), await app.registerPlatformAdmin()];
  for (const token of [asViewer.body.access_token, member.token, admin.token])
    expect((await recompute(token, job_id)).status).toBe(403);
  expect((await recompute(undefined, job_id)).status).toBe(401);
});
