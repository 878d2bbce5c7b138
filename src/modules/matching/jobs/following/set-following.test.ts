import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createJob } from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';

const app = await startApp();

test('a user follows and stops following a job for themselves only, as often as they like', async () => {
  const org = await app.registerOrgAdmin();
  const job_id = await createJob(app, org.token);
  const colleague = await createColleague(app, org.org_id, 'org_viewer');
  const path = `/orgs/me/jobs/${job_id}/following`;
  const listFollowers = async () =>
    (await app.sql.list(sql<{ user_id: string }>`select user_id from job_followers where job_id = ${job_id}`))
      .map(({ user_id }) => user_id)
      .toSorted();
  for (const following of [true, true, false, false, true]) {
    const { status, body } = await app.request('PUT', path, { token: colleague.token, body: { following } });
    expect([status, body]).toEqual([200, { job_id, following }]);
    expect(await listFollowers()).toEqual(
      (following ? [org.user_id, colleague.user_id] : [org.user_id]).toSorted(),
    );
  }
});

test('a missing or wrong value and a job of another organisation are refused', async () => {
  const org = await app.registerOrgAdmin();
  const job_id = await createJob(app, org.token);
  const { token } = await app.registerOrgAdmin();
  for (const id of [job_id, unknownId]) {
    const body = { following: true };
    const reply = await app.request('PUT', `/orgs/me/jobs/${id}/following`, { token, body });
    expect(reply.body.code).toBe('job_not_found');
  }
  for (const body of [{}, { following: 'yes' }]) {
    const reply = await app.request('PUT', `/orgs/me/jobs/${job_id}/following`, { token: org.token, body });
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/following']);
  }
});
