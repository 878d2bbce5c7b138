import { describe, expect, it } from 'vitest';
import { createUser, removeAccount } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { password, createEmail } from '#test/users.ts';
import { changeUserFromCommand } from './suspension/suspend-user.ts';
import { repeat_seconds } from './rules.ts';

const app = await startApp();

const listEntries = (action: string, user_id: string) =>
  app.sql.list(sql`
    select actor_user_id, member_id, org_id, detail from audit_log
    where action = ${action} and (actor_user_id = ${user_id} or detail ->> 'user_id' = ${user_id})`);

describe('the audit log records', () => {
  it('who registered as a member or with an organisation', async () => {
    const { user_id, member_id } = await app.registerMember();
    const admin = await app.registerOrgAdmin();
    expect(await listEntries('auth.registered', user_id)).toEqual([
      { actor_user_id: user_id, member_id, org_id: null, detail: {} },
    ]);
    expect(await listEntries('auth.registered', admin.user_id)).toEqual([
      { actor_user_id: admin.user_id, member_id: null, org_id: admin.org_id, detail: {} },
    ]);
  });

  it('who received an account from the operator', async () => {
    const { org_id } = await app.registerOrgAdmin();
    const { id } = await createUser(app.platform, {
      email: createEmail(),
      password,
      role: 'auditor',
      org_id,
    });
    expect(await listEntries('auth.user_created', id)).toEqual([
      { actor_user_id: null, member_id: null, org_id, detail: { user_id: id, role: 'auditor' } },
    ]);
  });

  it('whose address was verified, but no entry for an invalid link', async () => {
    const { user_id, member_id, email } = await app.registerMember();
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
    const token = /token=([\w-]+)/.exec(mail!.text)![1];
    for (let use = 0; use < 2; use++) await app.request('POST', '/auth/verify-email', { body: { token } });
    expect(await listEntries('auth.email_verified', user_id)).toEqual([
      { actor_user_id: user_id, member_id, org_id: null, detail: {} },
    ]);
  });

  it('that a refresh token was used twice, without naming an actor', async () => {
    const { user_id, member_id, email } = await app.registerMember();
    const { cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
    for (let use = 0; use < 2; use++) {
      await app.request('POST', '/auth/refresh', { cookies });
      app.clock.advance(repeat_seconds * 1000);
    }
    expect(await listEntries('auth.session_reuse_detected', user_id)).toEqual([
      {
        actor_user_id: null,
        member_id,
        org_id: null,
        detail: { user_id, session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      },
    ]);
  });
});

it('a removed user cannot be resumed', async () => {
  const { user_id } = await app.registerOrgAdmin();
  await app.sql.transaction((tx) => removeAccount(app.platform, tx, user_id));
  await expect(changeUserFromCommand(app.platform, { user: user_id }, false)).rejects.toThrow(
    expect.objectContaining({ code: 'user_not_found' }),
  );
});
