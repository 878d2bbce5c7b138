import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import { createJob, logInWithRole } from '#test/modules/jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

type Listed = { readonly id: string; readonly title: string; readonly status: string };

const list = (token: string, query = '') => app.request('GET', `/orgs/me/jobs${query}`, { token });

test('an organisation lists its own jobs, newest first', async () => {
  proves('job-list-endpoint-jwt', 'page-cursor-envelope');
  const [org, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const older = await createJob(app, org.token, { title: 'older' });
  app.clock.advance(1);
  const newer = await createJob(app, org.token, { title: 'newer' });
  await createJob(app, other.token);
  const { status, body } = await list(org.token);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [newer, older],
    pagination: { next_cursor: null, has_more: false, total_count: 2 },
  });
});

test('pages hold every job once, also where many were made in one instant', async () => {
  proves('job-list-query-parameters', 'page-cursor-query-parameters');
  const org = await app.registerOrgAdmin();
  const ids: string[] = [];
  for (let made = 0; made < 7; made++) {
    if (made === 3) app.clock.advance(1);
    ids.push((await createJob(app, org.token)).id);
  }
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await list(org.token, `?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(body.pagination).toMatchObject({ total_count: 7, has_more: body.pagination.next_cursor !== null });
    seen.push(...body.data.map(({ id }: Listed) => id));
    cursor = body.pagination.next_cursor;
  }
  expect(seen).toHaveLength(7);
  expect(new Set(seen)).toEqual(new Set(ids));
});

test('the list filters by status, and has the three', async () => {
  proves('job-status-values', 'job-list-query-parameters');
  const org = await app.registerOrgAdmin();
  for (const status of ['active', 'closed', 'draft']) {
    const { id } = await createJob(app, org.token, { title: status });
    await app.sql.run(sql`update jobs set status = ${status} where id = ${id}`);
  }
  for (const status of ['active', 'closed', 'draft']) {
    const { body } = await list(org.token, `?status=${status}`);
    expect(body.data.map((job: Listed) => [job.title, job.status])).toEqual([[status, status]]);
    expect(body.pagination.total_count).toBe(1);
  }
});

test('a cursor works for its own organisation and filters alone', async () => {
  const [org, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  for (const { token } of [org, org, other, other]) await createJob(app, token);
  const cursor = (await list(org.token, '?limit=1')).body.pagination.next_cursor as string;
  expect((await list(org.token, `?limit=1&cursor=${cursor}`)).body.data).toHaveLength(1);
  const strangers = [
    await list(other.token, `?limit=1&cursor=${cursor}`),
    await list(org.token, `?limit=1&status=active&cursor=${cursor}`),
    await list(org.token, '?cursor=nonsense'),
  ];
  expect(strangers.map(({ status, body }) => [status, body.code])).toEqual(
    strangers.map(() => [400, 'cursor_invalid']),
  );
});

test('a page has 100 rows at most, and a status is one of the three', async () => {
  proves('page-limit-max-100');
  const { token } = await app.registerOrgAdmin();
  expect((await list(token, '?limit=100')).status).toBe(200);
  for (const query of ['?limit=101', '?limit=0', '?limit=x', '?status=open', '?page=2'])
    expect((await list(token, query)).status).toBe(422);
});

test('viewers and auditors list jobs; members, operators and strangers do not', async () => {
  const org = await app.registerOrgAdmin();
  const job = await createJob(app, org.token);
  for (const role of ['org_viewer', 'auditor'] as const)
    expect((await list(await logInWithRole(app, org, role))).body.data).toEqual([job]);
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await list(token)).status).toBe(403);
  expect((await app.request('GET', '/orgs/me/jobs')).status).toBe(401);
});
