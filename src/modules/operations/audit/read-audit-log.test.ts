import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { recordAudit, type NewAuditEntry } from './record-audit.ts';

const app = await startApp();

type Entry = { id: string; action: string; org_id: string | null };

const record = (entry: Partial<NewAuditEntry>) =>
  app.sql.transaction((tx) =>
    recordAudit(tx, { now: app.clock.now(), actor: null, action: 'test.done', ...entry }),
  );

const read = (token: string, query = '') => app.request('GET', `/audit-log${query}`, { token });

const listTestActions = (body: { data: Entry[] }) =>
  body.data.map(({ action }) => action).filter((action) => action.startsWith('test.'));

test('a member reads only entries about their own acts and acts that concern them, newest first', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  await record({ action: 'test.first', member_id: member.member_id });
  await record({
    action: 'test.second',
    actor: { user_id: member.user_id, role: 'member' },
    detail: { count: 2, reason: null },
  });
  await record({
    action: 'test.foreign',
    member_id: other.member_id,
    actor: { user_id: other.user_id, role: 'member' },
  });
  const { status, body } = await read(member.token);
  expect(status).toBe(200);
  expect(listTestActions(body)).toEqual(['test.second', 'test.first']);
  expect(body.data[0]).toEqual({
    id: expect.any(String),
    action: 'test.second',
    actor: { user_id: member.user_id, role: 'member' },
    member_id: null,
    org_id: null,
    detail: { count: 2, reason: null },
    created_at: app.clock.now().toISOString(),
  });
});

test('a member sees the organisation and the role of an actor, but not the user', async () => {
  const [member, organisation] = [await app.registerMember(), await app.registerOrgAdmin()];
  const { member_id } = member;
  await record({
    actor: { user_id: organisation.user_id, role: 'org_admin' },
    member_id,
    org_id: organisation.org_id,
  });
  const { body } = await read(member.token, '?action=test.done');
  expect(body.data).toMatchObject([
    { actor: { user_id: null, role: 'org_admin' }, member_id, org_id: organisation.org_id },
  ]);
});

test('administrators and auditors read entries of their organisation only, with ids of its users and none of members', async () => {
  const [ours, theirs, member] = [
    await app.registerOrgAdmin(),
    await app.registerOrgAdmin(),
    await app.registerMember(),
  ];
  const auditor = await createColleague(app, ours.org_id, 'auditor');
  const about = { org_id: ours.org_id, member_id: member.member_id };
  await record({ action: 'test.read', actor: { user_id: ours.user_id, role: 'org_admin' }, ...about });
  await record({ action: 'test.accepted', actor: { user_id: member.user_id, role: 'member' }, ...about });
  await record({
    action: 'test.theirs',
    actor: { user_id: theirs.user_id, role: 'org_admin' },
    org_id: theirs.org_id,
  });
  for (const { token } of [ours, auditor]) {
    const { body } = await read(token);
    expect(listTestActions(body)).toEqual(['test.accepted', 'test.read']);
    expect(body.data.every(({ org_id }: Entry) => org_id === ours.org_id)).toBe(true);
    expect(body.data[0]).toMatchObject({ actor: { user_id: null, role: 'member' }, member_id: null });
    expect(body.data[1]).toMatchObject({
      actor: { user_id: ours.user_id, role: 'org_admin' },
      member_id: null,
    });
    expect(JSON.stringify(body)).not.toContain(member.member_id);
    expect(JSON.stringify(body)).not.toContain(member.user_id);
  }
  const byAdmin = await read(auditor.token, `?actor_user_id=${ours.user_id}`);
  expect(listTestActions(byAdmin.body)).toEqual(['test.read']);
  const byMember = await read(auditor.token, `?actor_user_id=${member.user_id}`);
  expect(byMember.body.data, 'a filter reveals nothing that the entries hide').toEqual([]);
});

test('a platform administrator reads all entries, filtered by action, time, actor, member and organisation', async () => {
  const [{ token }, actor] = [await app.registerPlatformAdmin(), await app.registerMember()];
  const [member_id, org_id] = [randomUUID(), randomUUID()];
  await record({ action: 'test.filtered', member_id, actor: { user_id: actor.user_id, role: 'member' } });
  app.clock.advance(1_000);
  const since = app.clock.now().toISOString();
  await record({ action: 'test.filtered', org_id });
  const count = async (query: string) =>
    (await read(token, `?action=test.filtered${query}`)).body.pagination.total_count;
  expect(await count('')).toBe(2);
  for (const query of [
    `&since=${since}`,
    `&until=${since}`,
    `&member_id=${member_id}`,
    `&org_id=${org_id}`,
    `&actor_user_id=${actor.user_id}`,
  ])
    expect([query, await count(query)]).toEqual([query, 1]);
  const { body } = await read(token, `?member_id=${member_id}&action=test.filtered`);
  expect(body.data).toMatchObject([{ actor: { user_id: actor.user_id, role: 'member' }, member_id }]);
});

test('a member sees that a platform administrator read their entries; members’ own reading is not recorded', async () => {
  const [admin, member] = [await app.registerPlatformAdmin(), await app.registerMember()];
  await read(admin.token, `?member_id=${member.member_id}`);
  const before = await read(member.token);
  expect(before.body.data[0]).toMatchObject({
    action: 'audit.log_read',
    actor: { user_id: null, role: 'platform_admin' },
    member_id: member.member_id,
  });
  expect((await read(member.token)).body).toEqual(before.body);
});

test('pages contain every entry once and in order, even if all have the same time', async () => {
  const member = await app.registerMember();
  for (let index = 0; index < 5; index++)
    await record({ action: 'test.paged', member_id: member.member_id, detail: { count: index } });
  const indexes: number[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await read(member.token, `?action=test.paged&limit=2${at}`);
    indexes.push(...body.data.map(({ detail }: { detail: { count: number } }) => detail.count));
    expect(body.pagination.total_count).toBe(5);
    cursor = body.pagination.next_cursor;
  } while (cursor !== null);
  expect(indexes).toEqual([4, 3, 2, 1, 0]);
});

test('a cursor works only for the same reader and the same filter', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  for (const action of ['test.one', 'test.one', 'test.two'] as const)
    await record({ action, member_id: member.member_id });
  const { body } = await read(member.token, '?limit=1&action=test.one');
  const { next_cursor } = body.pagination;
  for (const [token, query] of [
    [member.token, ''],
    [member.token, '&action=test.two'],
    [other.token, '&action=test.one'],
  ] as const) {
    const response = await read(token, `?cursor=${next_cursor}${query}`);
    expect([response.status, response.body.code]).toEqual([400, 'cursor_invalid']);
  }
});

test.each([
  ['?action=Wrong', '/action'],
  ['?action=test', '/action'],
  ['?since=yesterday', '/since'],
  ['?until=2026-12-31T23:58:60Z', '/until'],
  ['?member_id=1', '/member_id'],
  ['?limit=0', '/limit'],
  ['?unknown=1', '/unknown'],
])('rejects the query %s at the field %s', async (query, pointer) => {
  const { token } = await app.registerPlatformAdmin();
  const { status, body } = await read(token, query);
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});

test('only platform administrators may filter by member or organisation', async () => {
  const [member, organisation] = [await app.registerMember(), await app.registerOrgAdmin()];
  for (const [token, query] of [
    [member.token, `?member_id=${member.member_id}`],
    [member.token, `?org_id=${organisation.org_id}`],
    [member.token, `?actor_user_id=${organisation.user_id}`],
    [organisation.token, `?member_id=${member.member_id}`],
    [organisation.token, `?org_id=${unknownId}`],
  ] as const) {
    const { status, body } = await read(token, query);
    expect([query, status, body.code]).toEqual([query, 403, 'role_not_allowed']);
  }
});

test('refuses viewers of an organisation, and callers who are not logged in', async () => {
  const { org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const { status, body } = await read(viewer.token);
  expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  expect((await app.request('GET', '/audit-log')).status).toBe(401);
});
