import { expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import {
  fillMeans,
  fillSlots,
  createJob,
  insertMembers,
  findNumberPaths,
  forceMatchStatus,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();
await insertMembers(
  app,
  (['strong', 'moderate', 'exceptional'] as const).map((tier) => ({
    mean: fillMeans(tierMeans[tier]),
    variance: fillSlots(0.15),
  })),
);
const jobs: readonly string[] = [await createJob(app, org.token), await createJob(app, org.token)];
await createJob(app, (await app.registerOrgAdmin()).token);
await app.drainQueue();

type Listed = { readonly id: string; readonly job_id: string; readonly match_quality: string };

const listMatches = (query = '', token = org.token) =>
  app.request('GET', `/orgs/me/matches${query}`, { token });

test('an organisation lists the matches of all its jobs, best tier first and then by random id', async () => {
  proves('match-org-list-endpoint-jwt');
  const { status, body } = await listMatches();
  expect([status, body.pagination]).toEqual([200, { next_cursor: null, has_more: false, total_count: 6 }]);
  const listed: readonly Listed[] = body.data;
  expect(new Set(listed.map(({ job_id }) => job_id))).toEqual(new Set(jobs));
  const order = ['exceptional', 'strong', 'moderate'];
  expect(listed).toEqual(
    listed.toSorted(
      (one, other) =>
        order.indexOf(one.match_quality) - order.indexOf(other.match_quality) || (one.id < other.id ? -1 : 1),
    ),
  );
  expect(findNumberPaths(body)).toEqual([]);
});

test('the list can be filtered by job, quality and status, and read in pages', async () => {
  proves('match-org-list-query-parameters');
  const stored = await listStoredMatches(app, jobs[0]!);
  await forceMatchStatus(app, stored[0]!.id, 'org_passed');
  const listIds = async (query: string) => (await listMatches(query)).body.data.map(({ id }: Listed) => id);
  expect(await listIds(`?job_id=${jobs[0]}`)).toEqual(stored.map(({ id }) => id));
  expect(await listIds('?status=org_passed')).toEqual([stored[0]!.id]);
  expect(await listIds('?quality=exceptional')).toHaveLength(2);
  expect(await listIds(`?quality=strong&status=org_passed&job_id=${jobs[0]}`)).toEqual([]);
  const whole = await listIds('');
  const first = (await listMatches('?limit=4')).body;
  expect([
    ...first.data.map(({ id }: Listed) => id),
    ...(await listIds(`?cursor=${first.pagination.next_cursor}`)),
  ]).toEqual(whole);
});

test('rejects invalid filters and cursors of other organisations', async () => {
  for (const query of ['?quality=weak', '?status=open', '?limit=101', '?job_id=x', '?member_id=1'])
    expect([query, (await listMatches(query)).status]).toEqual([query, 422]);
  const other = await app.registerOrgAdmin();
  const cursor = (await listMatches('?limit=1')).body.pagination.next_cursor;
  expect((await listMatches(`?cursor=${cursor}`, other.token)).body.code).toBe('cursor_invalid');
});

test('another organisation’s matches are not listed, and its job is not found, like a job that does not exist', async () => {
  const other = await app.registerOrgAdmin();
  expect((await listMatches('', other.token)).body.data).toEqual([]);
  for (const job_id of [jobs[0], unknownId]) {
    const { status, body } = await listMatches(`?job_id=${job_id}`, other.token);
    expect([status, body.code]).toEqual([404, 'job_not_found']);
  }
});

test('members, platform administrators and anonymous callers cannot list an organisation’s matches', async () => {
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await listMatches('', token)).status).toBe(403);
  expect((await app.request('GET', '/orgs/me/matches')).status).toBe(401);
});
