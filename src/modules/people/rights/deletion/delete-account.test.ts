import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createCast } from '#test/cast.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp({ TESSERA_RETENTION_SECONDS: '86400' });

const deleteAccount = (token: string) => app.request('DELETE', '/members/me', { token });
const readAccountStatus = async (member_id: string) =>
  (
    await app.sql.one(
      sql<{ account_status: string }>`select account_status from members where id = ${member_id}`,
    )
  ).account_status;

test('marks the account for deletion, and returns when it will be erased', async () => {
  proves('member-delete-endpoint-jwt', 'member-delete-marks-account-for-deletion');
  const { token, member_id, user_id } = await app.registerMember();
  const { status, body, cookies } = await deleteAccount(token);
  expect([status, body]).toEqual([
    202,
    {
      status: 'pending_deletion',
      erase_after: new Date(app.clock.now().getTime() + 86_400_000).toISOString(),
    },
  ]);
  expect(cookies['refresh_token']).toBe('');
  expect(await readAccountStatus(member_id)).toBe('pending_deletion');
  const entries = await app.sql.list(
    sql`select action, actor_user_id from audit_log where member_id = ${member_id} and action like 'rights.%'`,
  );
  expect(entries).toEqual([{ action: 'rights.deletion_requested', actor_user_id: user_id }]);
});

test('ends every session at once, and refuses tokens, refreshes and logins from then on', async () => {
  proves('member-delete-marks-account-for-deletion');
  const { token, email, password } = await app.registerMember();
  const other = await app.request('POST', '/auth/login', { body: { email, password } });
  await deleteAccount(token);
  for (const revoked of [token, other.body.access_token]) {
    const { status, body } = await app.request('GET', '/auth/me', { token: revoked });
    expect([status, body.code]).toEqual([401, 'token_invalid']);
  }
  const refreshed = await app.request('POST', '/auth/refresh', { cookies: other.cookies, body: {} });
  expect(refreshed.status).toBe(401);
  const again = await app.request('POST', '/auth/login', { body: { email, password } });
  expect([again.status, again.body.code]).toEqual([403, 'account_pending_deletion']);
  const wrong = await app.request('POST', '/auth/login', {
    body: { email, password: 'Wrong-Horse-7-Battery' },
  });
  expect([wrong.status, wrong.body.code]).toEqual([401, 'credentials_wrong']);
});

test('withdraws open matches, and leaves consent records unchanged', async () => {
  const own = await startApp();
  const cast = await createCast(own);
  const { deployed, ours } = cast;
  const match_id = await cast.readMatchId(deployed, ours);
  const listConsents = () =>
    own.sql.list(
      sql`select * from consent_records where member_id = ${deployed.member_id} order by sequence`,
    );
  const before = await listConsents();
  await own.request('DELETE', '/members/me', { token: deployed.token });
  await own.drainQueue();
  const { match_status } = await own.sql.one(
    sql<{ match_status: string }>`select match_status from matches where id = ${match_id}`,
  );
  expect(match_status).toBe('withdrawn');
  expect(await listConsents()).toEqual(before);
});

test('a login concurrent with the deletion leaves no valid session', async () => {
  const { token, email, password, member_id } = await app.registerMember();
  const [, ...logins] = await Promise.all([
    deleteAccount(token),
    ...[1, 2, 3, 4].map(() => app.request('POST', '/auth/login', { body: { email, password } })),
  ]);
  for (const { body } of logins.filter(({ status }) => status === 200))
    expect((await app.request('GET', '/members/me', { token: body.access_token })).status).toBe(401);
  const { open } = await app.sql.one(sql<{ open: number }>`
    select count(*) as open from sessions join users on users.id = user_id
    where member_id = ${member_id} and revoked_at is null`);
  expect(open).toBe(0);
});

test('two concurrent requests create one deletion request', async () => {
  const { token, member_id } = await app.registerMember();
  const responses = await Promise.all([deleteAccount(token), deleteAccount(token)]);
  expect(responses.map(({ status }) => status).filter((status) => status === 202).length).toBeGreaterThan(0);
  const requests = await app.sql.list(sql`select * from deletion_requests where member_id = ${member_id}`);
  expect(requests).toHaveLength(1);
});

test('does not affect other members', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  await deleteAccount(one.token);
  expect(await readAccountStatus(other.member_id)).toBe('active');
  expect((await app.request('GET', '/members/me', { token: other.token })).status).toBe(200);
});

test('rejects an unknown field and changes nothing', async () => {
  const { token, member_id } = await app.registerMember();
  expect((await app.request('DELETE', '/members/me?now=true', { token })).status).toBe(422);
  expect(await readAccountStatus(member_id)).toBe('active');
});

test('refuses callers who are not logged in, and all roles except member', async () => {
  const { status, body } = await app.request('DELETE', '/members/me');
  expect([status, body.code]).toEqual([401, 'authentication_required']);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const refused = await deleteAccount(token);
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
  }
});
