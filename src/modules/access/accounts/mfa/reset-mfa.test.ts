import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { enableMfa } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { resetMfa } from './reset-mfa.ts';

it('disables MFA of an account and emails its user, but refuses unknown users and accounts without one', async () => {
  const app = await startApp();
  const member = await app.registerMember();
  const { email, password, user_id, member_id } = member;
  for (const [user, code] of [
    [email, 'mfa_not_enabled'],
    ['nobody@example.org', 'user_not_found'],
  ] as const)
    await expect(resetMfa(app.platform, { user })).rejects.toMatchObject({ code });
  await enableMfa(app, member);
  expect(await resetMfa(app.platform, { user: email.toUpperCase() })).toEqual({
    user_id,
    mfa_enabled: false,
  });
  expect(
    (await app.request('POST', '/auth/login', { body: { email, password } })).body.access_token,
  ).toBeDefined();
  await app.drainQueue();
  expect(
    (await app.readMails()).filter(({ to }) => to.includes(email)).map(({ subject }) => subject),
  ).toContain('MFA was reset');
  expect(
    await app.sql.list(sql`select member_id, actor_user_id from audit_log where action = 'auth.mfa_reset'`),
  ).toEqual([{ member_id, actor_user_id: null }]);
});
