import { beforeAll, expect, test } from 'vitest';
import { erasePersonalData, exportPersonalData } from './personal-data.ts';
import { recordAudit, type NewAuditEntry } from './record-audit.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const record = (entry: Partial<NewAuditEntry>) =>
  app.sql.transaction((tx) =>
    recordAudit(tx, { now: app.clock.now(), actor_user_id: null, action: 'test.done', ...entry }),
  );

const entries = (action: string) =>
  app.sql.list(sql`
    select actor_user_id, actor_role, member_id, org_id, detail from audit_log where action = ${action} order by sequence`);

const markForDeletion = (member_id: string) =>
  app.sql.run(sql`update members set account_status = 'pending_deletion' where id = ${member_id}`);

test('an entry keeps the role that its actor had then', async () => {
  const { user_id } = await app.registerMember();
  await record({ action: 'test.role', actor_user_id: user_id });
  await app.sql.run(sql`update users set role = 'platform_admin', member_id = null where id = ${user_id}`);
  expect(await entries('test.role')).toMatchObject([{ actor_user_id: user_id, actor_role: 'member' }]);
});

test('an entry stands or falls with the transaction that it tells of', async () => {
  const failing = app.sql.transaction(async (tx) => {
    await recordAudit(tx, { now: app.clock.now(), actor_user_id: null, action: 'test.undone' });
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect(await entries('test.undone')).toEqual([]);
});

test('the database refuses to change, delete or truncate entries', async () => {
  const { member_id } = await app.registerMember();
  await record({ action: 'test.kept', member_id, detail: { kept: true } });
  for (const change of [
    sql`update audit_log set action = 'x.y'`,
    sql`update audit_log set member_id = null, detail = '{}'`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
    sql`select sever_audit(${member_id})`,
  ])
    await expect(app.sql.run(change)).rejects.toMatchObject({ code: '23000' });
  expect(await entries('test.kept')).toMatchObject([{ member_id, detail: { kept: true } }]);
});

test('erasure takes a member out of every entry, and leaves what was done and everybody else', async () => {
  const [leaving, staying, organisation] = [
    await app.registerMember(),
    await app.registerMember(),
    await app.registerOrgAdmin(),
  ];
  const { org_id } = organisation;
  await record({
    action: 'test.upon',
    actor_user_id: organisation.user_id,
    member_id: leaving.member_id,
    org_id,
    detail: { match_id: 'm' },
  });
  await record({ action: 'test.by', actor_user_id: leaving.user_id, org_id, detail: { match_id: 'm' } });
  await record({
    action: 'test.stays',
    actor_user_id: staying.user_id,
    member_id: staying.member_id,
    detail: { match_id: 'n' },
  });
  await markForDeletion(leaving.member_id);
  await app.sql.transaction((tx) => erasePersonalData(tx, leaving.member_id));
  expect(await entries('test.upon')).toEqual([
    { actor_user_id: organisation.user_id, actor_role: 'org_admin', member_id: null, org_id, detail: {} },
  ]);
  expect(await entries('test.by')).toEqual([
    { actor_user_id: null, actor_role: 'member', member_id: null, org_id, detail: {} },
  ]);
  expect(await entries('test.stays')).toMatchObject([
    { actor_user_id: staying.user_id, member_id: staying.member_id, detail: { match_id: 'n' } },
  ]);
});

test('while one member is severed, the entries of others stay closed, and the own ones for anything but severing', async () => {
  const [leaving, staying] = [await app.registerMember(), await app.registerMember()];
  await record({ action: 'test.leaving', member_id: leaving.member_id });
  await record({ action: 'test.staying', member_id: staying.member_id });
  const severing = (change: ReturnType<typeof sql>) =>
    app.sql.transaction(async (tx) => {
      await tx.run(sql`select set_config('tessera.severed_member', ${leaving.member_id}, true)`);
      await tx.run(change);
    });
  for (const change of [
    sql`update audit_log set member_id = null where action = 'test.staying'`,
    sql`update audit_log set member_id = ${staying.member_id} where action = 'test.leaving'`,
    sql`update audit_log set action = 'test.changed', member_id = null where action = 'test.leaving'`,
    sql`update audit_log set detail = '{"more": 1}' where action = 'test.leaving'`,
    sql`update audit_log set actor_user_id = ${staying.user_id} where action = 'test.leaving'`,
  ])
    await expect(severing(change)).rejects.toMatchObject({ code: '23000' });
});

test('a copy of a member’s data has what was done to them and by them', async () => {
  const [member, organisation] = [await app.registerMember(), await app.registerOrgAdmin()];
  await record({
    action: 'test.copied',
    actor_user_id: organisation.user_id,
    member_id: member.member_id,
    org_id: organisation.org_id,
  });
  await record({ action: 'test.copied', actor_user_id: member.user_id, detail: { count: 1 } });
  await record({ action: 'test.copied', actor_user_id: organisation.user_id });
  const [held] = await exportPersonalData(app.sql, member.member_id, {
    user_ids: [member.user_id],
    emails: [member.email],
  });
  expect(held!.name).toBe('audit_log');
  expect(held!.rows.filter(({ action }) => action === 'test.copied')).toMatchObject([
    { actor_role: 'org_admin', by_member: false, org_id: organisation.org_id, detail: {} },
    { actor_role: 'member', by_member: true, org_id: null, detail: { count: 1 } },
  ]);
  expect(JSON.stringify(held), 'employees are not named').not.toContain(organisation.user_id);
});
