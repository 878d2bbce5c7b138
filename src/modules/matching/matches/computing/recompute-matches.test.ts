import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { logInWithRole } from '#test/modules/jobs.ts';
import { createJob, fillMeans, fillSlots, insertMembers, listStoredMatches } from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const recompute = (token: string | undefined, job_id: string, headers: Record<string, string> = {}) =>
  app.request('POST', `/orgs/me/jobs/${job_id}/recompute-matches`, { ...(token && { token }), headers });

const countTasks = async () => (await app.sql.one(sql<{ count: number }>`select count(*) from tasks`)).count;

test('an administrator can recompute the matches of a job and follow the progress', async () => {
  proves(
    'job-recompute-matches-endpoint-jwt',
    'job-recompute-matches-response-fields',
    'match-async-task-state-queued',
  );
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token);
  await app.drainQueue();
  const [late] = await insertMembers(app, [{ mean: fillMeans(2), variance: fillSlots(0.15) }]);
  const { status, body } = await recompute(token, job_id);
  expect(status).toBe(202);
  expect(body).toEqual({ task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' });
  const before = await app.request('GET', `/tasks/${body.task_id}`, { token });
  expect(before.body).toMatchObject({ task_id: body.task_id, status: 'queued' });
  await app.drainQueue();
  const after = await app.request('GET', `/tasks/${body.task_id}`, { token });
  const done: number = after.body.progress.total;
  expect(done).toBeGreaterThan(0);
  expect(after.body).toMatchObject({
    status: 'succeeded',
    progress: { done, total: done },
    result_url: `http://localhost:8420/api/v1/orgs/me/jobs/${job_id}/matches`,
  });
  expect((await listStoredMatches(app, job_id)).map(({ member_id }) => member_id)).toContain(late);
  const entries = await app.sql.list(sql`
    select actor_user_id, detail from audit_log where org_id = ${org_id} and action = 'matching.recomputation_started'`);
  expect(entries).toEqual([{ actor_user_id: user_id, detail: { job_id, task_id: body.task_id } }]);
});

test('a retry with the same Idempotency-Key starts no second computation', async () => {
  const { token } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token);
  const before = await countTasks();
  const headers = { 'idempotency-key': 'again' };
  const [first, again] = [await recompute(token, job_id, headers), await recompute(token, job_id, headers)];
  expect(again.body).toEqual(first.body);
  expect(await countTasks()).toBe(before + 1);
});

test('refuses a job that is not active or belongs to another organisation, and queues nothing', async () => {
  const [org, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const theirs = await createJob(app, other.token);
  const ours = await createJob(app, org.token);
  const before = await countTasks();
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
  expect(await countTasks()).toBe(before);
});

test('only administrators of an organisation can recompute matches', async () => {
  const org = await app.registerOrgAdmin();
  const job_id = await createJob(app, org.token);
  const viewerToken = await logInWithRole(app, await app.registerOrgAdmin(), 'org_viewer');
  const [member, admin] = [await app.registerMember(), await app.registerPlatformAdmin()];
  for (const token of [viewerToken, member.token, admin.token])
    expect((await recompute(token, job_id)).status).toBe(403);
  expect((await recompute(undefined, job_id)).status).toBe(401);
});
