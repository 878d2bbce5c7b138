import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createJob } from '#test/modules/matching.ts';

const app = await startApp();

const list = (token: string | undefined, job_id: string, query = '') =>
  app.request('GET', `/orgs/me/jobs/${job_id}/references${query}`, token === undefined ? {} : { token });

test('a job without references has an empty list, for administrators and viewers', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token);
  const viewer = await createColleague(app, org_id, 'org_viewer');
  for (const own of [token, viewer.token])
    expect((await list(own, job_id)).body).toEqual({
      data: [],
      pagination: { next_cursor: null, has_more: false, total_count: 0 },
    });
});

test('bad input, strangers, auditors and other organisations get nothing', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token);
  expect((await list(token, job_id, `?external_ref=${'x'.repeat(201)}`)).status).toBe(422);
  expect((await list(token, unknownId)).body.code).toBe('job_not_found');
  expect((await list(undefined, job_id)).status).toBe(401);
  const auditor = await createColleague(app, org_id, 'auditor');
  expect((await list(auditor.token, job_id)).body.code).toBe('role_not_allowed');
  const other = await app.registerOrgAdmin();
  expect((await list(other.token, job_id)).body.code).toBe('job_not_found');
});
