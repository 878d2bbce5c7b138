import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { createCast } from '#test/cast.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TESSERA_RETENTION_SECONDS: '86400' });
});

const leave = (token: string) => app.request('DELETE', '/members/me', { token });
const statusOf = async (member_id: string) =>
  (
    await app.sql.one(
      sql<{ account_status: string }>`select account_status from members where id = ${member_id}`,
    )
  ).account_status;

test('the account is marked for deletion, and the answer says until when it is kept', async () => {
  proves('member-delete-endpoint-jwt', 'member-delete-marks-account-for-deletion');
  const { token, member_id, user_id } = await app.registerMember();
  const { status, body, cookies } = await leave(token);
  expect([status, body]).toEqual([
    202,
    {
      status: 'pending_deletion',
      erase_after: new Date(app.clock.now().getTime() + 86_400_000).toISOString(),
    },
  ]);
  expect(cookies['refresh_token']).toBe('');
  expect(await statusOf(member_id)).toBe('pending_deletion');
  const audited = await app.sql.list(
    sql`select action, actor_user_id from audit_log where member_id = ${member_id} and action like 'rights.%'`,
  );
  expect(audited).toEqual([{ action: 'rights.deletion_requested', actor_user_id: user_id }]);
});

test('every session ends at once: no token, no refresh, and no login opens the account again', async () => {
  proves('member-delete-marks-account-for-deletion');
  const { token, email, password } = await app.registerMember();
  const other = await app.request('POST', '/auth/login', { body: { email, password } });
  await leave(token);
  for (const dead of [token, other.body.access_token]) {
    const { status, body } = await app.request('GET', '/auth/me', { token: dead });
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

test('open matches are withdrawn, and consent is left as it is', async () => {
  const own = await startApp();
  const cast = await createCast(own);
  const { deployed, ours } = cast;
  const match_id = await cast.readMatchId(deployed, ours);
  const consents = () =>
    own.sql.list(
      sql`select * from consent_records where member_id = ${deployed.member_id} order by sequence`,
    );
  const before = await consents();
  await own.request('DELETE', '/members/me', { token: deployed.token });
  await own.drainQueue();
  const { match_status } = await own.sql.one(
    sql<{ match_status: string }>`select match_status from matches where id = ${match_id}`,
  );
  expect(match_status).toBe('withdrawn');
  expect(await consents()).toEqual(before);
});

test('a login at the very moment of the deletion leaves no session that works', async () => {
  const { token, email, password, member_id } = await app.registerMember();
  const [, ...logins] = await Promise.all([
    leave(token),
    ...[1, 2, 3, 4].map(() => app.request('POST', '/auth/login', { body: { email, password } })),
  ]);
  for (const { body } of logins.filter(({ status }) => status === 200))
    expect((await app.request('GET', '/members/me', { token: body.access_token })).status).toBe(401);
  const { open } = await app.sql.one(sql<{ open: number }>`
    select count(*) as open from sessions join users on users.id = user_id
    where member_id = ${member_id} and revoked_at is null`);
  expect(open).toBe(0);
});

test('two requests at once make one deletion', async () => {
  const { token, member_id } = await app.registerMember();
  const answers = await Promise.all([leave(token), leave(token)]);
  expect(answers.map(({ status }) => status).filter((status) => status === 202).length).toBeGreaterThan(0);
  const requests = await app.sql.list(sql`select * from deletion_requests where member_id = ${member_id}`);
  expect(requests).toHaveLength(1);
});

test('one member’s deletion is not another one’s', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  await leave(one.token);
  expect(await statusOf(other.member_id)).toBe('active');
  expect((await app.request('GET', '/members/me', { token: other.token })).status).toBe(200);
});

test('a field that the request does not know is refused, and nothing changes', async () => {
  const { token, member_id } = await app.registerMember();
  expect((await app.request('DELETE', '/members/me?now=true', { token })).status).toBe(422);
  expect(await statusOf(member_id)).toBe('active');
});

test('nobody deletes an account without signing in, and only members have one to delete', async () => {
  const { status, body } = await app.request('DELETE', '/members/me');
  expect([status, body.code]).toEqual([401, 'authentication_required']);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const refused = await leave(token);
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
  }
});
