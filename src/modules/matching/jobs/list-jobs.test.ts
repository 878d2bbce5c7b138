import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import { createJob, logInWithRole } from '#test/modules/jobs.ts';

const app = await startApp();

type Listed = { readonly id: string; readonly title: string; readonly status: string };

const listJobs = (token: string, query = '') => app.request('GET', `/orgs/me/jobs${query}`, { token });

test('an organisation lists only its own jobs, newest first', async () => {
  proves('job-list-endpoint-jwt', 'page-cursor-envelope');
  const [org, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const older = await createJob(app, org.token, { title: 'older' });
  app.clock.advance(1);
  const newer = await createJob(app, org.token, { title: 'newer' });
  await createJob(app, other.token);
  const { status, body } = await listJobs(org.token);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [newer, older],
    pagination: { next_cursor: null, has_more: false, total_count: 2 },
  });
});

test('pages contain every job once, even when several were created at the same time', async () => {
  proves('job-list-query-parameters', 'page-cursor-query-parameters');
  const org = await app.registerOrgAdmin();
  const ids: string[] = [];
  for (let count = 0; count < 7; count++) {
    if (count === 3) app.clock.advance(1);
    ids.push((await createJob(app, org.token)).id);
  }
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await listJobs(org.token, `?limit=2&cursor=${cursor}`);
    expect(body.pagination).toMatchObject({ total_count: 7, has_more: body.pagination.next_cursor !== null });
    seen.push(...body.data.map(({ id }: Listed) => id));
    cursor = body.pagination.next_cursor;
  }
  expect(seen).toHaveLength(7);
  expect(new Set(seen)).toEqual(new Set(ids));
});

test('the list can be filtered by each of the three statuses', async () => {
  proves('job-status-values', 'job-list-query-parameters');
  const org = await app.registerOrgAdmin();
  for (const status of ['active', 'closed', 'draft']) {
    const { id } = await createJob(app, org.token, { title: status });
    await app.sql.run(sql`update jobs set status = ${status} where id = ${id}`);
  }
  for (const status of ['active', 'closed', 'draft']) {
    const { body } = await listJobs(org.token, `?status=${status}`);
    expect(body.data.map((job: Listed) => [job.title, job.status])).toEqual([[status, status]]);
    expect(body.pagination.total_count).toBe(1);
  }
});

test('a program finds its job by the id that it gave, among the jobs of its organisation', async () => {
  const [org, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const metadata = { hiring_round: 'autumn' };
  const mine = await createJob(app, org.token, { external_ref: 'ats/47 11', metadata });
  await createJob(app, org.token);
  await createJob(app, other.token, { external_ref: 'ats/47 11' });
  const { body } = await listJobs(org.token, `?external_ref=${encodeURIComponent('ats/47 11')}`);
  expect(body).toEqual({ data: [mine], pagination: { next_cursor: null, has_more: false, total_count: 1 } });
  expect(mine).toMatchObject({ external_ref: 'ats/47 11', metadata });
});

test('a program asks for what was created or changed since it asked last', async () => {
  const { token } = await app.registerOrgAdmin();
  const [changed, closed] = [
    await createJob(app, token),
    await createJob(app, token),
    await createJob(app, token),
  ];
  app.clock.advance(60_000);
  const since = app.clock.now().toISOString();
  const patch = (id: string, body: object) => app.request('PATCH', `/orgs/me/jobs/${id}`, { token, body });
  await patch(changed.id, { metadata: { stage: '2' } });
  await patch(closed.id, { status: 'closed' });
  const added = await createJob(app, token);
  const { body } = await listJobs(token, `?updated_since=${since}`);
  expect(body.data.map(({ id }: Listed) => id).toSorted()).toEqual(
    [changed.id, closed.id, added.id].toSorted(),
  );
  expect(body.data[0].updated_at).toBe(since);
  app.clock.advance(1);
  await patch(changed.id, { metadata: { stage: '2' } });
  const later = await listJobs(token, `?updated_since=${app.clock.now().toISOString()}`);
  expect(later.body.data).toEqual([]);
});

test('a cursor works only for the organisation and the filters that it was issued for', async () => {
  const [org, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  for (const { token } of [org, org, other, other]) await createJob(app, token);
  const cursor: string = (await listJobs(org.token, '?limit=1')).body.pagination.next_cursor;
  expect((await listJobs(org.token, `?limit=1&cursor=${cursor}`)).body.data).toHaveLength(1);
  const replies = [
    await listJobs(other.token, `?limit=1&cursor=${cursor}`),
    await listJobs(org.token, `?limit=1&status=active&cursor=${cursor}`),
    await listJobs(org.token, '?cursor=nonsense'),
  ];
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
    replies.map(() => [400, 'cursor_invalid']),
  );
});

test('rejects a limit above 100 and an unknown status', async () => {
  proves('page-limit-max-100');
  const { token } = await app.registerOrgAdmin();
  expect((await listJobs(token, '?limit=100')).status).toBe(200);
  for (const query of ['?limit=101', '?limit=0', '?limit=x', '?status=open', '?page=2'])
    expect((await listJobs(token, query)).status).toBe(422);
});

test('viewers and auditors can list jobs; members, platform administrators and anonymous callers cannot', async () => {
  const org = await app.registerOrgAdmin();
  const job = await createJob(app, org.token);
  for (const role of ['org_viewer', 'auditor'] as const)
    expect((await listJobs(await logInWithRole(app, org, role))).body.data).toEqual([job]);
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await listJobs(token)).status).toBe(403);
  expect((await app.request('GET', '/orgs/me/jobs')).status).toBe(401);
});
