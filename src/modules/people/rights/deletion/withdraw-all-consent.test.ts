import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const withdrawAll = (token: string, body: unknown = {}) =>
  app.request('POST', '/members/me/consent/withdraw-all', { token, body });
const listRecords = (member_id: string) =>
  app.sql.list(sql<{ consent_type: string; granted: boolean; version: string }>`
    select consent_type, granted, version from consent_records where member_id = ${member_id} order by sequence`);

test('withdraws every granted type with a new record of the granted version, and leaves earlier records', async () => {
  proves('consent-withdraw-all-endpoint-jwt', 'consent-records-append-only');
  const { token, member_id } = await app.registerMember();
  const decisions = [
    ['assessment_data', true, '1.0'],
    ['identity_queries', true, '1.0'],
    ['credential_sharing', true, '1.0'],
    ['credential_sharing', false, '1.0'],
  ] as const;
  for (const [consent_type, granted, version] of decisions)
    await app.request('POST', '/members/me/consent', { token, body: { consent_type, granted, version } });
  await app.request('PUT', '/orgs/queries/consent/category', {
    token,
    body: { category: 'archetype', approved: true },
  });
  const before = await listRecords(member_id);
  const { status, body } = await withdrawAll(token);
  expect(status).toBe(202);
  expect(body.withdrawn.toSorted()).toEqual(['assessment_data', 'identity_queries']);
  const after = await listRecords(member_id);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).toSorted((a, b) => (a.consent_type < b.consent_type ? -1 : 1))).toEqual([
    { consent_type: 'assessment_data', granted: false, version: '1.0' },
    { consent_type: 'identity_queries', granted: false, version: '1.0' },
  ]);
  const categories = await app.sql.list(
    sql`select approved from query_category_records where member_id = ${member_id} order by sequence`,
  );
  expect(categories).toEqual([{ approved: true }, { approved: false }]);
});

test('starts the deletion of the account, like DELETE /members/me', async () => {
  proves('consent-withdraw-all-starts-deletion', 'member-delete-marks-account-for-deletion');
  const { token, member_id, email, password } = await app.registerDeployedMember();
  const { body } = await withdrawAll(token);
  expect(body).toEqual({
    withdrawn: expect.arrayContaining(['assessment_data', 'matching']),
    status: 'pending_deletion',
    erase_after: new Date(app.clock.now().getTime() + 2_592_000_000).toISOString(),
  });
  const member = await app.sql.one(
    sql`select account_status, assessment_consented, matching_consented from members where id = ${member_id}`,
  );
  expect(member).toEqual({
    account_status: 'pending_deletion',
    assessment_consented: false,
    matching_consented: false,
  });
  expect((await app.request('GET', '/members/me', { token })).status).toBe(401);
  const login = await app.request('POST', '/auth/login', { body: { email, password } });
  expect([login.status, login.body.code]).toEqual([403, 'account_pending_deletion']);
  const events = await app.sql.list(
    sql`select type from events where data->>'member_id' = ${member_id} and type = 'member.undeployed'`,
  );
  expect(events).toHaveLength(1);
});

test('marks the account for deletion even if the member granted nothing', async () => {
  const { token, member_id } = await app.registerMember();
  const { status, body } = await withdrawAll(token);
  expect([status, body.withdrawn, body.status]).toEqual([202, [], 'pending_deletion']);
  expect(await listRecords(member_id)).toEqual([]);
});

test('rejects an unknown field and changes nothing', async () => {
  const { token } = await app.registerMember();
  expect((await withdrawAll(token, { member_id: 'x' })).status).toBe(422);
  expect((await app.request('GET', '/members/me', { token })).body.account_status).toBe('active');
});

test('does not affect other members', async () => {
  const [one, other] = [await app.registerDeployedMember(), await app.registerDeployedMember()];
  await withdrawAll(one.token);
  expect((await app.request('GET', '/members/me', { token: other.token })).body.engagement_level).toBe(4);
});

test('refuses callers who are not logged in, and all roles except member', async () => {
  const { status, body } = await app.request('POST', '/members/me/consent/withdraw-all', { body: {} });
  expect([status, body.code]).toEqual([401, 'authentication_required']);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const refused = await withdrawAll(token);
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
  }
});
