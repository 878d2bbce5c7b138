import { beforeAll, expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import {
  fillMeans,
  fillSlots,
  createJob,
  findNumberPaths,
  insertMembers,
  forceMatchStatus,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

let job_id: string;
const app = await startApp();
const org = await app.registerOrgAdmin();
beforeAll(async () => {
  const tiers = ['developing', 'strong', 'exceptional', 'moderate', 'none'] as const;
  // Within a tier, members are inserted in descending order of fit. The list must not show that order.
  const vectors = tiers.flatMap((tier) => [0.04, 0.03, 0.02, 0.01, 0].map((more) => tierMeans[tier] + more));
  await insertMembers(
    app,
    vectors.map((mean) => ({ mean: fillMeans(mean), variance: fillSlots(0.15) })),
  );
  job_id = await createJob(app, org.token);
  await app.drainQueue();
});

type Listed = { readonly id: string; readonly match_quality: string; readonly match_status: string };

const listMatches = (query = '', { token = org.token, job = job_id } = {}) =>
  app.request('GET', `/orgs/me/jobs/${job}/matches${query}`, { token });

async function listAllPages(query: string): Promise<Listed[]> {
  const seen: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await listMatches(`?limit=3${query}${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  return seen;
}

test('an organisation lists the matches of its job, best tier first and then by random id', async () => {
  proves(
    'job-matches-endpoint-jwt',
    'match-record-fields',
    'match-quality-value-strong',
    'match-status-values-seen',
  );
  const { status, body } = await listMatches();
  expect(status).toBe(200);
  const stored = await listStoredMatches(app, job_id);
  expect(body.data).toEqual(
    stored.map(({ id, match_quality, match_status }) => ({
      id,
      member_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      member_name: null,
      job_id,
      org_id: org.org_id,
      match_quality,
      match_status,
      provisional: false,
      computed_at: '2026-03-02T00:00:00.000Z',
    })),
  );
  const shown = body.data.map(({ member_id }: { readonly member_id: string }) => member_id);
  expect(new Set([...shown, ...stored.map(({ member_id }) => member_id)]).size).toBe(2 * stored.length);
  const tiers = body.data.map(({ match_quality }: Listed) => match_quality);
  expect([...new Set(tiers)]).toEqual(['exceptional', 'strong', 'moderate', 'developing']);
  expect(body.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 20 });
  expect(body.data.every(({ match_status }: Listed) => match_status === 'pending_review')).toBe(true);
  expect(body.data.every(({ id }: Listed) => id[14] === '8')).toBe(true);
});

test('matches of the tier developing are left out on request, unless somebody has acted on them', async () => {
  const listOthers = () => listMatches('?include_developing=false');
  const { body } = await listOthers();
  expect(body.pagination.total_count).toBe(15);
  expect(body.data.map(({ match_quality }: Listed) => match_quality)).not.toContain('developing');
  for (const query of ['?quality=developing', '?quality=developing&include_developing=false'])
    expect((await listMatches(query)).body.pagination.total_count).toBe(5);
  const [developing] = (await listMatches('?quality=developing')).body.data;
  await forceMatchStatus(app, developing.id, 'org_interested');
  const ids = (await listOthers()).body.data.map(({ id }: Listed) => id);
  expect([ids.length, ids.includes(developing.id)]).toEqual([16, true]);
  await forceMatchStatus(app, developing.id, 'pending_review');
  expect((await listMatches('?include_developing=perhaps')).status).toBe(422);
});

test('pages contain every match once and in the same order', async () => {
  proves('job-matches-query-parameters');
  const whole = (await listMatches('?limit=100')).body.data;
  expect(await listAllPages('')).toEqual(whole);
});

test('the list can be filtered by quality and by status', async () => {
  proves('job-matches-query-parameters', 'match-status-values-seen');
  const stored = await listStoredMatches(app, job_id);
  for (const { id } of stored.slice(0, 7)) await forceMatchStatus(app, id, 'org_interested');
  const strong = await listAllPages('&quality=strong');
  expect(strong.map(({ match_quality }) => match_quality)).toEqual(Array(5).fill('strong'));
  const interested = await listAllPages('&status=org_interested');
  expect(interested.map(({ id }) => id)).toEqual(stored.slice(0, 7).map(({ id }) => id));
  const both = await listMatches('?quality=strong&status=org_interested');
  expect(both.body.pagination.total_count).toBe(2);
  for (const query of ['?quality=weak', '?status=open', '?limit=101', '?score=1'])
    expect((await listMatches(query)).status).toBe(422);
});

test('a cursor works only for the job and the filters that it was issued for', async () => {
  const other = await createJob(app, org.token);
  const cursor: string = (await listMatches('?limit=1')).body.pagination.next_cursor;
  for (const reply of [
    await listMatches(`?cursor=${cursor}`, { job: other }),
    await listMatches(`?quality=strong&cursor=${cursor}`),
  ])
    expect([reply.status, reply.body.code]).toEqual([400, 'cursor_invalid']);
});

test('the list contains no number except the count, and a cursor contains only tier and id', async () => {
  proves('match-members-see-tier-labels-only');
  const { body } = await listMatches('?limit=2');
  expect(findNumberPaths(body)).toEqual([]);
  expect(findNumberPaths({ data: [{ score: 0.5, text: 'top 3' }] })).toEqual([
    '.data.0.score',
    '.data.0.text',
  ]);
  const place = Buffer.from(body.pagination.next_cursor, 'base64url').toString('utf8', 16);
  expect(JSON.parse(place)).toEqual([body.data[1].match_quality, body.data[1].id]);
});

test('another organisation’s job is not found, like a job that does not exist', async () => {
  const other = await app.registerOrgAdmin();
  for (const job of [job_id, unknownId]) {
    const { status, body } = await listMatches('', { token: other.token, job });
    expect([status, body.code]).toEqual([404, 'job_not_found']);
  }
});

test('members, platform administrators and anonymous callers cannot list an organisation’s job matches', async () => {
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await listMatches('', { token })).status).toBe(403);
  expect((await app.request('GET', `/orgs/me/jobs/${job_id}/matches`)).status).toBe(401);
});
