import { describe, expect, it, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import { describeLimits } from './trait-shares.ts';
import { createJob, nurse, logInWithRole } from '#test/modules/jobs.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();

const patchJob = (job_id: string, body: unknown, token = org.token) =>
  app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token, body });

const readJob = async (job_id: string) =>
  (await app.request('GET', `/orgs/me/jobs/${job_id}`, { token: org.token })).body;

const listChangeEvents = async (job_id: string) =>
  (
    await app.sql.list(
      sql<{
        type: string;
      }>`select type from events where data->>'job_id' = ${job_id} and type <> 'job.created' order by created_at, id`,
    )
  ).map(({ type }) => type);

test('an administrator changes the fields they name and no others', async () => {
  proves('job-patch-endpoint-jwt', 'job-patch-accepts-partial-fields');
  const job = await createJob(app, org.token);
  const changes: readonly object[] = [
    { title: 'Day nurse' },
    { trait_priorities: { persistence: 1 } },
    { constraints: { location_countries: ['NZ'], years_experience_min: 3 } },
    { outcome_description: 'Everybody is well.', remote_policy: 'hybrid' },
    { salary_min: null, salary_max: 100_000 },
    { status: 'draft' },
    {},
  ];
  const expected = { ...job };
  for (const change of changes) {
    Object.assign(expected, change);
    expected.notes = describeLimits(expected.trait_priorities);
    const { status, body } = await patchJob(job.id, change);
    expect([status, body]).toEqual([200, expected]);
    expect(await readJob(job.id)).toEqual(expected);
  }
  const { body } = await patchJob(job.id, { constraints: {} });
  expect(body.constraints).toEqual({});
});

test('a job can change from any status to any of the three', async () => {
  proves('job-patch-status-sets-any-of-three');
  const { id } = await createJob(app, org.token);
  for (const status of ['draft', 'closed', 'active', 'closed', 'draft', 'active', 'draft', 'draft'])
    expect((await patchJob(id, { status })).body.status).toBe(status);
});

test('emits an event when an active job changes its requirements or a job becomes active or closed, and at no other time', async () => {
  const cases: readonly [from: string, change: object, events: readonly string[]][] = [
    ['active', { trait_priorities: { persistence: 1 } }, ['job.changed']],
    ['active', { constraints: { location_countries: ['AU'] } }, ['job.changed']],
    ['active', { clearance_required: 'none' }, ['job.changed']],
    ['active', { title: 'Other', outcome_description: 'Other' }, []],
    ['active', { trait_priorities: nurse.trait_priorities, status: 'active' }, []],
    ['active', { status: 'closed', trait_priorities: { persistence: 1 } }, ['job.closed']],
    ['active', { status: 'draft' }, []],
    ['draft', { trait_priorities: { persistence: 1 } }, []],
    ['draft', { status: 'active', trait_priorities: { persistence: 1 } }, ['job.activated']],
    ['closed', { status: 'active' }, ['job.activated']],
    ['closed', { constraints: { location_countries: ['AU'] } }, []],
  ];
  for (const [from, change, events] of cases) {
    const { id } = await createJob(app, org.token);
    await app.sql.run(sql`update jobs set status = ${from} where id = ${id}`);
    await patchJob(id, change);
    expect([from, change, await listChangeEvents(id)]).toEqual([from, change, events]);
  }
});

test('the audit log names the fields that changed and has no entry when none did', async () => {
  const { id } = await createJob(app, org.token);
  await patchJob(id, { title: 'Day nurse', salary_min: 80_000, remote_policy: 'onsite' });
  await patchJob(id, { title: 'Day nurse' });
  const entries = await app.sql.list(sql`
    select action, actor_user_id, detail from audit_log where detail->>'job_id' = ${id} and action <> 'jobs.created'`);
  const detail = { job_id: id, fields: 'title, salary_min' };
  expect(entries).toEqual([{ action: 'jobs.updated', actor_user_id: org.user_id, detail }]);
});

test('rejects an invalid field by name and changes nothing', async () => {
  proves('trait-job-codes-validated-against-mvp-20');
  const job = await createJob(app, org.token);
  const invalid: readonly [body: object, code: string, pointer: string][] = [
    [{ title: ' ' }, 'field_invalid', '/title'],
    [{ status: 'open' }, 'field_invalid', '/status'],
    [{ salary: 1 }, 'field_invalid', '/salary'],
    [{ id: unknownId }, 'field_invalid', '/id'],
    [{ trait_priorities: { grit: 1 } }, 'trait_code_unknown', '/trait_priorities/grit'],
    [{ trait_priorities: { persistence: 0 } }, 'trait_priorities_empty', '/trait_priorities'],
    [{ trait_priorities: {} }, 'trait_priorities_empty', '/trait_priorities'],
    [{ trait_priorities: { persistence: 2 } }, 'field_invalid', '/trait_priorities/persistence'],
    [{ constraints: { location_states: ['NSW'] } }, 'field_invalid', '/constraints/location_states'],
    // These contradict the stored salary.
    [{ salary_max: 77_999 }, 'field_invalid', '/salary_max'],
    [{ salary_currency: null }, 'field_invalid', '/salary_currency'],
  ];
  for (const [body, code, pointer] of invalid) {
    const reply = await patchJob(job.id, body);
    expect([body, reply.status, reply.body.code, reply.body.errors?.[0].pointer]).toEqual([
      body,
      422,
      code,
      pointer,
    ]);
  }
  expect(await readJob(job.id)).toEqual(job);
  expect(await listChangeEvents(job.id)).toEqual([]);
});

test('rejects priorities that are not finite numbers', async () => {
  const { id } = await createJob(app, org.token);
  const patchPriority = (text: string) =>
    app.request('PATCH', `/orgs/me/jobs/${id}`, {
      token: org.token,
      raw: `{"trait_priorities": {"persistence": ${text}}}`,
    });
  expect((await patchPriority('NaN')).body.code).toBe('body_malformed');
  expect((await patchPriority('Infinity')).body.code).toBe('body_malformed');
  expect((await patchPriority('1e999')).body.code).toBe('field_invalid');
});

test('another organisation’s job is not found, like a job that does not exist', async () => {
  const other = await app.registerOrgAdmin();
  const job = await createJob(app, org.token);
  for (const id of [job.id, unknownId]) {
    const { status, body } = await patchJob(id, { title: 'Ours' }, other.token);
    expect([status, body.code]).toEqual([404, 'job_not_found']);
  }
  expect(await readJob(job.id)).toEqual(job);
});

test('only administrators of the organisation can change its jobs', async () => {
  const colleague = await app.registerOrgAdmin();
  const { id } = await createJob(app, colleague.token);
  const [member, admin] = [await app.registerMember(), await app.registerPlatformAdmin()];
  const tokens = [member.token, admin.token];
  for (const role of ['org_viewer', 'auditor'] as const)
    tokens.push(await logInWithRole(app, colleague, role));
  for (const token of tokens) expect((await patchJob(id, { title: 'x' }, token)).status).toBe(403);
  expect((await app.request('PATCH', `/orgs/me/jobs/${id}`, { body: {} })).status).toBe(401);
});

test('PATCH sets, keeps and removes the occupation, and a new one is a new version of the job', async () => {
  const job = await createJob(app, org.token);
  expect(job.occupation_code).toBeNull();
  const set = await patchJob(job.id, { occupation_code: '19-2041.00' });
  expect([set.status, set.body.occupation_code]).toEqual([200, '19-2041.00']);
  const kept = await patchJob(job.id, { title: 'Day nurse' });
  expect(kept.body.occupation_code).toBe('19-2041.00');
  expect((await patchJob(job.id, { occupation_code: 'nurse' })).status).toBe(422);
  const removed = await patchJob(job.id, { occupation_code: null });
  expect(removed.body.occupation_code).toBeNull();
});

describe('notes of a program', () => {
  it('change without a new version of the job, and are replaced as a whole', async () => {
    const { token } = await app.registerOrgAdmin();
    const { id } = await createJob(app, token, { external_ref: 'a', metadata: { round: '1', centre: '2' } });
    const path = `/orgs/me/jobs/${id}`;
    const countVersions = () =>
      app.sql.count(sql<{ count: number }>`select count(*) from job_versions where job_id = ${id}`);
    const { status, body } = await app.request('PATCH', path, {
      token,
      body: { external_ref: null, metadata: { round: '2' } },
    });
    expect([status, body.external_ref, body.metadata]).toEqual([200, null, { round: '2' }]);
    expect(await countVersions()).toBe(1);
    expect((await app.request('GET', path, { token })).body).toEqual(body);
  });

  it.each([
    [
      '/metadata',
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v'])) },
    ],
    ['/metadata/key', { metadata: { key: 'x'.repeat(501) } }],
    ['/metadata/key', { metadata: { key: 1 } }],
    ['/metadata', { metadata: { ['k'.repeat(41)]: 'v' } }],
    ['/metadata', { metadata: { '': 'v' } }],
    ['/external_ref', { external_ref: '' }],
    ['/external_ref', { external_ref: 'x'.repeat(201) }],
  ])('are bounded: %s', async (pointer, body) => {
    const { token } = await app.registerOrgAdmin();
    const { id } = await createJob(app, token);
    const reply = await app.request('PATCH', `/orgs/me/jobs/${id}`, { token, body });
    expect([reply.status, reply.body.code]).toEqual([422, 'field_invalid']);
    expect(reply.body.errors[0].pointer).toMatch(new RegExp(`^${pointer}`));
  });
});
