import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import { createJob, nurse, logInWithRole } from '#test/modules/jobs.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();

const postJob = (body: unknown, headers: Record<string, string> = {}) =>
  app.request('POST', '/orgs/me/jobs', { token: org.token, body, headers });

const countJobs = async () => (await app.sql.one(sql<{ count: number }>`select count(*) from jobs`)).count;

test('an administrator creates an active job of their organisation', async () => {
  proves(
    'job-create-endpoint-jwt',
    'job-create-request-fields',
    'job-create-starts-active',
    'job-record-fields',
    'job-external-id-form',
    'job-salary-currency-is-currency-code',
  );
  const { status, body } = await postJob(nurse);
  expect(status).toBe(201);
  expect(body).toEqual({
    ...nurse,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    external_id: expect.stringMatching(/^JOB-[0-9A-HJKMNP-TV-Z]{8}$/),
    org_id: org.org_id,
    constraints: {},
    status: 'active',
    created_at: app.clock.now().toISOString(),
    updated_at: app.clock.now().toISOString(),
    external_ref: null,
    metadata: {},
    occupation_code: null,
    notes: [expect.stringContaining('empathic_attunement')],
  });
});

test('the job says in its notes if a trait has more weight than the fit allows', async () => {
  const { title, outcome_description } = nurse;
  const { body } = await postJob({ title, outcome_description, trait_priorities: { persistence: 1 } });
  expect(body.trait_priorities).toEqual({ persistence: 1 });
  expect(body.notes).toEqual([expect.stringContaining('What exceeds this for persistence')]);
});

test('by default, a job requires no clearance, is hybrid and states no salary', async () => {
  proves('job-clearance-required-value-none', 'job-remote-policy-value-hybrid');
  const { title, outcome_description, trait_priorities } = nurse;
  const { body } = await postJob({ title, outcome_description, trait_priorities });
  const noSalary = { salary_min: null, salary_max: null, salary_currency: null };
  expect(body).toMatchObject({ clearance_required: 'none', remote_policy: 'hybrid', ...noSalary });
});

test('a job stores the constraints that a member’s profile must meet', async () => {
  const constraints = {
    location_countries: ['AU'],
    location_states: ['NSW', 'VIC'],
    years_experience_min: 2,
    education_level_min: 'diploma',
  };
  const { status, body } = await postJob({ ...nurse, constraints });
  expect([status, body.constraints]).toEqual([201, constraints]);
  const { body: read } = await app.request('GET', `/orgs/me/jobs/${body.id}`, { token: org.token });
  expect(read.constraints).toEqual(constraints);
});

test('title, outcome_description and trait_priorities are required', async () => {
  const { status, body } = await postJob({});
  expect(status).toBe(422);
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
    '/outcome_description',
    '/title',
    '/trait_priorities',
  ]);
});

test('rejects an invalid field by name and stores nothing', async () => {
  proves('job-trait-priorities-values-0-to-1');
  const before = await countJobs();
  const invalid: readonly [overrides: object, code: string, pointer: string][] = [
    [{ title: '' }, 'field_invalid', '/title'],
    [{ title: 'x'.repeat(201) }, 'field_invalid', '/title'],
    [{ title: 'a\0b' }, 'field_invalid', '/title'],
    [{ outcome_description: '\0' }, 'field_invalid', '/outcome_description'],
    [{ clearance_required: 'secret' }, 'field_invalid', '/clearance_required'],
    [{ remote_policy: 'moon' }, 'field_invalid', '/remote_policy'],
    [{ trait_priorities: { grit: 1 } }, 'trait_code_unknown', '/trait_priorities/grit'],
    [{ trait_priorities: { 'a/b~': 1 } }, 'trait_code_unknown', '/trait_priorities/a~1b~0'],
    [{ trait_priorities: { persistence: 1.01 } }, 'field_invalid', '/trait_priorities/persistence'],
    [{ trait_priorities: { persistence: -0.01 } }, 'field_invalid', '/trait_priorities/persistence'],
    [{ trait_priorities: { persistence: '1' } }, 'field_invalid', '/trait_priorities/persistence'],
    [{ trait_priorities: {} }, 'trait_priorities_empty', '/trait_priorities'],
    [{ trait_priorities: { persistence: 0 } }, 'trait_priorities_empty', '/trait_priorities'],
    [{ trait_priorities: [1] }, 'field_invalid', '/trait_priorities'],
    [{ constraints: { shoe_size: 44 } }, 'field_invalid', '/constraints/shoe_size'],
    [{ constraints: { location_countries: [] } }, 'field_invalid', '/constraints/location_countries'],
    [{ constraints: { location_countries: ['AUS'] } }, 'field_invalid', '/constraints/location_countries/0'],
    [{ constraints: { location_states: ['NSW'] } }, 'field_invalid', '/constraints/location_states'],
    [
      { constraints: { location_countries: ['AU', 'NZ'], location_states: ['NSW'] } },
      'field_invalid',
      '/constraints/location_states',
    ],
    [{ constraints: { years_experience_min: 81 } }, 'field_invalid', '/constraints/years_experience_min'],
    [{ constraints: { education_level_min: 'phd' } }, 'field_invalid', '/constraints/education_level_min'],
    [{ salary_min: 5, salary_max: 4 }, 'field_invalid', '/salary_max'],
    [{ salary_min: -1 }, 'field_invalid', '/salary_min'],
    [{ salary_max: 1_000_000_001 }, 'field_invalid', '/salary_max'],
    [{ salary_min: 1.5 }, 'field_invalid', '/salary_min'],
    [{ salary_currency: 'aud' }, 'field_invalid', '/salary_currency'],
    [{ salary_currency: null }, 'field_invalid', '/salary_currency'],
    [{ status: 'draft' }, 'field_invalid', '/status'],
  ];
  for (const [overrides, code, pointer] of invalid) {
    const { status, body } = await postJob({ ...nurse, ...overrides });
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, code, pointer]);
  }
  expect(await countJobs()).toBe(before);
});

test('creating a job emits job.created, which contains only ids', async () => {
  const { id } = await createJob(app, org.token);
  const events = await app.sql.list(
    sql<{ data: unknown }>`select data from events where type = 'job.created' and data ->> 'job_id' = ${id}`,
  );
  expect(events).toEqual([{ data: { job_id: id, org_id: org.org_id } }]);
});

test('creating a job adds an entry to the audit log of its organisation', async () => {
  const { body } = await postJob(nurse);
  const entries = await app.sql.list(sql`
    select actor_user_id, org_id from audit_log where action = 'jobs.created' and detail->>'job_id' = ${body.id}`);
  expect(entries).toEqual([{ actor_user_id: org.user_id, org_id: org.org_id }]);
});

test('a retry with the same Idempotency-Key creates no second job', async () => {
  const headers = { 'idempotency-key': 'job-1' };
  const [first, again] = [await postJob(nurse, headers), await postJob(nurse, headers)];
  expect(again.body).toEqual(first.body);
  const { count } = await app.sql.one(sql<{ count: number }>`
    select count(*) from events where type = 'job.created' and data ->> 'job_id' = ${first.body.id}`);
  expect(count).toBe(1);
});

test('only administrators of an organisation can create jobs', async () => {
  const viewer = await logInWithRole(app, await app.registerOrgAdmin(), 'org_viewer');
  const member = await app.registerMember();
  const admin = await app.registerPlatformAdmin();
  for (const token of [viewer, member.token, admin.token]) {
    const { status, body } = await app.request('POST', '/orgs/me/jobs', { token, body: nurse });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
  expect((await app.request('POST', '/orgs/me/jobs', { body: nurse })).status).toBe(401);
});

test('a job keeps the code of the occupation whose template it starts from, and refuses what is no code', async () => {
  const { token } = await app.registerOrgAdmin();
  const send = (occupation_code: unknown) =>
    app.request('POST', '/orgs/me/jobs', {
      token,
      body: {
        title: 'Night nurse',
        outcome_description: 'The ward is calm.',
        trait_priorities: { persistence: 1 },
        occupation_code,
      },
    });
  expect((await send('29-1141.00')).body.occupation_code).toBe('29-1141.00');
  const { status, body } = await send('nurse');
  expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', '/occupation_code']);
});

test('one reply names everything that is wrong beyond the schema, for a new job and for a change', async () => {
  const { id } = (await postJob(nurse)).body;
  const wrong = {
    trait_priorities: { charisma: 1 },
    salary_min: 90_000,
    salary_max: 80_000,
    salary_currency: null,
    constraints: { location_states: ['SA'] },
  };
  const before = await countJobs();
  const created = await postJob({ ...nurse, ...wrong });
  const path = `/orgs/me/jobs/${id}`;
  const changed = await app.request('PATCH', path, { token: org.token, body: wrong });
  for (const { status, body } of [created, changed]) {
    expect([status, body.code]).toEqual([422, 'trait_code_unknown']);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/trait_priorities/charisma',
      '/salary_max',
      '/salary_currency',
      '/constraints/location_states',
    ]);
  }
  expect(await countJobs()).toBe(before);
});
