import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createJob } from '#test/modules/matching.ts';

const app = await startApp();

test('the creator of a job follows it, and a colleague does not', async () => {
  const org = await app.registerOrgAdmin();
  const job_id = await createJob(app, org.token);
  const colleague = await createColleague(app, org.org_id, 'org_viewer');
  const path = `/orgs/me/jobs/${job_id}/following`;
  expect((await app.request('GET', path, { token: org.token })).body).toEqual({ job_id, following: true });
  expect((await app.request('GET', path, { token: colleague.token })).body.following).toBe(false);
});

test('a job of another organisation does not exist', async () => {
  const job_id = await createJob(app, (await app.registerOrgAdmin()).token);
  const { token } = await app.registerOrgAdmin();
  for (const id of [job_id, unknownId]) {
    const { body } = await app.request('GET', `/orgs/me/jobs/${id}/following`, { token });
    expect(body.code).toBe('job_not_found');
  }
});
