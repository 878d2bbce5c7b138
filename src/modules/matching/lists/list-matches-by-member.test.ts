import { beforeAll, expect, test } from 'vitest';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import {
  fillSlots,
  createJob,
  findNumberPaths,
  forceMatchStatus,
  tierMeans,
} from '#test/modules/matching.ts';

let app: TestApp;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let admin: Awaited<ReturnType<TestApp['registerPlatformAdmin']>>;
beforeAll(async () => {
  app = await startApp();
  admin = await app.registerPlatformAdmin();
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  for (let made = 0; made < 3; made++) await createJob(app, (await app.registerOrgAdmin()).token);
  await app.drainQueue();
});

const list = (query = '', token = member.token, id = member.member_id) =>
  app.request('GET', `/matches/member/${id}${query}`, { token });

test('a member lists their own matches, and platform administrators anybody’s', async () => {
  proves('match-by-member-endpoint-jwt', 'match-members-see-tier-labels-only');
  const own = await list();
  expect([own.status, own.body.pagination.total_count]).toEqual([200, 3]);
  const ids = own.body.data.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(ids.toSorted());
  for (const { id, ...match } of own.body.data)
    expect({ id, ...match }).toEqual((await app.request('GET', `/matches/${id}`, member)).body);
  expect(findNumberPaths(own.body)).toEqual([]);
  expect((await list('', admin.token)).body).toEqual(own.body);
});

test('it filters by status and pages through', async () => {
  proves('match-by-member-query-parameters');
  const ids = (await list()).body.data.map(({ id }: { id: string }) => id);
  await forceMatchStatus(app, ids[1], 'org_interested');
  expect((await list('?status=org_interested')).body.data[0].id).toBe(ids[1]);
  const first = (await list('?limit=2')).body;
  const rest = (await list(`?limit=2&cursor=${first.pagination.next_cursor}`)).body;
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
  const strange = await list(`?status=pending_review&cursor=${first.pagination.next_cursor}`);
  expect(strange.body.code).toBe('cursor_invalid');
  for (const query of ['?status=open', '?quality=strong', '?limit=101'])
    expect((await list(query)).status).toBe(422);
});

test('another member is as absent as nobody', async () => {
  const other = await app.registerDeployedMember();
  for (const [token, id] of [
    [other.token, member.member_id],
    [member.token, unknownId],
    [admin.token, unknownId],
  ] as const) {
    const { status, body } = await list('', token, id);
    expect([status, body.code]).toEqual([404, 'member_not_found']);
  }
});

test('a member needs engagement level 4, as for their own list', async () => {
  const { token, member_id } = await app.registerMember();
  const { status, body } = await list('', token, member_id);
  expect([status, body.code]).toEqual([403, 'engagement_level_too_low']);
  expect((await list('', admin.token, member_id)).body.data).toEqual([]);
});

test('organisations and strangers do not list a member’s matches', async () => {
  const person = await app.registerOrgAdmin();
  expect((await list('', person.token)).status).toBe(403);
  await app.sql.run(sql`update users set role = 'auditor' where id = ${person.user_id}`);
  expect((await app.request('GET', `/matches/member/${member.member_id}`)).status).toBe(401);
});
