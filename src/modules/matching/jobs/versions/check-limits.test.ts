import { beforeEach, expect, test } from 'vitest';
import { setTier } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { logInAgain } from '#test/users.ts';
import { jobLimits } from '../rules.ts';

let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
const app = await startApp({ TESSERA_RATE_LIMITS: 'on' });
beforeEach(async () => {
  app.clock.advance(3_600_000);
  org = await app.registerOrgAdmin();
});

const create = (body: object = {}, token = org.token) =>
  app.request('POST', '/orgs/me/jobs', {
    token,
    body: {
      title: 'Archivist',
      outcome_description: 'The archive is in order.',
      trait_priorities: { persistence: 1 },
      ...body,
    },
  });

const change = (job_id: string, body: object) =>
  app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body });

/** Adds jobs or versions directly, as fast as a test needs them. */
const addJobs = (count: number, status: string) =>
  app.sql.run(sql`
    insert into jobs (id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities, created_at)
    select gen_random_uuid(), ${org.org_id}, 'Archivist', 'The archive is in order.', ${status}, 'none', 'hybrid', '{"persistence": 1}', ${app.clock.now()}
    from generate_series(1, ${count}::int)`);
const addVersions = (job_id: string, count: number, first: number) =>
  app.sql.run(sql`
    insert into job_versions (job_id, version, org_id, trait_priorities, created_at)
    select ${job_id}, version, ${org.org_id}, '{"persistence": 1}', ${app.clock.now()}
    from generate_series(${first}::int, ${first + count - 1}::int) as version`);

test.each(Object.entries(jobLimits))(
  'the tier %s limits active jobs, and not others',
  async (tier, limits) => {
    await setTier(app.platform, { org: org.org_id, tier });
    const { body: first } = await create();
    await addJobs(limits.active_jobs - 2, 'active');
    await addJobs(3, 'draft');
    expect((await create()).status).toBe(201);
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([409, 'job_limit_reached']);
    // A closed job makes room for one other, and is not activated again beyond the limit.
    expect((await change(first.id, { status: 'closed' })).status).toBe(200);
    expect((await create()).status).toBe(201);
    const reopened = await change(first.id, { status: 'active' });
    expect([reopened.status, reopened.body.code]).toEqual([409, 'job_limit_reached']);
    expect((await app.request('GET', `/orgs/me/jobs/${first.id}`, { token: org.token })).body.status).toBe(
      'closed',
    );
  },
);

test.each(Object.entries(jobLimits))('the tier %s limits changes in 24 hours', async (tier, limits) => {
  await setTier(app.platform, { org: org.org_id, tier });
  const { body: job } = await create();
  await addVersions(job.id, limits.daily_changes - 1, 10);
  app.clock.advance(60_000);
  expect((await change(job.id, { trait_priorities: { sincerity: 1 } })).status).toBe(200);
  const refused = await change(job.id, { trait_priorities: { discretion: 1 } });
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    429,
    'change_limit_reached',
    String(24 * 3600 - 60),
  ]);
  const { body } = await app.request('GET', `/orgs/me/jobs/${job.id}`, { token: org.token });
  expect(body.trait_priorities).toEqual({ sincerity: 1 });
  // Texts, repetitions and closing say nothing about members.
  for (const patch of [{ title: 'Keeper' }, { trait_priorities: { sincerity: 1 } }, { status: 'closed' }])
    expect((await change(job.id, patch)).status).toBe(200);
  // Every other field that matching depends on counts, because it singles out members as well.
  for (const patch of [
    { constraints: { years_experience_min: 3 } },
    { clearance_required: 'baseline' },
    { remote_policy: 'remote' },
    { salary_max: 90_000, salary_currency: 'AUD' },
  ])
    expect((await change(job.id, patch)).body.code).toBe('change_limit_reached');
  app.clock.advance(24 * 3_600_000 - 60_000);
  org = { ...org, token: await logInAgain(app, org) };
  expect((await change(job.id, { trait_priorities: { discretion: 1 } })).status).toBe(200);
});

test('creating and closing jobs one after the other is limited as well', async () => {
  const { active_jobs, daily_changes } = jobLimits['E1 Explorer'];
  const { body: job } = await create();
  await addVersions(job.id, active_jobs + daily_changes - 2, 10);
  expect((await create()).status).toBe(201);
  const refused = await create();
  expect([refused.status, refused.body.code]).toEqual([429, 'change_limit_reached']);
});

test('requests at the same time cannot exceed the limit together', async () => {
  await addJobs(jobLimits['E1 Explorer'].active_jobs - 1, 'active');
  const replies = await Promise.all([create(), create(), create()]);
  const statuses = replies.map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409, 409]);
});

test('organisations do not share their limits', async () => {
  await addJobs(jobLimits['E1 Explorer'].active_jobs, 'active');
  const other = await app.registerOrgAdmin();
  expect((await create({}, other.token)).status).toBe(201);
  expect((await create()).status).toBe(409);
});

test('nothing is limited without rate limits', async () => {
  const unlimited = await startApp();
  const { token, org_id } = await unlimited.registerOrgAdmin();
  await unlimited.sql.run(sql`
    insert into jobs (id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities, created_at)
    select gen_random_uuid(), ${org_id}, 'Archivist', 'In order.', 'active', 'none', 'hybrid', '{}', ${unlimited.clock.now()}
    from generate_series(1, 30)`);
  const body = { title: 'Archivist', outcome_description: 'In order.', trait_priorities: { persistence: 1 } };
  expect((await unlimited.request('POST', '/orgs/me/jobs', { token, body })).status).toBe(201);
});
