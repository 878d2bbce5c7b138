import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { personalData } from './personal-data.ts';
import { recordAudit, type NewAuditEntry } from './record-audit.ts';

const app = await startApp();

const record = (entry: Partial<NewAuditEntry>) =>
  app.sql.transaction((tx) =>
    recordAudit(tx, { now: app.clock.now(), actor: null, action: 'test.done', ...entry }),
  );

const listEntries = (action: string) =>
  app.sql.list(sql`
    select actor_user_id, actor_role, member_id, org_id, detail from audit_log where action = ${action} order by sequence`);

const markForDeletion = (member_id: string) =>
  app.sql.run(sql`update members set account_status = 'pending_deletion' where id = ${member_id}`);

test('an entry has the role that the actor had at the time', async () => {
  const { user_id } = await app.registerMember();
  await record({ action: 'test.role', actor: { user_id, role: 'member' } });
  await app.sql.run(sql`update users set role = 'platform_admin', member_id = null where id = ${user_id}`);
  expect(await listEntries('test.role')).toMatchObject([{ actor_user_id: user_id, actor_role: 'member' }]);
});

test('an entry is rolled back with the transaction that it describes', async () => {
  const failing = app.sql.transaction(async (tx) => {
    await recordAudit(tx, { now: app.clock.now(), actor: null, action: 'test.undone' });
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect(await listEntries('test.undone')).toEqual([]);
});

test('the database refuses to update, delete or truncate entries', async () => {
  const { member_id } = await app.registerMember();
  await record({ action: 'test.unchanged', member_id, detail: { count: 1 } });
  for (const change of [
    sql`update audit_log set action = 'x.y'`,
    sql`update audit_log set member_id = null, detail = '{}'`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
    sql`select sever_audit(${member_id})`,
  ])
    await expect(app.sql.run(change)).rejects.toMatchObject({ code: '23000' });
  expect(await listEntries('test.unchanged')).toMatchObject([{ member_id, detail: { count: 1 } }]);
});

test('erasure removes the member from every entry, and leaves the acts and all other users', async () => {
  const [leaving, staying, organisation] = [
    await app.registerMember(),
    await app.registerMember(),
    await app.registerOrgAdmin(),
  ];
  const { org_id } = organisation;
  await record({
    action: 'test.upon',
    actor: { user_id: organisation.user_id, role: 'org_admin' },
    member_id: leaving.member_id,
    org_id,
    detail: { match_id: 'm' },
  });
  await record({
    action: 'test.by',
    actor: { user_id: leaving.user_id, role: 'member' },
    org_id,
    detail: { match_id: 'm' },
  });
  await record({
    action: 'test.stays',
    actor: { user_id: staying.user_id, role: 'member' },
    member_id: staying.member_id,
    detail: { match_id: 'n' },
  });
  await markForDeletion(leaving.member_id);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, leaving.member_id, noAccounts));
  expect(await listEntries('test.upon')).toEqual([
    { actor_user_id: organisation.user_id, actor_role: 'org_admin', member_id: null, org_id, detail: {} },
  ]);
  expect(await listEntries('test.by')).toEqual([
    { actor_user_id: null, actor_role: 'member', member_id: null, org_id, detail: {} },
  ]);
  expect(await listEntries('test.stays')).toMatchObject([
    { actor_user_id: staying.user_id, member_id: staying.member_id, detail: { match_id: 'n' } },
  ]);
});

test('while a member is erased, the database accepts no other change of that member’s or other members’ entries', async () => {
  const [leaving, staying] = [await app.registerMember(), await app.registerMember()];
  await record({ action: 'test.leaving', member_id: leaving.member_id });
  await record({ action: 'test.staying', member_id: staying.member_id });
  const runDuringErasure = (change: ReturnType<typeof sql>) =>
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
    await expect(runDuringErasure(change)).rejects.toMatchObject({ code: '23000' });
});

test('the export of a member’s data contains the acts of the member and those that concern the member', async () => {
  const [member, organisation] = [await app.registerMember(), await app.registerOrgAdmin()];
  await record({
    action: 'test.copied',
    actor: { user_id: organisation.user_id, role: 'org_admin' },
    member_id: member.member_id,
    org_id: organisation.org_id,
  });
  await record({
    action: 'test.copied',
    actor: { user_id: member.user_id, role: 'member' },
    detail: { count: 1 },
  });
  await record({ action: 'test.copied', actor: { user_id: organisation.user_id, role: 'org_admin' } });
  const [section] = await personalData.exportPersonalData(app.sql, member.member_id, {
    user_ids: [member.user_id],
    emails: [member.email],
  });
  expect(section!.name).toBe('audit_log');
  expect(section!.rows.filter(({ action }) => action === 'test.copied')).toMatchObject([
    { actor_role: 'org_admin', by_member: false, org_id: organisation.org_id, detail: {} },
    { actor_role: 'member', by_member: true, org_id: null, detail: { count: 1 } },
  ]);
  expect(JSON.stringify(section), 'employees are not named').not.toContain(organisation.user_id);
});
