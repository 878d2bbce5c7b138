import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createJob } from '#test/modules/matching.ts';

const app = await startApp();
const minutes = 60_000;

test('a visit lasts until half an hour passes, for each user alone', async () => {
  const org = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const job_id = await createJob(app, org.token);
  const visit = async (token: string) =>
    (await app.request('POST', `/orgs/me/jobs/${job_id}/visits`, { token })).body;
  expect(await visit(org.token)).toEqual({ job_id, new_since: null });
  app.clock.advance(20 * minutes);
  const ended = app.clock.now().toISOString();
  expect((await visit(org.token)).new_since).toBeNull();
  app.clock.advance(31 * minutes);
  expect((await visit(org.token)).new_since).toBe(ended);
  app.clock.advance(minutes);
  expect((await visit(org.token)).new_since).toBe(ended);
  expect((await visit(viewer.token)).new_since).toBeNull();
});

test('refuses bad input, strangers, other roles and the jobs of other organisations', async () => {
  const org = await app.registerOrgAdmin();
  const job_id = await createJob(app, org.token);
  const visit = (id: string, token?: string) =>
    app.request('POST', `/orgs/me/jobs/${id}/visits`, { ...(token !== undefined && { token }) });
  expect((await visit('x', org.token)).status).toBe(422);
  expect((await visit(job_id)).status).toBe(401);
  const auditor = await createColleague(app, org.org_id, 'auditor');
  for (const { token } of [auditor, await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await visit(job_id, token)).body.code).toBe('role_not_allowed');
  expect((await visit(unknownId, org.token)).body.code).toBe('job_not_found');
  expect((await visit(job_id, (await app.registerOrgAdmin()).token)).body.code).toBe('job_not_found');
});
