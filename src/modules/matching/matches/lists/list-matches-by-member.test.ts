import { expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { logInWithRole } from '#test/modules/jobs.ts';
import {
  fillMeans,
  createJob,
  findNumberPaths,
  forceMatchStatus,
  tierMeans,
} from '#test/modules/matching.ts';

const app = await startApp();
const admin = await app.registerPlatformAdmin();
const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
for (let count = 0; count < 3; count++) await createJob(app, (await app.registerOrgAdmin()).token);
await app.drainQueue();

const listMatches = (query = '', token = member.token, id = member.member_id) =>
  app.request('GET', `/matches/member/${id}${query}`, { token });

test('members can list their own matches, and platform administrators those of any member', async () => {
  proves('match-by-member-endpoint-jwt', 'match-members-see-tier-labels-only');
  const reply = await listMatches();
  expect([reply.status, reply.body.pagination.total_count]).toEqual([200, 3]);
  const ids = reply.body.data.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(ids.toSorted());
  for (const { id, ...match } of reply.body.data)
    expect({ id, ...match }).toEqual((await app.request('GET', `/matches/${id}`, member)).body);
  expect(findNumberPaths(reply.body)).toEqual([]);
  expect((await listMatches('', admin.token)).body).toEqual(reply.body);
});

test('the list can be filtered by status and read in pages', async () => {
  proves('match-by-member-query-parameters');
  const ids = (await listMatches()).body.data.map(({ id }: { id: string }) => id);
  await forceMatchStatus(app, ids[1], 'org_interested');
  expect((await listMatches('?status=org_interested')).body.data[0].id).toBe(ids[1]);
  const first = (await listMatches('?limit=2')).body;
  const rest = (await listMatches(`?limit=2&cursor=${first.pagination.next_cursor}`)).body;
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
  const otherFilter = await listMatches(`?status=pending_review&cursor=${first.pagination.next_cursor}`);
  expect(otherFilter.body.code).toBe('cursor_invalid');
  for (const query of ['?status=open', '?quality=strong', '?limit=101'])
    expect((await listMatches(query)).status).toBe(422);
});

test('another member is not found, like a member that does not exist', async () => {
  const other = await app.registerDeployedMember();
  for (const [token, id] of [
    [other.token, member.member_id],
    [member.token, unknownId],
    [admin.token, unknownId],
  ] as const) {
    const { status, body } = await listMatches('', token, id);
    expect([status, body.code]).toEqual([404, 'member_not_found']);
  }
});

test('the matches stay readable after the consent to matching is withdrawn', async () => {
  const own = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  const other = await app.registerOrgAdmin();
  await createJob(app, other.token);
  await app.drainQueue();
  const before = (await listMatches('', own.token, own.member_id)).body.data;
  expect(before.length).toBeGreaterThan(0);
  const body = { consent_type: 'matching', granted: false, version: '1.0' };
  await app.request('POST', '/members/me/consent', { token: own.token, body });
  await app.drainQueue();
  const withdrawn = before.map((match: object) => ({ ...match, match_status: 'withdrawn' }));
  for (const token of [own.token, admin.token])
    expect((await listMatches('', token, own.member_id)).body.data).toEqual(withdrawn);
  const { id } = withdrawn.find(({ org_id }: { org_id: string }) => org_id === other.org_id);
  for (const { token } of [own, other])
    expect((await app.request('GET', `/matches/${id}`, { token })).body.match_status).toBe('withdrawn');
  expect((await app.request('GET', '/members/me/matches', own)).body.code).toBe('engagement_level_too_low');
});

test('a member who was never matched has an empty list', async () => {
  const { token, member_id } = await app.registerMember();
  for (const each of [token, admin.token]) {
    const { status, body } = await listMatches('', each, member_id);
    expect([status, body.data]).toEqual([200, []]);
  }
});

test('organisations and anonymous callers cannot list a member’s matches', async () => {
  const user = await app.registerOrgAdmin();
  expect((await listMatches('', user.token)).status).toBe(403);
  expect((await listMatches('', await logInWithRole(app, user, 'auditor'))).status).toBe(403);
  expect((await app.request('GET', `/matches/member/${member.member_id}`)).status).toBe(401);
});
