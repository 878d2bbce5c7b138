import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { addTestPasskey, logInByPasskey } from '#test/modules/passkeys.ts';

const app = await startApp();

const remove = (id: string, token?: string) =>
  app.request('DELETE', `/auth/passkeys/${id}`, { ...(token !== undefined && { token }) });

it('a removed passkey no longer logs in; its owner is informed, and it is recorded', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  const { id, authenticator } = await addTestPasskey(app, member);
  expect((await remove(id)).status).toBe(401);
  expect((await remove(id, other.token)).body.code).toBe('passkey_not_found');
  expect((await remove('phone', member.token)).body.code).toBe('field_invalid');
  expect((await remove(id, member.token)).status).toBe(204);
  expect((await remove(id, member.token)).body.code).toBe('passkey_not_found');
  expect((await logInByPasskey(app, authenticator)).body.code).toBe('passkey_wrong');
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to }) => to === member.email);
  expect(mails.map(({ subject }) => subject)).toContain('A passkey was removed');
  expect(
    await app.sql.list(sql`select detail from audit_log where action = 'auth.passkey_removed'
      and member_id = ${member.member_id}`),
  ).toEqual([{ detail: { passkey_id: id } }]);
});

it('removing needs a recent authentication', async () => {
  const member = await app.registerMember();
  const { id } = await addTestPasskey(app, member);
  app.clock.advance(901_000);
  expect((await remove(id, member.token)).body.code).toBe('recent_authentication_required');
});

it('a removed passkey of a platform administrator ends the sessions that passed MFA', async () => {
  const admin = await app.registerPlatformAdmin();
  const { id, authenticator } = await addTestPasskey(app, admin);
  const { access_token } = (await logInByPasskey(app, authenticator)).body;
  expect((await remove(id, access_token)).status).toBe(204);
  const list = (token: string) => app.request('GET', '/auth/sessions', { token });
  expect((await list(access_token)).body.code).toBe('token_invalid');
  expect((await list(admin.token)).status).toBe(200);
});
