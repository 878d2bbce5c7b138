import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { changeUserFromCommand } from './suspend-user.ts';

const app = await startApp();

const readRefusal = async (token: string) =>
  (await app.request('GET', '/auth/me', { token })).body.code as string | undefined;
const logIn = (email: string) => app.request('POST', '/auth/login', { body: { email, password } });
const isDeployed = async (member_id: string) =>
  (await app.sql.list(sql`select id from deployed_members where id = ${member_id}`)).length === 1;

describe('a suspension', () => {
  it('refuses every token, login and refresh at once, by id or by email address', async () => {
    for (const by of ['user_id', 'email'] as const) {
      const member = await app.registerMember();
      const { cookies } = await logIn(member.email);
      const suspended = await changeUserFromCommand(app.platform, { user: member[by].toUpperCase() }, true);
      expect(suspended).toEqual({ user_id: member.user_id, suspended: true });
      expect(await readRefusal(member.token)).toBe('account_suspended');
      expect((await logIn(member.email)).body.code).toBe('account_suspended');
      expect((await app.request('POST', '/auth/refresh', { cookies })).status).toBe(401);
    }
  });

  it('removes a member from matching until the account is resumed', async () => {
    const { user_id, member_id, email, token } = await app.registerDeployedMember();
    await changeUserFromCommand(app.platform, { user: user_id }, true);
    await changeUserFromCommand(app.platform, { user: user_id }, true);
    expect(await isDeployed(member_id)).toBe(false);
    expect(await changeUserFromCommand(app.platform, { user: user_id }, false)).toEqual({
      user_id,
      suspended: false,
    });
    expect(await isDeployed(member_id)).toBe(true);
    const { body } = await logIn(email);
    expect(await readRefusal(body.access_token)).toBeUndefined();
    expect(await readRefusal(token)).toBe('token_invalid');
    expect(
      await app.sql.list(
        sql`select action, actor_user_id from audit_log where member_id = ${member_id} and action like 'auth.account%' order by action`,
      ),
    ).toEqual([
      { action: 'auth.account_resumed', actor_user_id: null },
      { action: 'auth.account_suspended', actor_user_id: null },
    ]);
  });

  it('works for users who are not members', async () => {
    const { email, token, org_id } = await app.registerOrgAdmin();
    await changeUserFromCommand(app.platform, { user: email }, true);
    expect(await readRefusal(token)).toBe('account_suspended');
    expect(
      await app.sql.list(
        sql`select member_id from audit_log where org_id = ${org_id} and action = 'auth.account_suspended'`,
      ),
    ).toEqual([{ member_id: null }]);
  });

  it('is refused for an unknown user, and cannot be ended for a member who asked to be erased', async () => {
    for (const user of [unknownId, 'nobody@example.org', '']) {
      await expect(changeUserFromCommand(app.platform, { user }, true)).rejects.toMatchObject({
        code: 'user_not_found',
      });
      await expect(changeUserFromCommand(app.platform, { user }, false)).rejects.toMatchObject({
        code: 'user_not_found',
      });
    }
    const { user_id, member_id, email } = await app.registerMember();
    await app.sql.run(sql`update members set account_status = 'pending_deletion' where id = ${member_id}`);
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${user_id}`);
    await expect(changeUserFromCommand(app.platform, { user: email }, false)).rejects.toMatchObject({
      code: 'account_pending_deletion',
    });
    expect((await logIn(email)).body.code).toBe('account_pending_deletion');
  });
});
