import { expect, test } from 'vitest';
import { enableMfa } from '#test/modules/auth.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { logInAgain } from '#test/users.ts';

const app = await startApp();

const reset = (token: string, user_id: string) =>
  app.request('POST', `/operator/users/${user_id}/reset-mfa`, { token, body: {} });

test('opens the account with the password alone, emails its user, and records who did it', async () => {
  const operator = await app.registerPlatformAdmin();
  const member = await app.registerMember();
  const { user_id, member_id, email, password } = member;
  await enableMfa(app, member);
  const { status, body } = await reset(operator.token, user_id);
  expect([status, body]).toEqual([200, { user_id, mfa_enabled: false }]);
  const login = await app.request('POST', '/auth/login', { body: { email, password } });
  expect(login.body.access_token).toEqual(expect.any(String));
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to }) => to.includes(email));
  expect(mails.find(({ subject }) => subject === 'MFA was reset')?.text).toContain(
    'The operator of this service',
  );
  expect(await listActs(app, 'auth.mfa_reset', operator.user_id)).toMatchObject([
    { actor_role: 'platform_admin', member_id, detail: { user_id } },
  ]);
});

test('needs a recent authentication', async () => {
  const operator = await app.registerPlatformAdmin();
  const member = await app.registerMember();
  await enableMfa(app, member);
  const token = await logInAgain(app, operator);
  app.clock.advance(901_000);
  const { status, body } = await reset(token, member.user_id);
  expect([status, body.code]).toEqual([403, 'recent_authentication_required']);
  expect((await app.request('GET', '/auth/me', { token: member.token })).body.mfa_enabled).toBe(true);
});

test('is refused without MFA, for an unknown user, and for others than the operator', async () => {
  const token = await logInAgain(app, await app.registerPlatformAdmin());
  const { user_id } = await app.registerMember();
  expect((await reset(token, user_id)).body.code).toBe('mfa_not_enabled');
  expect((await reset(token, unknownId)).body.code).toBe('user_not_found');
  expect((await reset(token, 'me')).body.errors[0].pointer).toBe('/user_id');
  await expectOperatorOnly(app, 'POST', `/operator/users/${user_id}/reset-mfa`, {});
});
