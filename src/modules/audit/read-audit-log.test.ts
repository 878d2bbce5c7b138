import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { recordAudit, type NewAuditEntry } from './record-audit.ts';
import type { OrgRole } from '#lib/caller.ts';
import { createUser } from '#modules/auth';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { password, createEmail } from '#test/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

type Entry = { id: string; action: string; org_id: string | null };

const record = (entry: Partial<NewAuditEntry>) =>
  app.sql.transaction((tx) =>
    recordAudit(tx, { now: app.clock.now(), actor_user_id: null, action: 'test.done', ...entry }),
  );

const read = (token: string, query = '') => app.request('GET', `/audit-log${query}`, { token });

const actionsOf = (body: { data: Entry[] }) =>
  body.data.map(({ action }) => action).filter((action) => action.startsWith('test.'));

async function colleague(org_id: string, role: OrgRole) {
  const email = createEmail();
  const { id } = await createUser(app.platform, { email, password, role, org_id });
  const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
  return { token: body.access_token as string, user_id: id };
}

test('a member reads what was done to them and what they did, the newest first, and nothing else', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  await record({ action: 'test.first', member_id: member.member_id });
  await record({ action: 'test.second', actor_user_id: member.user_id, detail: { count: 2, why: null } });
  await record({ action: 'test.foreign', member_id: other.member_id, actor_user_id: other.user_id });
  const { status, body } = await read(member.token);
  expect(status).toBe(200);
  expect(actionsOf(body)).toEqual(['test.second', 'test.first']);
  expect(body.data[0]).toEqual({
    id: expect.any(String),
    action: 'test.second',
    actor: { user_id: member.user_id, role: 'member' },
    member_id: null,
    org_id: null,
    detail: { count: 2, why: null },
    created_at: app.clock.now().toISOString(),
  });
});

test('a member is told which organisation and which role acted upon them, and no user of it', async () => {
  const [member, organisation] = [await app.registerMember(), await app.registerOrgAdmin()];
  const { member_id } = member;
  await record({ actor_user_id: organisation.user_id, member_id, org_id: organisation.org_id });
  const { body } = await read(member.token, '?action=test.done');
  expect(body.data).toMatchObject([
    { actor: { user_id: null, role: 'org_admin' }, member_id, org_id: organisation.org_id },
  ]);
});

test('administrators and auditors read about their organisation alone, their people by id, and never which member', async () => {
  const [ours, theirs, member] = [
    await app.registerOrgAdmin(),
    await app.registerOrgAdmin(),
    await app.registerMember(),
  ];
  const auditor = await colleague(ours.org_id, 'auditor');
  const about = { org_id: ours.org_id, member_id: member.member_id };
  await record({ action: 'test.read', actor_user_id: ours.user_id, ...about });
  await record({ action: 'test.answered', actor_user_id: member.user_id, ...about });
  await record({ action: 'test.theirs', actor_user_id: theirs.user_id, org_id: theirs.org_id });
  for (const { token } of [ours, auditor]) {
    const { body } = await read(token);
    expect(actionsOf(body)).toEqual(['test.answered', 'test.read']);
    expect(body.data.every(({ org_id }: Entry) => org_id === ours.org_id)).toBe(true);
    expect(body.data[0]).toMatchObject({ actor: { user_id: null, role: 'member' }, member_id: null });
    expect(body.data[1]).toMatchObject({
      actor: { user_id: ours.user_id, role: 'org_admin' },
      member_id: null,
    });
    expect(JSON.stringify(body)).not.toContain(member.member_id);
    expect(JSON.stringify(body)).not.toContain(member.user_id);
  }
  const acted = await read(auditor.token, `?actor_user_id=${ours.user_id}`);
  expect(actionsOf(acted.body)).toEqual(['test.read']);
  const asked = await read(auditor.token, `?actor_user_id=${member.user_id}`);
  expect(asked.body.data, 'a filter tells nothing that the entries hide').toEqual([]);
});

test('a platform administrator reads everything, by action, time, actor, member and organisation', async () => {
  const [{ token }, actor] = [await app.registerPlatformAdmin(), await app.registerMember()];
  const [member_id, org_id] = [randomUUID(), randomUUID()];
  await record({ action: 'test.filtered', member_id, actor_user_id: actor.user_id });
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

test('whoever is read about by a platform administrator sees it; an own reading leaves no trace', async () => {
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

test('pages hold every entry once, in order, though all are of one instant', async () => {
  const member = await app.registerMember();
  const detailOf = (index: number) => ({ index });
  for (let index = 0; index < 5; index++)
    await record({ action: 'test.paged', member_id: member.member_id, detail: detailOf(index) });
  const told: number[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await read(member.token, `?action=test.paged&limit=2${at}`);
    told.push(...body.data.map(({ detail }: { detail: { index: number } }) => detail.index));
    expect(body.pagination.total_count).toBe(5);
    cursor = body.pagination.next_cursor;
  } while (cursor !== null);
  expect(told).toEqual([4, 3, 2, 1, 0]);
});

test('a cursor works for its reader and its filter only', async () => {
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
    const answer = await read(token, `?cursor=${next_cursor}${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'cursor_invalid']);
  }
});

test.each([
  ['?action=Wrong', '/action'],
  ['?action=test', '/action'],
  ['?since=yesterday', '/since'],
  ['?until=2026-12-31T23:59:60Z', '/until'],
  ['?member_id=1', '/member_id'],
  ['?limit=0', '/limit'],
  ['?unknown=1', '/unknown'],
])('%s is refused, by its name', async (query, pointer) => {
  const { token } = await app.registerPlatformAdmin();
  const { status, body } = await read(token, query);
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});

test('nobody but a platform administrator asks about others', async () => {
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

test('viewers of an organisation do not read its log, and nobody reads it without signing in', async () => {
  const { org_id } = await app.registerOrgAdmin();
  const viewer = await colleague(org_id, 'org_viewer');
  const { status, body } = await read(viewer.token);
  expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  expect((await app.request('GET', '/audit-log')).status).toBe(401);
});
