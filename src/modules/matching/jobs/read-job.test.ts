import { expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { createJob, logInWithRole } from '#test/modules/jobs.ts';

const app = await startApp();

test('every user of an organisation can read all fields of its jobs', async () => {
  proves('job-get-endpoint-jwt', 'job-record-fields');
  const org = await app.registerOrgAdmin();
  const job = await createJob(app, org.token);
  const asAdmin = await app.request('GET', `/orgs/me/jobs/${job.id}`, { token: org.token });
  expect([asAdmin.status, asAdmin.body]).toEqual([200, job]);
  for (const role of ['org_viewer', 'auditor'] as const) {
    const token = await logInWithRole(app, org, role);
    expect((await app.request('GET', `/orgs/me/jobs/${job.id}`, { token })).body).toEqual(job);
  }
});

test('another organisation’s job is not found, like a job that does not exist', async () => {
  const [org, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { id } = await createJob(app, other.token);
  for (const job_id of [id, unknownId]) {
    const { status, body } = await app.request('GET', `/orgs/me/jobs/${job_id}`, { token: org.token });
    expect([status, body.code]).toEqual([404, 'job_not_found']);
  }
});

test('rejects an id that is not a UUID and names the field', async () => {
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await app.request('GET', '/orgs/me/jobs/JOB-1', { token });
  expect([status, body.errors[0].pointer]).toEqual([422, '/job_id']);
});

test('only users of an organisation can read jobs', async () => {
  const [member, admin] = [await app.registerMember(), await app.registerPlatformAdmin()];
  for (const { token } of [member, admin])
    expect((await app.request('GET', `/orgs/me/jobs/${unknownId}`, { token })).status).toBe(403);
  expect((await app.request('GET', `/orgs/me/jobs/${unknownId}`)).status).toBe(401);
});
