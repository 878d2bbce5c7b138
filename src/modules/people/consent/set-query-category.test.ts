import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const put = (token: string, body: unknown) =>
  app.request('PUT', '/orgs/queries/consent/category', { token, body });
const decide = (token: string, consent_type: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', { token, body: { consent_type, granted, version: '1.0' } });
const listRecords = (member_id: string) =>
  app.sql.list(sql<{ category: string; approved: boolean; created_at: Date }>`
    select category, approved, created_at from query_category_records where member_id = ${member_id} order by sequence`);

/** Registers a member at consent level L2. */
async function registerSellingMember() {
  const member = await app.registerMember();
  await decide(member.token, 'assessment_data', true);
  await decide(member.token, 'identity_queries', true);
  return member;
}

test('approves a category at level L2, returns all categories and writes an audit entry', async () => {
  proves(
    'consent-category-put-endpoint-jwt',
    'consent-query-category-fields',
    'consent-category-value-trait-profile',
  );
  const { token, member_id, user_id } = await registerSellingMember();
  const { status, body } = await put(token, { category: 'trait_profile', approved: true });
  expect([status, body.consent_level]).toEqual([200, 'selective']);
  expect(body.categories).toContainEqual({
    category: 'trait_profile',
    approved: true,
    updated_at: app.clock.now().toISOString(),
  });
  const entries = await app.sql.list(sql`
    select action, actor_user_id from audit_log where member_id = ${member_id} and action like 'consent.category%'`);
  expect(entries).toEqual([{ action: 'consent.category_approved', actor_user_id: user_id }]);
});

test('each change adds a record, and repeating a decision adds none', async () => {
  proves('consent-records-append-only');
  const { token, member_id } = await registerSellingMember();
  for (const approved of [true, true, false, false, true])
    await put(token, { category: 'archetype', approved });
  const records = await listRecords(member_id);
  expect(records.map(({ approved }) => approved)).toEqual([true, false, true]);
});

test('the database refuses to update, delete or truncate the records', async () => {
  proves('consent-records-append-only');
  const { token, member_id } = await registerSellingMember();
  await put(token, { category: 'archetype', approved: true });
  const attempts = [
    sql`update query_category_records set approved = false where member_id = ${member_id}`,
    sql`delete from query_category_records where member_id = ${member_id}`,
    sql`truncate query_category_records`,
  ];
  for (const attempt of attempts) await expect(app.sql.run(attempt)).rejects.toThrow('append-only');
  expect(await listRecords(member_id)).toHaveLength(1);
});

test.each([
  ['nothing', []],
  ['assessment_data only', ['assessment_data']],
  ['identity_queries without assessment_data', ['identity_queries']],
])('rejects a decision below level L2, with %s, and records nothing', async (_, granted) => {
  proves('consent-category-put-needs-level-l2', 'error-missing-consent-refused');
  const { token, member_id } = await app.registerMember();
  for (const consent_type of granted) await decide(token, consent_type, true);
  for (const approved of [true, false]) {
    const { status, body } = await put(token, { category: 'archetype', approved });
    expect([status, body.code]).toEqual([403, 'consent_level_too_low']);
  }
  expect(await listRecords(member_id)).toEqual([]);
});

test.each([
  ['category', 'everything'],
  ['category', null],
  ['category', undefined],
  ['approved', 'true'],
  ['approved', undefined],
  ['member_id', 'x'],
])('rejects %s %j and records nothing', async (field, value) => {
  const { token, member_id } = await registerSellingMember();
  const { status, body } = await put(token, { category: 'archetype', approved: true, [field]: value });
  expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', `/${field}`]);
  expect(await listRecords(member_id)).toEqual([]);
});

test('an approval applies only to the member who gave it', async () => {
  const [one, other] = [await registerSellingMember(), await registerSellingMember()];
  await put(one.token, { category: 'archetype', approved: true });
  expect(await listRecords(other.member_id)).toEqual([]);
});

test('a concurrent withdrawal and approval never leave an approval below level L2', async () => {
  for (let round = 0; round < 5; round++) {
    const { token } = await registerSellingMember();
    await Promise.all([
      put(token, { category: 'archetype', approved: true }),
      decide(token, 'identity_queries', false),
      put(token, { category: 'alignment', approved: true }),
    ]);
    const { body } = await app.request('GET', '/orgs/queries/consent/config', { token });
    expect(body.categories.filter((each: { approved: boolean }) => each.approved)).toEqual([]);
  }
});

test('rejects callers who are anonymous or not members', async () => {
  const { status, body } = await app.request('PUT', '/orgs/queries/consent/category', {
    body: { category: 'archetype', approved: true },
  });
  expect([status, body.code]).toEqual([401, 'authentication_required']);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const refusal = await put(token, { category: 'archetype', approved: true });
    expect([refusal.status, refusal.body.code]).toEqual([403, 'role_not_allowed']);
  }
});
