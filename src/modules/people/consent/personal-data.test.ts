import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { proves } from '#test/requirements.ts';
import { personalData } from './personal-data.ts';

const app = await startApp();

async function registerConsentingMember() {
  const member = await app.registerMember();
  for (const consent_type of ['assessment_data', 'identity_queries'])
    await app.request('POST', '/members/me/consent', {
      token: member.token,
      body: { consent_type, granted: true, version: '1.0' },
    });
  const body = { category: 'archetype', approved: true };
  await app.request('PUT', '/orgs/queries/consent/category', { token: member.token, body });
  return member;
}

const countExportedRows = async (member_id: string) =>
  (await personalData.exportPersonalData(app.sql, member_id, noAccounts)).map(({ name, rows }) => [
    name,
    rows.length,
  ]);
const markForDeletion = (member_id: string) =>
  app.sql.run(sql`update members set account_status = 'pending_deletion' where id = ${member_id}`);

test('exports every decision in order', async () => {
  const { member_id } = await registerConsentingMember();
  const [consents, categories] = await personalData.exportPersonalData(app.sql, member_id, noAccounts);
  expect(consents!.rows.map(({ consent_type }) => consent_type)).toEqual([
    'assessment_data',
    'identity_queries',
  ]);
  expect(categories!.rows).toEqual([
    { id: expect.any(String), category: 'archetype', approved: true, created_at: app.clock.now() },
  ]);
});

test('erases the decisions of an account that is marked for deletion, and no others', async () => {
  const [leaving, staying] = [await registerConsentingMember(), await registerConsentingMember()];
  await markForDeletion(leaving.member_id);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, leaving.member_id, noAccounts));
  expect(await countExportedRows(leaving.member_id)).toEqual([
    ['consents', 0],
    ['query_categories', 0],
  ]);
  expect(await countExportedRows(staying.member_id)).toEqual([
    ['consents', 2],
    ['query_categories', 1],
  ]);
});

test('the database refuses every other change: for an active account, outside an erasure, or for another member during one', async () => {
  proves('consent-records-append-only');
  const [leaving, staying] = [await registerConsentingMember(), await registerConsentingMember()];
  const both = await Promise.all([
    countExportedRows(leaving.member_id),
    countExportedRows(staying.member_id),
  ]);
  await expect(
    app.sql.transaction((tx) => personalData.erasePersonalData(tx, staying.member_id, noAccounts)),
  ).rejects.toThrow('not marked for deletion');
  await markForDeletion(leaving.member_id);
  for (const statement of [
    sql`delete from consent_records where member_id = ${leaving.member_id}`,
    sql`delete from query_category_records where member_id = ${leaving.member_id}`,
    sql`delete from consent_records`,
    sql`truncate consent_records, query_category_records`,
    sql`update consent_records set granted = false where member_id = ${leaving.member_id}`,
  ])
    await expect(app.sql.run(statement)).rejects.toThrow('append-only');
  const erasingBoth = app.sql.transaction(async (tx) => {
    await personalData.erasePersonalData(tx, leaving.member_id, noAccounts);
    await tx.run(sql`delete from consent_records where member_id = ${staying.member_id}`);
  });
  await expect(erasingBoth).rejects.toThrow('append-only');
  expect(
    await Promise.all([countExportedRows(leaving.member_id), countExportedRows(staying.member_id)]),
  ).toEqual(both);
});

test('the permission to delete ends with the erasure, even within the same transaction', async () => {
  const { member_id } = await registerConsentingMember();
  await markForDeletion(member_id);
  const insertAndDelete = app.sql.transaction(async (tx) => {
    await personalData.erasePersonalData(tx, member_id, noAccounts);
    await tx.run(sql`
      insert into consent_records (id, member_id, consent_type, granted, version, created_at)
      values (gen_random_uuid(), ${member_id}, 'matching', true, '1', now())`);
    await tx.run(sql`delete from consent_records where member_id = ${member_id}`);
  });
  await expect(insertAndDelete).rejects.toThrow('append-only');
});
