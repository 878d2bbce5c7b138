import { beforeAll, expect, test } from 'vitest';
import { erasePersonalData, exportPersonalData } from './personal-data.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

async function consenting() {
  const person = await app.registerMember();
  for (const consent_type of ['assessment_data', 'identity_queries'])
    await app.request('POST', '/members/me/consent', {
      token: person.token,
      body: { consent_type, granted: true, version: '1' },
    });
  const body = { category: 'archetype', approved: true };
  await app.request('PUT', '/orgs/queries/consent/category', { token: person.token, body });
  return person;
}

const held = async (member_id: string) =>
  (await exportPersonalData(app.sql, member_id)).map(({ name, rows }) => [name, rows.length]);
const marked = (member_id: string) =>
  app.sql.run(sql`update members set account_status = 'pending_deletion' where id = ${member_id}`);

test('every decision is told, in order', async () => {
  const { member_id } = await consenting();
  const [consents, categories] = await exportPersonalData(app.sql, member_id);
  expect(consents!.rows.map(({ consent_type }) => consent_type)).toEqual([
    'assessment_data',
    'identity_queries',
  ]);
  expect(categories!.rows).toEqual([
    { id: expect.any(String), category: 'archetype', approved: true, created_at: app.clock.now() },
  ]);
});

test('the decisions of an account that is marked for deletion can be erased, and nobody else’s go with them', async () => {
  const [leaving, staying] = [await consenting(), await consenting()];
  await marked(leaving.member_id);
  await app.sql.transaction((tx) => erasePersonalData(tx, leaving.member_id));
  expect(await held(leaving.member_id)).toEqual([
    ['consents', 0],
    ['query_categories', 0],
  ]);
  expect(await held(staying.member_id)).toEqual([
    ['consents', 2],
    ['query_categories', 1],
  ]);
});

test('the database refuses every other deletion: of an active account, plainly, or of another member in an erasure', async () => {
  proves('consent-records-append-only');
  const [leaving, staying] = [await consenting(), await consenting()];
  const both = await Promise.all([held(leaving.member_id), held(staying.member_id)]);
  await expect(app.sql.transaction((tx) => erasePersonalData(tx, staying.member_id))).rejects.toThrow(
    'not marked for deletion',
  );
  await marked(leaving.member_id);
  for (const statement of [
    sql`delete from consent_records where member_id = ${leaving.member_id}`,
    sql`delete from query_category_records where member_id = ${leaving.member_id}`,
    sql`delete from consent_records`,
    sql`truncate consent_records, query_category_records`,
    sql`update consent_records set granted = false where member_id = ${leaving.member_id}`,
  ])
    await expect(app.sql.run(statement)).rejects.toThrow('append-only');
  const erasingBoth = app.sql.transaction(async (tx) => {
    await erasePersonalData(tx, leaving.member_id);
    await tx.run(sql`delete from consent_records where member_id = ${staying.member_id}`);
  });
  await expect(erasingBoth).rejects.toThrow('append-only');
  expect(await Promise.all([held(leaving.member_id), held(staying.member_id)])).toEqual(both);
});

test('what an erasure may do ends with it: the next transaction on the connection may not', async () => {
  const { member_id } = await consenting();
  await marked(member_id);
  const later = app.sql.transaction(async (tx) => {
    await erasePersonalData(tx, member_id);
    await tx.run(sql`
      insert into consent_records (id, member_id, consent_type, granted, version, created_at)
      values (gen_random_uuid(), ${member_id}, 'matching', true, '1', now())`);
    await tx.run(sql`delete from consent_records where member_id = ${member_id}`);
  });
  await expect(later).rejects.toThrow('append-only');
});
