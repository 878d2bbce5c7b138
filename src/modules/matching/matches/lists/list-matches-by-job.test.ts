import { beforeAll, expect, test } from 'vitest';
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

let job_id: string;
const app = await startApp();
const [org, admin] = [await app.registerOrgAdmin(), await app.registerPlatformAdmin()];
beforeAll(async () => {
  const means = (['strong', 'moderate', 'exceptional'] as const).flatMap((tier) =>
    Array<number>(3).fill(tierMeans[tier]),
  );
  await insertMembers(
    app,
    means.map((mean) => ({ mean: fillMeans(mean), variance: fillSlots(0.15) })),
  );
  job_id = await createJob(app, org.token);
  await app.drainQueue();
});

const listMatches = (query = '', token = org.token, id = job_id) =>
  app.request('GET', `/matches/job/${id}${query}`, { token });

test('the organisation gets the same list as from /orgs/me/jobs, and platform administrators get it with the ids of members', async () => {
  proves('match-by-job-endpoint-jwt');
  const same = await app.request('GET', `/orgs/me/jobs/${job_id}/matches`, { token: org.token });
  expect(same.body.data).toHaveLength(9);
  const [asOrg, asAdmin] = [await listMatches(), await listMatches('', admin.token)];
  expect([asOrg.status, asOrg.body]).toEqual([200, same.body]);
  const stored = new Map((await listStoredMatches(app, job_id)).map((match) => [match.id, match]));
  const data = same.body.data.map((match: { readonly id: string }) => ({
    ...match,
    member_id: stored.get(match.id)!.member_id,
    computed_at: stored.get(match.id)!.computed_at.toISOString(),
  }));
  expect(asAdmin.body.data).toEqual(data);
  for (const { body } of [asOrg, asAdmin]) expect(findNumberPaths(body)).toEqual([]);
});

test('the list can be filtered by quality and status, and read in pages', async () => {
  proves('match-by-job-query-parameters');
  const stored = await listStoredMatches(app, job_id);
  await forceMatchStatus(app, stored[4]!.id, 'org_interested');
  expect((await listMatches('?quality=strong')).body.pagination.total_count).toBe(3);
  const filtered = await listMatches('?quality=strong&status=org_interested');
  expect(filtered.body.data.map(({ id }: { id: string }) => id)).toEqual([stored[4]!.id]);
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await listMatches(`?limit=2${cursor}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.pagination.has_more) break;
    cursor = `&cursor=${body.pagination.next_cursor}`;
  }
  expect(seen).toEqual(stored.map(({ id }) => id));
});

test('rejects invalid filters and cursors of other lists', async () => {
  for (const query of ['?quality=weak', '?status=open', '?limit=0', '?limit=101', '?rank=1'])
    expect([query, (await listMatches(query)).status]).toEqual([query, 422]);
  const otherList = await app.request('GET', `/orgs/me/jobs/${job_id}/matches?limit=1`, { token: org.token });
  const { status, body } = await listMatches(`?cursor=${otherList.body.pagination.next_cursor}`);
  expect([status, body.code]).toEqual([400, 'cursor_invalid']);
});

test('another organisation’s job is not found, like a job that does not exist', async () => {
  const other = await app.registerOrgAdmin();
  for (const [token, id] of [
    [other.token, job_id],
    [other.token, unknownId],
    [admin.token, unknownId],
  ] as const) {
    const { status, body } = await listMatches('', token, id);
    expect([status, body.code]).toEqual([404, 'job_not_found']);
  }
});

test('members and anonymous callers cannot list a job’s matches', async () => {
  expect((await listMatches('', (await app.registerMember()).token)).status).toBe(403);
  expect((await app.request('GET', `/matches/job/${job_id}`)).status).toBe(401);
});
