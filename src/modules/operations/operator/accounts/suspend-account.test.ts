import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changeUserFromCommand } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import type { TestPostgres } from '#test/global-setup.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';

/** Nodes of one service share the master key. */
const environment = { TESSERA_MASTER_KEY: randomBytes(32).toString('base64') };

const app = await startApp(environment);

const send = (token: string, user_id: string) =>
  app.request('POST', `/operator/users/${user_id}/suspend`, { token, body: {} });
const readCode = async (token: string) => (await app.request('GET', '/auth/me', { token })).body.code;

describe('a suspension by the operator', () => {
  it('ends the sessions at once, refuses every login, and is in the audit log under the operator’s name', async () => {
    const operator = await app.registerPlatformAdmin();
    const { user_id, org_id, token, email, password } = await app.registerOrgAdmin();
    const { status, body } = await send(operator.token, user_id.toUpperCase());
    expect([status, body]).toEqual([200, { user_id, suspended: true }]);
    expect(await readCode(token)).toBe('account_suspended');
    const login = await app.request('POST', '/auth/login', { body: { email, password } });
    expect(login.body.code).toBe('account_suspended');
    expect(await listActs(app, 'auth.account_suspended', operator.user_id)).toEqual([
      {
        actor_user_id: operator.user_id,
        actor_role: 'platform_admin',
        member_id: null,
        org_id,
        detail: { user_id },
      },
    ]);
  });

  it('ends the sessions on other nodes within a second', async () => {
    const other = await startApp(environment, app.sql.settings as TestPostgres);
    const operator = await app.registerPlatformAdmin();
    const { user_id, token } = await app.registerMember();
    expect((await other.request('GET', '/auth/me', { token })).status).toBe(200);
    await send(operator.token, user_id);
    await expect
      .poll(async () => (await other.request('GET', '/auth/me', { token })).body.code)
      .toBe('account_suspended');
  });

  it('is refused for the only platform administrator, and two cannot suspend each other at the same time', async () => {
    const alone = await startApp();
    const sendAlone = (token: string, user_id: string) =>
      alone.request('POST', `/operator/users/${user_id}/suspend`, { token, body: {} });
    const one = await alone.registerPlatformAdmin();
    const refused = await sendAlone(one.token, one.user_id);
    expect([refused.status, refused.body.code]).toEqual([409, 'last_platform_admin']);
    await expect(changeUserFromCommand(alone.platform, { user: one.email }, true)).rejects.toMatchObject({
      code: 'last_platform_admin',
    });
    const other = await alone.registerPlatformAdmin();
    const replies = await Promise.all([
      sendAlone(one.token, other.user_id),
      sendAlone(other.token, one.user_id),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const [{ active }] = (await alone.sql.list(sql`
      select count(*) as active from users where role = 'platform_admin' and suspended_at is null`)) as [
      { active: number },
    ];
    expect(active).toBe(1);
  });

  it('is refused for an unknown user, a member who asked to be erased, and a text that is no id', async () => {
    const { token } = await app.registerPlatformAdmin();
    const { user_id, member_id } = await app.registerMember();
    await app.sql.run(sql`update members set account_status = 'pending_deletion' where id = ${member_id}`);
    expect((await send(token, unknownId)).body.code).toBe('user_not_found');
    expect((await send(token, user_id)).body.code).toBe('account_pending_deletion');
    expect((await send(token, '7')).body.errors[0].pointer).toBe('/user_id');
    await expectOperatorOnly(app, 'POST', `/operator/users/${user_id}/suspend`, {});
  });
});
