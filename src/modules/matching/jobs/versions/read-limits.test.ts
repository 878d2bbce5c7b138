import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createJob } from '#test/modules/matching.ts';

const app = await startApp();

const path = '/orgs/me/jobs/limits';

test('every user of an organisation reads what the tier allows and what is used, of their organisation only', async () => {
  const org = await app.registerOrgAdmin();
  const job = await createJob(app, org.token);
  await createJob(app, org.token);
  await createJob(app, (await app.registerOrgAdmin()).token);
  const body = { trait_priorities: { sincerity: 1, discretion: 1, persistence: 0.5 } };
  await app.request('PATCH', `/orgs/me/jobs/${job}`, { token: org.token, body });
  await app.request('PATCH', `/orgs/me/jobs/${job}`, { token: org.token, body: { status: 'closed' } });
  const { token } = await createColleague(app, org.org_id, 'org_viewer');
  expect((await app.request('GET', path, { token })).body).toEqual({
    active_jobs: { used: 1, limit: 25 },
    daily_changes: { used: 1, limit: 50 },
  });
  await app.sql.run(sql`update organisations set tier = 'E2 Builder' where id = ${org.org_id}`);
  app.clock.advance(24 * 60 * 60 * 1000 + 1);
  const later = await createColleague(app, org.org_id, 'auditor');
  expect((await app.request('GET', path, { token: later.token })).body).toEqual({
    active_jobs: { used: 1, limit: 100 },
    daily_changes: { used: 0, limit: 200 },
  });
});
