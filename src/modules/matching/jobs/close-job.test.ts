import { expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import { createJob, logInWithRole } from '#test/modules/jobs.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();

const closeJob = (job_id: string, token = org.token) =>
  app.request('DELETE', `/orgs/me/jobs/${job_id}`, { token });

const countClosings = async (job_id: string) => {
  const where = sql`detail->>'job_id' = ${job_id} and action = 'jobs.closed'`;
  return (await app.sql.one(sql<{ count: number }>`select count(*) from audit_log where ${where}`)).count;
};

test('an administrator can close a job in any status, and its record is kept', async () => {
  proves('job-delete-endpoint-jwt', 'job-delete-closes-from-any-state', 'job-delete-keeps-record');
  for (const from of ['active', 'draft', 'closed']) {
    const job = await createJob(app, org.token);
    await app.request('PATCH', `/orgs/me/jobs/${job.id}`, { token: org.token, body: { status: from } });
    const { status, body } = await closeJob(job.id);
    expect([status, body]).toEqual([204, '']);
    const closedJob = await app.request('GET', `/orgs/me/jobs/${job.id}`, { token: org.token });
    expect(closedJob.body).toEqual({ ...job, status: 'closed' });
  }
});

test('closing a closed job succeeds and changes nothing', async () => {
  const { id } = await createJob(app, org.token);
  expect([(await closeJob(id)).status, (await closeJob(id)).status]).toEqual([204, 204]);
  expect(await countClosings(id)).toBe(1);
});

test('another organisation’s job is not found, like a job that does not exist, and stays open', async () => {
  const other = await app.registerOrgAdmin();
  const { id } = await createJob(app, org.token);
  for (const job_id of [id, unknownId]) {
    const { status, body } = await closeJob(job_id, other.token);
    expect([status, body.code]).toEqual([404, 'job_not_found']);
  }
  expect((await closeJob('JOB-1')).status).toBe(422);
  expect(await countClosings(id)).toBe(0);
});

test('only administrators of the organisation can close its jobs', async () => {
  const colleague = await app.registerOrgAdmin();
  const { id } = await createJob(app, colleague.token);
  const tokens = [(await app.registerMember()).token, (await app.registerPlatformAdmin()).token];
  for (const role of ['org_viewer', 'auditor'] as const)
    tokens.push(await logInWithRole(app, colleague, role));
  for (const token of tokens) expect((await closeJob(id, token)).status).toBe(403);
  expect((await app.request('DELETE', `/orgs/me/jobs/${id}`)).status).toBe(401);
  expect(await countClosings(id)).toBe(0);
});
